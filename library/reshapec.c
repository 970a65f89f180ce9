// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of include/reshapec.h: each checks its arguments, catches the longjmp of a fatal error, and reads and
// prints numbers with a decimal point, also if the locale of the program has a comma.
#include "include/reshapec.h"

#include "codegen/machine/backend.h"
#include "codegen/plan/names.h"
#include "frontend/onnx/openvino.h"
#include "frontend/text/rescue.h"
#include "library/bind.h"
#include "library/explain.h"
#include "runtime/dlpack.h"
#include "frontend/text/sha256.h"
#include "frontend/text/text_out.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

struct reshapec {
  Pipeline p;
  EmitOptions code;
  Jit *jit;
  Arena *temporary;   // of the last call of bind; NULL: none
  DiagMark read;      // the messages of reading, which stay
  ArenaMemory memory; // `allocate` NULL: malloc and free
  bool is_read;
  reshapec_status broken; // RESHAPEC_OK: the handle is usable
  char why[512];          // why it is broken
};

_Static_assert((int)RESHAPEC_MAX_RANK == (int)RSH_MAX_RANK, "as the runtime");
_Static_assert(sizeof(reshapec_argument) == sizeof(JitArgument), "passed on");

// ---- Catching jumps

typedef reshapec_status Work(reshapec *r, void *data);

static reshapec_status break_off(reshapec *r, const Rescue *rescue) {
  backend_abandon();
  r->broken = rescue->is_memory ? RESHAPEC_MEMORY : RESHAPEC_INTERNAL;
  memcpy(r->why, rescue->why, sizeof r->why);
  return r->broken;
}

static reshapec_status guarded(reshapec *r, Work *work, void *data) {
  if (!r)
    return RESHAPEC_USAGE;
  if (r->broken)
    return r->broken;
  Rescue rescue;
  const locale_t of_program = uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0)); // a constant
  if (setjmp(rescue_begin(&rescue)->place) != 0) {
    uselocale(of_program);
    return break_off(r, &rescue);
  }
  reshapec_status status = work(r, data);
  rescue_end(&rescue);
  uselocale(of_program);
  return status;
}

// The messages of an earlier call, such as a bind of other shapes, say nothing about this one.
static void forget_last_call(reshapec *r) { diag_rewind(&r->p.diag, r->read); }

// The status that follows from the messages of a step.
static reshapec_status status_of(const reshapec *r) {
  const Diag *diag = &r->p.diag;
  for (int i = 0; i < diag->list.count; i++)
    if (strcmp(diag->list.item[i].kind, "internal") == 0)
      return RESHAPEC_INTERNAL;
  return diag->errors > 0 ? RESHAPEC_INPUT : RESHAPEC_OK;
}

// ---- Opening

typedef struct Opening {
  const reshapec_options *options;
  ArenaMemory memory;
  Arena *arena;
} Opening;

static reshapec *open_handle(Opening *o) {
  static const reshapec_options none;
  const reshapec_options *options = o->options ? o->options : &none;
  o->arena = arena_new_from(o->memory.allocate ? &o->memory : NULL);
  reshapec *r = ARENA_NEW(o->arena, reshapec);
  r->memory = o->memory;
  char level = options->level ? options->level : '2';
  r->p.arena = r->p.diag.arena = o->arena;
  r->p.diag.warnings_are_errors = options->warnings_are_errors;
  r->code = (EmitOptions){.triple = options->target,
                          .cpu = options->cpu,
                          .features = options->features,
                          .abi = options->abi,
                          .opt_level = level <= '3' ? level - '0' : level,
                          .freestanding = options->freestanding,
                          .libm = options->libm,
                          .library = options->library,
                          .parallel = options->parallel,
                          .prefix = options->prefix,
                          .limit = {-1, -1},
                          .dma_loops = -1};
  r->p.prefix = options->prefix;
  r->p.processor = emit_cost(o->arena, &r->code);
  return r;
}

reshapec_status reshapec_open(const reshapec_options *options, const reshapec_allocator *allocator,
                              reshapec **out) {
  if (!out)
    return RESHAPEC_USAGE;
  *out = NULL;
  if (allocator && !allocator->allocate != !allocator->release)
    return RESHAPEC_USAGE;
  if (options && ((options->level && !strchr("0123sz", options->level)) ||
                  (options->prefix && !is_prefix(options->prefix))))
    return RESHAPEC_USAGE;
  Opening *o = &(Opening){.options = options};
  if (allocator)
    o->memory = (ArenaMemory){allocator->allocate, allocator->release, allocator->user};
  Rescue rescue;
  if (setjmp(rescue_begin(&rescue)->place) != 0) {
    arena_free(o->arena);
    return RESHAPEC_MEMORY;
  }
  *out = open_handle(o);
  rescue_end(&rescue);
  return RESHAPEC_OK;
}

void reshapec_close(reshapec *r) {
  if (!r)
    return;
  if (r->jit && !r->broken)
    jit_free(r->jit);
  arena_free(r->temporary);
  arena_free(r->p.arena);
}

const char *reshapec_version(void) { return RESHAPEC_VERSION; }

// ---- Reading

typedef struct Input {
  void (*read)(Pipeline *p, const struct Input *input);
  const char *name;
  const void *bytes;
  size_t size;
  const void *weights; // of OpenVINO IR
  size_t weights_size;
} Input;

static void plan_all(Pipeline *p) {
  pipeline_fold(p);
  pipeline_plan(p, false);
}

// NULL: reported.
static Source *source_of(Pipeline *p, const Input *input) {
  if (input->size <= SOURCE_MAX_BYTES)
    return source_from_text(p->arena, input->name, input->bytes, input->size);
  diag_error_file(&p->diag, "bad_file", "cannot be read: larger than 64 MiB");
  return NULL;
}

static void read_text(Pipeline *p, const Input *input) {
  const char *why = source_other_file(input->name);
  if (why)
    diag_error_file(&p->diag, "bad_file", "cannot be read: %s", why);
  Source *source = why ? NULL : source_of(p, input);
  if (!source)
    return;
  if (pipeline_read_text(p, source))
    pipeline_check_has_graphs(p, false);
  if (p->diag.errors > 0)
    return;
  pipeline_lower(p);
  plan_all(p);
}

// Weights are not copied out of a file, so the handle has a copy of its bytes.
static const uint8_t *kept(Pipeline *p, const void *bytes, size_t size) {
  return size > 0 ? (const uint8_t *)arena_text(p->arena, bytes, size) : (const uint8_t *)"";
}

static void read_model(Pipeline *p, const OnnxFile *file) {
  if (!file)
    return;
  pipeline_read_model(p, file);
  plan_all(p);
}

static void read_onnx(Pipeline *p, const Input *input) {
  const uint8_t *bytes = kept(p, input->bytes, input->size);
  read_model(p, onnx_file_parse(p->arena, p->diag.file, bytes, input->size, &p->diag));
}

static void read_openvino(Pipeline *p, const Input *input) {
  Source *source = source_of(p, input);
  const OnnxBytes bin = {kept(p, input->weights, input->weights_size), input->weights_size};
  if (source)
    read_model(p, openvino_file_parse(p->arena, p->diag.file, source, &bin, &p->diag));
}

// No object of C is larger than PTRDIFF_MAX; a failed ftell returns -1.
static bool is_memory(const void *bytes, size_t size) {
  return bytes ? size <= PTRDIFF_MAX : size == 0;
}

static reshapec_status read_input(reshapec *r, void *data) {
  const Input *input = data;
  Pipeline *p = &r->p;
  if (r->is_read || !input->name || !is_memory(input->bytes, input->size) ||
      !is_memory(input->weights, input->weights_size))
    return RESHAPEC_USAGE;
  r->is_read = true;
  p->diag.file = arena_text(p->arena, input->name, strlen(input->name));
  input->read(p, input);
  r->read = diag_mark(&p->diag);
  return status_of(r);
}

reshapec_status reshapec_read_text(reshapec *r, const char *name, const char *text, size_t length) {
  return guarded(r, read_input, &(Input){read_text, name, text, length, NULL, 0});
}

reshapec_status reshapec_read_onnx(reshapec *r, const char *name, const void *bytes, size_t size) {
  return guarded(r, read_input, &(Input){read_onnx, name, bytes, size, NULL, 0});
}

reshapec_status reshapec_read_openvino(reshapec *r, const char *name, const void *xml,
                                       size_t xml_size, const void *bin, size_t bin_size) {
  return guarded(r, read_input, &(Input){read_openvino, name, xml, xml_size, bin, bin_size});
}

// ---- Messages

int reshapec_message_count(const reshapec *r) {
  return r ? r->p.diag.list.count + (r->broken != RESHAPEC_OK) : 0;
}

typedef struct Request {
  int graph, index;
  void *out;
  EntryPoint entry;
} Request;

static reshapec_status guarded_request(reshapec *r, Work *work, Request request) {
  return request.out ? guarded(r, work, &request) : RESHAPEC_USAGE;
}

static reshapec_status get_message(reshapec *r, void *data) {
  const Request *request = data;
  const Diag *diag = &r->p.diag;
  if (request->index < 0 || request->index >= diag->list.count)
    return RESHAPEC_USAGE;
  const Diagnostic *d = &diag->list.item[request->index];
  DiagShown shown = diag_shown(diag, d);
  reshapec_message *out = request->out;
  *out = (reshapec_message){.severity = (reshapec_severity)d->severity,
                            .kind = d->kind,
                            .text = shown.message,
                            .file = shown.file ? shown.file : ""};
  if (shown.has_place) {
    out->line = shown.begin.line, out->column = shown.begin.column;
    out->end_line = shown.end.line, out->end_column = shown.end.column;
  }
  return RESHAPEC_OK;
}

reshapec_status reshapec_get_message(reshapec *r, int index, reshapec_message *out) {
  if (out && r && r->broken && index == r->p.diag.list.count) {
    *out = (reshapec_message){.kind = "internal", .text = r->why, .file = ""};
    return RESHAPEC_OK;
  }
  return guarded_request(r, get_message, (Request){.index = index, .out = out});
}

// The output of `print`, in the arena.
static reshapec_status printed(reshapec *r, void (*print)(reshapec *r, int kind, FILE *out),
                               int kind, reshapec_bytes *bytes) {
  TextOut text;
  size_t size;
  print(r, kind, text_out_begin(&text));
  const char *all = text_out_end(&text, r->p.arena, &size);
  *bytes = (reshapec_bytes){all, size};
  return RESHAPEC_OK;
}

static void print_messages(reshapec *r, int kind, FILE *out) {
  (void)kind;
  diag_print(&r->p.diag, out, false);
}

static reshapec_status messages_text(reshapec *r, void *data) {
  return printed(r, print_messages, 0, data);
}

const char *reshapec_messages_text(reshapec *r) {
  reshapec_bytes bytes = {"", 0};
  guarded(r, messages_text, &bytes);
  return r && r->broken ? r->why : bytes.data;
}

// ---- Graphs

static const Plan *plan_at(const reshapec *r, int graph) {
  return graph >= 0 && graph < r->p.plan.count ? r->p.plan.item[graph] : NULL;
}

int reshapec_graph_count(const reshapec *r) { return r ? r->p.plan.count : 0; }

reshapec_status reshapec_get_graph(reshapec *r, int graph, reshapec_graph *out) {
  const Plan *plan = r && out ? plan_at(r, graph) : NULL;
  if (!plan)
    return RESHAPEC_USAGE;
  *out =
      (reshapec_graph){.name = plan->graph->name,
                       .inputs = plan->graph->input_count,
                       .outputs = plan->output_count,
                       .parameters = plan->signature.parameter.count,
                       .returns_status = plan->signature.returns_status,
                       .shape_parameters = plan->tape ? plan->shape_signature.parameter.count : 0};
  return RESHAPEC_OK;
}

static int dlpack_code(rsh_dtype type) {
  DLDataType element;
  return rsh_dtype_to_dlpack(type, &element) ? element.code : -1;
}

static void describe(reshapec *r, const Graph *graph, const Value *value, reshapec_tensor *out) {
  const rsh_shape shape = value_known_dims(graph, value);
  *out = (reshapec_tensor){.type = rsh_dtype_name(value->dtype),
                           .text = value_text(r->p.arena, graph, value),
                           .bits = rsh_dtype_bits(value->dtype),
                           .is_plain = !value->storage && !value->is_placed,
                           .dlpack_code = dlpack_code(value->dtype),
                           .rank = shape.rank == RSH_RANK_UNKNOWN ? RESHAPEC_OPEN : shape.rank,
                           .alias_of = -1,
                           .in_place_of = -1,
                           .bytes_moved = -1,
                           .why = ""};
  for (int i = 0; i < out->rank; i++)
    out->dim[i] = rsh_is_known(shape.dim[i]) ? shape.dim[i].n : RESHAPEC_OPEN;
}

static reshapec_status get_input(reshapec *r, void *data) {
  const Request *request = data;
  const Plan *plan = plan_at(r, request->graph);
  if (!plan || request->index < 0 || request->index >= plan->graph->input_count)
    return RESHAPEC_USAGE;
  const Value *value = plan->graph->value.item[request->index];
  reshapec_tensor *out = request->out;
  describe(r, plan->graph, value, out);
  out->name = value->name;
  out->align = (int)plan_input_align(value);
  return RESHAPEC_OK;
}

reshapec_status reshapec_get_input(reshapec *r, int graph, int index, reshapec_tensor *out) {
  return guarded_request(r, get_input, (Request){.graph = graph, .index = index, .out = out});
}

static reshapec_tier tier_of(Tier tier) {
  switch (tier) {
  case TIER_ALIAS:
    return RESHAPEC_ALIAS;
  case TIER_STATIC:
    return RESHAPEC_STATIC;
  case TIER_SYMBOLIC:
    return RESHAPEC_SYMBOLIC;
  case TIER_DYNAMIC:
    break;
  }
  return RESHAPEC_DYNAMIC;
}

static reshapec_status get_output(reshapec *r, void *data) {
  const Request *request = data;
  const Plan *plan = plan_at(r, request->graph);
  if (!plan || request->index < 0 || request->index >= plan->output_count)
    return RESHAPEC_USAGE;
  const OutputPlan *output = &plan->output[request->index];
  reshapec_tensor *out = request->out;
  describe(r, plan->graph, output->output->value, out);
  out->name = output->output->name;
  out->align = (int)plan_output_align(output->output);
  out->tier = tier_of(output->tier);
  out->why = output->why ? output->why : "";
  if (output->tier == TIER_ALIAS && output->source)
    out->alias_of = output->source->id;
  if (output->in_place && !plan->tape)
    out->in_place_of = output->in_place->id;
  rsh_num bytes;
  if (output->tier != TIER_DYNAMIC && report_bytes_moved(plan->graph, output, &bytes) &&
      rsh_is_known(bytes))
    out->bytes_moved = bytes.n;
  return RESHAPEC_OK;
}

reshapec_status reshapec_get_output(reshapec *r, int graph, int index, reshapec_tensor *out) {
  return guarded_request(r, get_output, (Request){.graph = graph, .index = index, .out = out});
}

static reshapec_parameter_kind kind_of(const Graph *graph, ParameterKind kind) {
  bool are_tensors = graph_takes_tensors(graph);
  switch (kind) {
  case PARAMETER_SIZE:
    return RESHAPEC_SIZE;
  case PARAMETER_INPUT:
    return are_tensors ? RESHAPEC_TENSOR_IN : RESHAPEC_POINTER_IN;
  case PARAMETER_OUTPUT:
    return are_tensors ? RESHAPEC_TENSOR_OUT : RESHAPEC_POINTER_OUT;
  case PARAMETER_SCRATCH:
    return RESHAPEC_SCRATCH;
  case PARAMETER_DIMS:
    return RESHAPEC_DIMS;
  case PARAMETER_RANK:
    return RESHAPEC_RANK;
  case PARAMETER_PLAN:
    break;
  }
  return RESHAPEC_PLAN;
}

// The signature of the requested function; NULL: the graph has no such function.
static const Signature *requested_signature(const reshapec *r, const Request *request) {
  const Plan *plan = plan_at(r, request->graph);
  bool is_shape = request->entry == ENTRY_SHAPE;
  if (!plan || (is_shape && !plan->tape))
    return NULL;
  return is_shape ? &plan->shape_signature : &plan->signature;
}

static reshapec_status get_parameter(reshapec *r, void *data) {
  const Request *request = data;
  const Plan *plan = plan_at(r, request->graph);
  const Signature *signature = requested_signature(r, request);
  if (!signature || request->index < 0 || request->index >= signature->parameter.count)
    return RESHAPEC_USAGE;
  Parameter parameter = signature->parameter.item[request->index];
  *(reshapec_parameter *)request->out =
      (reshapec_parameter){.kind = kind_of(plan->graph, parameter.kind),
                           .index = parameter.index,
                           .name = parameter_name(r->p.arena, plan->graph, parameter)};
  return RESHAPEC_OK;
}

reshapec_status reshapec_get_parameter(reshapec *r, int graph, int index, reshapec_parameter *out) {
  return guarded_request(r, get_parameter, (Request){.graph = graph, .index = index, .out = out});
}

reshapec_status reshapec_get_shape_parameter(reshapec *r, int graph, int index,
                                             reshapec_parameter *out) {
  return guarded_request(
      r, get_parameter,
      (Request){.graph = graph, .index = index, .out = out, .entry = ENTRY_SHAPE});
}

static void print_view(reshapec *r, int view, FILE *out) {
  switch ((reshapec_view)view) {
  case RESHAPEC_VIEW_TEXT:
    explain_text(&r->p, &r->code, false, out);
    break;
  case RESHAPEC_VIEW_JSON:
    explain_json(&r->p, &r->code, out);
    break;
  case RESHAPEC_VIEW_SVG:
  case RESHAPEC_VIEW_DOT:
    explain_pictures(&r->p, &r->code, view == RESHAPEC_VIEW_SVG, out);
    break;
  case RESHAPEC_VIEW_PLAN:
    pipeline_print_plans(&r->p, &r->code, out);
    break;
  }
}

static reshapec_status explain(reshapec *r, void *data) {
  const Request *request = data;
  if (request->index < RESHAPEC_VIEW_TEXT || request->index > RESHAPEC_VIEW_PLAN)
    return RESHAPEC_USAGE;
  forget_last_call(r);
  if (!emit_has_target(r->p.arena, &r->code, &r->p.diag))
    return status_of(r);
  return printed(r, print_view, request->index, request->out);
}

reshapec_status reshapec_explain(reshapec *r, reshapec_view view, reshapec_bytes *out) {
  return guarded_request(r, explain, (Request){.index = (int)view, .out = out});
}

// ---- Code

typedef struct Emission {
  reshapec_emit_kind kind;
  const char *header_name;
  reshapec_bytes *code, *header;
} Emission;

static bool emit_kind_of(reshapec_emit_kind kind, EmitKind *out) {
  switch (kind) {
  case RESHAPEC_EMIT_OBJECT:
    *out = EMIT_OBJECT;
    return true;
  case RESHAPEC_EMIT_ASM:
    *out = EMIT_ASM;
    return true;
  case RESHAPEC_EMIT_LLVM_IR:
    *out = EMIT_LLVM_IR;
    return true;
  case RESHAPEC_EMIT_BITCODE:
    *out = EMIT_BITCODE;
    return true;
  case RESHAPEC_EMIT_C:
    *out = EMIT_C;
    return true;
  }
  return false;
}

// The status if nothing was read, or if it has errors; else RESHAPEC_OK.
static reshapec_status unready(reshapec *r) {
  forget_last_call(r);
  return !r->is_read ? RESHAPEC_USAGE : status_of(r);
}

static reshapec_status emit(reshapec *r, void *data) {
  const Emission *e = data;
  Pipeline *p = &r->p;
  EmitKind kind;
  reshapec_status status = unready(r);
  if (status != RESHAPEC_OK)
    return status;
  if (!emit_kind_of(e->kind, &kind) || !e->code ||
      (e->header && (!e->header_name || !can_include(e->header_name))))
    return RESHAPEC_USAGE;
  EmitOptions options = r->code;
  options.header = e->header ? e->header_name : NULL;
  Bytes code;
  if (!pipeline_can_emit(p) || !pipeline_emit(p, &options, kind, &code))
    return status_of(r);
  *e->code = (reshapec_bytes){code.data, code.size};
  if (e->header) {
    Bytes header = pipeline_header(p, &r->code, e->header_name);
    *e->header = (reshapec_bytes){header.data, header.size};
  }
  return RESHAPEC_OK;
}

reshapec_status reshapec_emit(reshapec *r, reshapec_emit_kind kind, const char *header_name,
                              reshapec_bytes *code, reshapec_bytes *header) {
  return guarded(r, emit, &(Emission){kind, header_name, code, header});
}

// Compiles to memory, unless the code exists already.
static reshapec_status make_code(reshapec *r) {
  Pipeline *p = &r->p;
  reshapec_status status = unready(r);
  if (status != RESHAPEC_OK)
    return status;
  if (r->code.triple)
    return RESHAPEC_USAGE;
  if (!r->jit && pipeline_can_emit(p))
    r->jit = jit_new(p->arena, p->plan.item, p->plan.count, &r->code, &p->diag);
  return r->jit ? RESHAPEC_OK : status_of(r);
}

static reshapec_status load(reshapec *r, void *data) {
  const Request *request = data;
  Pipeline *p = &r->p;
  const Plan *plan = plan_at(r, request->graph);
  reshapec_status status = unready(r);
  if (status != RESHAPEC_OK)
    return status;
  if (!requested_signature(r, request))
    return RESHAPEC_USAGE;
  status = make_code(r);
  if (status != RESHAPEC_OK)
    return status;
  const char *name = plan->graph->name;
  void *function = jit_find(r->jit, name, request->entry);
  if (!function) {
    diag_error_file(&p->diag, "internal", "no code was generated for graph '%s'",
                    plan->graph->name);
    return RESHAPEC_INTERNAL;
  }
  memcpy(request->out, &function, sizeof function); // ISO C does not convert between these pointers
  return RESHAPEC_OK;
}

reshapec_status reshapec_load(reshapec *r, int graph, reshapec_kernel **out) {
  return guarded_request(r, load, (Request){.graph = graph, .out = out});
}

reshapec_status reshapec_load_shape(reshapec *r, int graph, reshapec_kernel **out) {
  return guarded_request(r, load, (Request){.graph = graph, .out = out, .entry = ENTRY_SHAPE});
}

typedef struct Tasks {
  int graph;
  reshapec_kernel **count, **task;
} Tasks;

static reshapec_status load_tasks(reshapec *r, void *data) {
  const Tasks *tasks = data;
  const Plan *plan = plan_at(r, tasks->graph);
  reshapec_status status = unready(r);
  if (status != RESHAPEC_OK)
    return status;
  if (!plan || !r->code.parallel || !tasks->count || !tasks->task || plan->tape)
    return RESHAPEC_USAGE;
  status =
      load(r, &(Request){.graph = tasks->graph, .out = tasks->count, .entry = ENTRY_TASK_COUNT});
  return status != RESHAPEC_OK
             ? status
             : load(r, &(Request){.graph = tasks->graph, .out = tasks->task, .entry = ENTRY_TASK});
}

reshapec_status reshapec_load_tasks(reshapec *r, int graph, reshapec_kernel **count,
                                    reshapec_kernel **task) {
  return guarded(r, load_tasks, &(Tasks){graph, count, task});
}

// ---- Saved code

// The header before the object: its key and its hash.
typedef struct KeptHead {
  char magic[16], key[64], object[64];
} KeptHead;
static const char kept_magic[16] = "reshapec code\n1\n";

static reshapec_status get_key(reshapec *r, void *data) {
  const char **out = data;
  reshapec_status status = unready(r);
  if (status != RESHAPEC_OK)
    return status;
  if (r->code.triple)
    return RESHAPEC_USAGE;
  *out = pipeline_key(&r->p, &r->code);
  return RESHAPEC_OK;
}

reshapec_status reshapec_get_key(reshapec *r, const char **out) {
  return out ? guarded(r, get_key, out) : RESHAPEC_USAGE;
}

static reshapec_status save(reshapec *r, void *data) {
  reshapec_bytes *out = data;
  const char *key;
  char hash[65];
  reshapec_status status = get_key(r, &key);
  if (status != RESHAPEC_OK)
    return status;
  if (!key)
    return RESHAPEC_USAGE;
  status = make_code(r);
  if (status != RESHAPEC_OK)
    return status;
  Bytes object = jit_object(r->jit);
  KeptHead head;
  sha256_text(object.data, object.size, hash);
  memcpy(head.magic, kept_magic, sizeof head.magic);
  memcpy(head.key, key, sizeof head.key);
  memcpy(head.object, hash, sizeof head.object);
  char *bytes = arena_alloc(r->p.arena, sizeof head + object.size);
  memcpy(bytes, &head, sizeof head);
  memcpy(bytes + sizeof head, object.data, object.size);
  *out = (reshapec_bytes){bytes, sizeof head + object.size};
  return RESHAPEC_OK;
}

reshapec_status reshapec_save(reshapec *r, reshapec_bytes *out) {
  return out ? guarded(r, save, out) : RESHAPEC_USAGE;
}

// Finds the object in `bytes`. False: they are damaged, or have another key.
static bool open_kept(const reshapec_bytes *bytes, const char *key, Bytes *object) {
  KeptHead head;
  char hash[65];
  if (!bytes->data || bytes->size <= sizeof head)
    return false;
  memcpy(&head, bytes->data, sizeof head);
  *object = (Bytes){bytes->data + sizeof head, bytes->size - sizeof head};
  sha256_text(object->data, object->size, hash);
  return memcmp(head.magic, kept_magic, sizeof head.magic) == 0 &&
         memcmp(head.key, key, sizeof head.key) == 0 &&
         memcmp(head.object, hash, sizeof head.object) == 0;
}

static reshapec_status restore(reshapec *r, void *data) {
  Pipeline *p = &r->p;
  const char *key;
  Bytes object;
  reshapec_status status = get_key(r, &key);
  if (status != RESHAPEC_OK || r->jit)
    return status;
  if (!key || !open_kept(data, key, &object))
    return RESHAPEC_USAGE;
  object.data = arena_text(p->arena, object.data, object.size);
  r->jit = jit_restore(p->arena, p->plan.item, p->plan.count, &r->code, object, &p->diag);
  return r->jit ? RESHAPEC_OK : status_of(r);
}

reshapec_status reshapec_restore(reshapec *r, const void *bytes, size_t size) {
  return guarded(r, restore, &(reshapec_bytes){bytes, size});
}

// ---- Calls

typedef struct Binding {
  int graph;
  const reshapec_shape *inputs;
  reshapec_argument *arguments;
  reshapec_shape *outputs;
  int64_t *offset_bytes, *scratch_bytes;
} Binding;

static bool eval_output(const Sizes *sizes, const OutputPlan *output, reshapec_shape *shape,
                        int64_t *offset) {
  const Graph *graph = sizes->graph;
  const rsh_shape dims = *value_dims(output->output->value);
  bool fits = true;
  shape->rank = dims.rank;
  for (int k = 0; k < dims.rank; k++)
    fits = sizes_eval(sizes, graph, dims.dim[k], &shape->dim[k]) && fits;
  if (offset) {
    *offset = 0;
    int bits = plan_element_bits(output->output->value->dtype);
    if ((output->tier == TIER_ALIAS && output->source) || output->in_place)
      fits = sizes_eval(sizes, graph, output->offset, offset) && fits;
    if (bits < 8)
      *offset /= 8 / bits;
    else
      fits = !__builtin_mul_overflow(*offset, bits / 8, offset) && fits;
  }
  return fits;
}

// Callers may bind any number of shapes to a handle, so the memory of the last call is freed.
static Arena *new_temporary(reshapec *r) {
  forget_last_call(r);
  arena_free(r->temporary);
  r->temporary = NULL;
  r->temporary = arena_new_from(r->memory.allocate ? &r->memory : NULL);
  return r->temporary;
}

static bool is_shape(const reshapec_shape *shape) {
  bool is_one = shape->rank >= 0 && shape->rank <= RESHAPEC_MAX_RANK;
  for (int k = 0; is_one && k < shape->rank; k++)
    is_one = shape->dim[k] >= 0;
  return is_one;
}

static reshapec_status bind(reshapec *r, void *data) {
  const Binding *b = data;
  const Plan *plan = plan_at(r, b->graph);
  if (!plan || (!b->inputs && plan->graph->input_count > 0) || !b->arguments || !b->outputs ||
      !b->scratch_bytes)
    return RESHAPEC_USAGE;
  Arena *arena = new_temporary(r);
  const Graph *graph = plan->graph;
  Npy *in = ARENA_ARRAY(arena, Npy, graph->input_count + 1);
  const char **path = ARENA_ARRAY(arena, const char *, graph->input_count + 1);
  for (int i = 0; i < graph->input_count; i++) {
    if (!is_shape(&b->inputs[i])) {
      diag_error_file(&r->p.diag, "rank_limit",
                      "argument %d: ranks are from 0 to %d, and sizes are not below 0", i + 1,
                      RESHAPEC_MAX_RANK);
      return RESHAPEC_INPUT;
    }
    in[i].dtype = graph->value.item[i]->dtype;
    in[i].rank = b->inputs[i].rank;
    memcpy(in[i].dim, b->inputs[i].dim, sizeof in[i].dim);
    path[i] = arena_printf(arena, "argument %d", i + 1);
  }
  Sizes sizes = {.arena = arena, .graph = graph, .in = in, .path = path};
  if (!sizes_bind(&sizes)) {
    diag_error_file(&r->p.diag, "bad_dim", "%s", sizes.error);
    return RESHAPEC_INPUT;
  }
  for (int i = 0; i < plan->signature.parameter.count; i++)
    if (plan->signature.parameter.item[i].kind == PARAMETER_SIZE)
      b->arguments[i].size = sizes.value[plan->signature.parameter.item[i].index];
  bool fits = true;
  if (plan->tape) {
    for (int k = 0; k < plan->output_count; k++)
      b->outputs[k].rank = RESHAPEC_OPEN;
    *b->scratch_bytes = plan->tape->plan_bytes;
    return RESHAPEC_OK;
  }
  for (int k = 0; k < plan->output_count; k++)
    fits = eval_output(&sizes, &plan->output[k], &b->outputs[k],
                       b->offset_bytes ? &b->offset_bytes[k] : NULL) &&
           fits;
  const Variant *variant = sizes_variant(&sizes);
  const Plan *used = variant ? plan->variant[variant - graph->variant.item] : plan;
  *b->scratch_bytes = 0;
  if (used)
    fits = sizes_eval(&sizes, used->graph, used->scratch_bytes, b->scratch_bytes) && fits;
  if (!fits)
    diag_error_file(&r->p.diag, "overflow", "%s do not fit 64 bits", sizes_text(&sizes));
  return fits ? RESHAPEC_OK : RESHAPEC_INPUT;
}

reshapec_status reshapec_bind(reshapec *r, int graph, const reshapec_shape *inputs,
                              reshapec_argument *arguments, reshapec_shape *outputs,
                              int64_t *offset_bytes, int64_t *scratch_bytes) {
  return guarded(r, bind,
                 &(Binding){graph, inputs, arguments, outputs, offset_bytes, scratch_bytes});
}

static bool is_status(int status) { return status >= 0 && status < RSH_STATUS_COUNT; }

const char *reshapec_call_status_name(int status) {
  return is_status(status) ? rsh_status_name((rsh_status)status) : NULL;
}

const char *reshapec_call_status_text(int status) {
  return is_status(status) ? rsh_status_string((rsh_status)status) : NULL;
}
