// RUN: %{cc} %{cflags} %s -o %t %{libs} && %t
//
// Graphs with shapes known only at run time: one function gives the shapes of the results, the other the results.
#include "include/reshapec.h"
#include "runtime/dlpack.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { INT = 0, FLOAT = 2 }; // codes of DLPack

static reshapec *read(const char *text) {
  reshapec *r = NULL;
  assert(reshapec_open(NULL, NULL, &r) == RESHAPEC_OK);
  assert(reshapec_read_text(r, "a.rsh", text, strlen(text)) == RESHAPEC_OK);
  return r;
}

// A target that is data.
static void test_target(void) {
  reshapec *r = read("graph g(x: u8[N, 4], s: i64[2]) -> y { y = reshape(x, s) |> transpose() }");
  reshapec_graph graph;
  reshapec_kernel *run, *shape;
  assert(reshapec_get_graph(r, 0, &graph) == RESHAPEC_OK);
  assert(graph.parameters == 6 && graph.shape_parameters == 3 && graph.returns_status);
  static const reshapec_parameter_kind kinds[] = {RESHAPEC_SIZE,       RESHAPEC_POINTER_IN,
                                                  RESHAPEC_POINTER_IN, RESHAPEC_POINTER_OUT,
                                                  RESHAPEC_DIMS,       RESHAPEC_PLAN};
  static const reshapec_parameter_kind of_shape[] = {RESHAPEC_SIZE, RESHAPEC_POINTER_IN,
                                                     RESHAPEC_DIMS};
  reshapec_parameter parameter;
  for (int i = 0; i < 6; i++)
    assert(reshapec_get_parameter(r, 0, i, &parameter) == RESHAPEC_OK &&
           parameter.kind == kinds[i]);
  for (int i = 0; i < 3; i++)
    assert(reshapec_get_shape_parameter(r, 0, i, &parameter) == RESHAPEC_OK &&
           parameter.kind == of_shape[i]);
  assert(parameter.index == 0);
  assert(reshapec_get_shape_parameter(r, 0, 1, &parameter) == RESHAPEC_OK && parameter.index == 1);
  assert(reshapec_get_shape_parameter(r, 0, 3, &parameter) == RESHAPEC_USAGE);
  assert(reshapec_load(r, 0, &run) == RESHAPEC_OK);
  assert(reshapec_load_shape(r, 0, &shape) == RESHAPEC_OK);
  const reshapec_shape inputs[] = {{2, {3, 4}}, {1, {2}}};
  reshapec_argument argument[6], asked[3];
  reshapec_shape result;
  int64_t plan_bytes;
  assert(reshapec_bind(r, 0, inputs, argument, &result, NULL, &plan_bytes) == RESHAPEC_OK);
  assert(argument[0].size == 3 && result.rank == RESHAPEC_OPEN && plan_bytes > 0);
  uint8_t x[12], y[12];
  int64_t target[2] = {2, -1};
  for (int i = 0; i < 12; i++)
    x[i] = (uint8_t)i;
  asked[0] = argument[0], asked[1].input = target, asked[2].output = result.dim;
  void *plan = calloc(1, (size_t)plan_bytes);
  argument[1].input = x, argument[2].input = target, argument[3].output = y;
  argument[4].output = NULL, argument[5].output = plan;
  for (int n = 2; n <= 3; n++) {
    target[0] = n;
    assert(shape(asked) == 0 && result.dim[0] == 12 / n && result.dim[1] == n);
    assert(run(argument) == 0);
    for (int i = 0; i < 12; i++)
      assert(y[i] == i % n * (12 / n) + i / n);
  }
  target[0] = 5;
  assert(strcmp(reshapec_call_status_name(shape(asked)), "not_divisible") == 0);
  free(plan);
  reshapec_close(r);
}

// Tensors of any rank, indexed by a tensor.
static void test_tensors(void) {
  reshapec *r = read("graph g(x: f32[*], i: i64[*]) -> y { y = gather(x, i) }");
  reshapec_kernel *run, *shape;
  reshapec_tensor x, y;
  assert(reshapec_get_input(r, 0, 0, &x) == RESHAPEC_OK && x.rank == RESHAPEC_OPEN);
  assert(x.dlpack_code == FLOAT && x.bits == 32 && x.is_plain);
  assert(reshapec_get_output(r, 0, 0, &y) == RESHAPEC_OK && y.tier == RESHAPEC_DYNAMIC);
  assert(reshapec_load(r, 0, &run) == RESHAPEC_OK &&
         reshapec_load_shape(r, 0, &shape) == RESHAPEC_OK);
  reshapec_parameter parameter;
  assert(reshapec_get_parameter(r, 0, 0, &parameter) == RESHAPEC_OK &&
         parameter.kind == RESHAPEC_TENSOR_IN);
  assert(reshapec_get_parameter(r, 0, 2, &parameter) == RESHAPEC_OK &&
         parameter.kind == RESHAPEC_TENSOR_OUT);
  const reshapec_shape inputs[] = {{2, {3, 2}}, {1, {2}}};
  reshapec_argument argument[4];
  reshapec_shape result;
  int64_t plan_bytes, dims[2] = {3, 2}, count = 2, index[2] = {-1, 0};
  assert(reshapec_bind(r, 0, inputs, argument, &result, NULL, &plan_bytes) == RESHAPEC_OK);
  float data[6] = {0, 1, 2, 3, 4, 5}, out[4];
  DLTensor table = {.data = data, .ndim = 2, .dtype = {FLOAT, 32, 1}, .shape = dims};
  DLTensor indices = {.data = index, .ndim = 1, .dtype = {INT, 64, 1}, .shape = &count};
  DLTensor picked = {.data = out, .dtype = {FLOAT, 32, 1}, .shape = result.dim};
  table.device.device_type = indices.device.device_type = picked.device.device_type = kDLCPU;
  reshapec_argument asked[4] = {
      {.input = &table}, {.input = &indices}, {.output = result.dim}, {.output = &result.rank}};
  assert(shape(asked) == 0 && result.rank == 2 && result.dim[0] == 2 && result.dim[1] == 2);
  picked.ndim = result.rank;
  argument[0].input = &table, argument[1].input = &indices, argument[2].output = &picked;
  argument[3].output = calloc(1, (size_t)plan_bytes);
  assert(run(argument) == 0 && out[0] == 4 && out[1] == 5 && out[2] == 0 && out[3] == 1);
  index[1] = 3;
  assert(strcmp(reshapec_call_status_name(run(argument)), "bad_index") == 0);
  free(argument[3].output);
  reshapec_close(r);
}

// A graph that is not dynamic has no such function.
static void test_static(void) {
  reshapec *r = read("graph g(x: u8[2, 4]) -> y { y = transpose(x) }");
  reshapec_graph graph;
  reshapec_kernel *shape;
  reshapec_parameter parameter;
  assert(reshapec_get_graph(r, 0, &graph) == RESHAPEC_OK && graph.shape_parameters == 0);
  assert(reshapec_load_shape(r, 0, &shape) == RESHAPEC_USAGE);
  assert(reshapec_get_shape_parameter(r, 0, 0, &parameter) == RESHAPEC_USAGE);
  reshapec_close(r);
}

int main(void) {
  test_target();
  test_tensors();
  test_static();
  return 0;
}
