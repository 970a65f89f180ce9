// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of a dynamic graph as code: the lists that they pass to the runtime (rsh_program_call).
//
//   graph f(x: f32[...]) -> y      give sizes: none
//                                  give inputs: x, constant 0
//                                  give outputs: y
//                                  give dims: y_dims
//                                  give ranks: y_rank
//                                  return_program
#include "codegen/code/code.h"

// A list of the parameters of one kind, by index, then of `constants` constants; empty if there are neither.
static void give(Code *code, ParameterKind kind, const char *name, int count, int constants) {
  int64_t *entry = ARENA_ARRAY(code->arena, int64_t, count + constants + 1);
  bool is_any = constants > 0;
  for (int i = 0; i < count; i++) {
    entry[i] = signature_find(code->signature, kind, i);
    is_any = is_any || entry[i] >= 0;
  }
  for (int i = 0; i < constants; i++)
    entry[count + i] = code->signature->parameter.count + i;
  CodeValue list = code_add(code, CODE_GIVE, CODE_NONE, CODE_NONE, CODE_NONE, kind);
  code->node.item[list].list = entry;
  code->node.item[list].index = is_any ? count + constants : 0;
  code_named(code, list, name);
}

Code *code_dynamic(Arena *arena, const Plan *plan, bool is_shape) {
  const Graph *graph = plan->graph;
  Code *code = code_new(arena, plan);
  code->signature = is_shape ? &plan->shape_signature : &plan->signature;
  give(code, PARAMETER_SIZE, "sizes", graph->symbol.count, 0);
  give(code, PARAMETER_INPUT, "inputs", graph->input_count, plan->tape->constant.count);
  give(code, PARAMETER_OUTPUT, "outputs", graph->output_count, 0);
  give(code, PARAMETER_DIMS, "dims", graph->output_count, 0);
  give(code, PARAMETER_RANK, "ranks", graph->output_count, 0);
  code_add(code, CODE_RETURN_PROGRAM, CODE_NONE, CODE_NONE, CODE_NONE,
           is_shape ? plan->tape->shape_bytes : 0);
  code_end(code);
  return code;
}
