// RUN: %{cc} %{cflags} %s -o %t %{libs} && %t
//
// One handle from a text to everything that can be asked of it: messages, tensors, code, a kernel in this process.
#include "include/reshapec.h"

#include <assert.h>
#include <string.h>

static const char swap[] = "graph swap(x: u8[N, 4]) -> (y, top: u8[1, 4]) where N >= 1 {\n"
                           "  y = x |> reshape([-1, 2, 2]) |> transpose([0, 2, 1])\n"
                           "  top = x[:1]\n"
                           "}\n";

static reshapec *read(const char *text, reshapec_status expected) {
  reshapec *r = NULL;
  assert(reshapec_open(NULL, NULL, &r) == RESHAPEC_OK);
  assert(reshapec_read_text(r, "swap.rsh", text, strlen(text)) == expected);
  return r;
}

static void test_messages(void) {
  reshapec *r = read("graph f(x: f32[2]) -> y {\n  y = transpos(x)\n}\n", RESHAPEC_INPUT);
  reshapec_message message;
  assert(reshapec_message_count(r) >= 1);
  assert(reshapec_get_message(r, 0, &message) == RESHAPEC_OK);
  assert(message.severity == RESHAPEC_ERROR && strcmp(message.kind, "unknown_name") == 0);
  assert(strcmp(message.file, "swap.rsh") == 0 && message.line == 2 && message.column == 7);
  assert(message.end_line == 2 && message.end_column == 15);
  assert(strstr(reshapec_messages_text(r), "\n      ^~~~~~~~\n"));
  assert(reshapec_get_message(r, 1000, &message) == RESHAPEC_USAGE);
  reshapec_bytes code;
  assert(reshapec_emit(r, RESHAPEC_EMIT_OBJECT, NULL, &code, NULL) == RESHAPEC_INPUT);
  reshapec_close(r);
}

static void test_tensors(void) {
  reshapec *r = read(swap, RESHAPEC_OK);
  reshapec_graph graph;
  reshapec_tensor x, y, top;
  assert(reshapec_graph_count(r) == 1 && reshapec_get_graph(r, 0, &graph) == RESHAPEC_OK);
  assert(strcmp(graph.name, "swap") == 0 && graph.inputs == 1 && graph.outputs == 2);
  assert(graph.parameters == 4 && graph.returns_status);
  assert(reshapec_get_graph(r, 1, &graph) == RESHAPEC_USAGE);
  assert(reshapec_get_input(r, 0, 0, &x) == RESHAPEC_OK);
  assert(strcmp(x.text, "u8[N, 4]") == 0 && strcmp(x.type, "u8") == 0 && x.bits == 8);
  assert(x.is_plain && x.rank == 2 && x.dim[0] == RESHAPEC_OPEN && x.dim[1] == 4);
  assert(reshapec_get_output(r, 0, 0, &y) == RESHAPEC_OK && y.tier == RESHAPEC_SYMBOLIC);
  assert(reshapec_get_output(r, 0, 1, &top) == RESHAPEC_OK && top.tier == RESHAPEC_ALIAS);
  assert(top.alias_of == 0 && top.bytes_moved == 0);
  reshapec_parameter parameter;
  static const reshapec_parameter_kind kind[] = {RESHAPEC_SIZE, RESHAPEC_POINTER_IN,
                                                 RESHAPEC_POINTER_OUT, RESHAPEC_POINTER_OUT};
  for (int i = 0; i < 4; i++)
    assert(reshapec_get_parameter(r, 0, i, &parameter) == RESHAPEC_OK && parameter.kind == kind[i]);
  reshapec_bytes text;
  assert(reshapec_explain(r, RESHAPEC_VIEW_TEXT, &text) == RESHAPEC_OK);
  assert(strncmp(text.data, "graph swap(x: u8[N, 4])", 23) == 0 && strlen(text.data) == text.size);
  assert(reshapec_explain(r, RESHAPEC_VIEW_JSON, &text) == RESHAPEC_OK && text.data[0] == '{');
  assert(reshapec_explain(r, RESHAPEC_VIEW_SVG, &text) == RESHAPEC_OK);
  assert(strncmp(text.data, "<svg", 4) == 0);
  reshapec_close(r);
}

static void test_alignment(void) {
  reshapec *r =
      read("graph f(x: f32[N], z: c64[2], d: u8[8] align 4) -> (y: f32[N] align 64, w, v) "
           "{ y = flip(x, [0])\n w = flip(z, [0])\n v = flip(d, [0]) }",
           RESHAPEC_OK);
  static const int in[] = {4, 4, 4}, out[] = {64, 4, 1};
  reshapec_tensor t;
  for (int i = 0; i < 3; i++) {
    assert(reshapec_get_input(r, 0, i, &t) == RESHAPEC_OK && t.align == in[i]);
    assert(reshapec_get_output(r, 0, i, &t) == RESHAPEC_OK && t.align == out[i]);
  }
  reshapec_close(r);
}

static void test_code(void) {
  reshapec *r = read(swap, RESHAPEC_OK);
  reshapec_bytes object, again, c, header;
  assert(reshapec_emit(r, RESHAPEC_EMIT_OBJECT, NULL, &object, NULL) == RESHAPEC_OK);
  assert(memcmp(object.data, "\177ELF", 4) == 0);
  assert(reshapec_emit(r, RESHAPEC_EMIT_OBJECT, NULL, &again, NULL) == RESHAPEC_OK);
  assert(again.size == object.size && memcmp(again.data, object.data, object.size) == 0);
  assert(reshapec_emit(r, RESHAPEC_EMIT_C, "swap.h", &c, &header) == RESHAPEC_OK);
  assert(strstr(c.data, "#include \"swap.h\"") && strstr(header.data, "#ifndef SWAP_H"));
  reshapec_close(r);
}

static void test_kernel(void) {
  reshapec *r = read(swap, RESHAPEC_OK);
  reshapec_kernel *kernel;
  assert(reshapec_load(r, 1, &kernel) == RESHAPEC_USAGE);
  assert(reshapec_load(r, 0, &kernel) == RESHAPEC_OK);
  const reshapec_shape shape = {2, {2, 4}}, wrong = {2, {2, 3}};
  reshapec_argument argument[4];
  reshapec_shape result[2];
  int64_t offset[2], scratch;
  assert(reshapec_bind(r, 0, &wrong, argument, result, offset, &scratch) == RESHAPEC_INPUT);
  assert(reshapec_bind(r, 0, &shape, argument, result, offset, &scratch) == RESHAPEC_OK);
  assert(argument[0].size == 2 && scratch == 0 && offset[1] == 0);
  assert(result[0].rank == 3 && result[0].dim[0] == 2 && result[0].dim[1] == 2);
  const uint8_t x[] = {0, 1, 2, 3, 4, 5, 6, 7}, expected[] = {0, 2, 1, 3, 4, 6, 5, 7};
  uint8_t y[8], top[4];
  argument[1].input = x, argument[2].output = y, argument[3].output = top;
  assert(kernel(argument) == 0 && memcmp(y, expected, 8) == 0 && memcmp(top, x, 4) == 0);
  argument[0].size = 0; // where N >= 1
  int status = kernel(argument);
  assert(strcmp(reshapec_call_status_name(status), "guard_failed") == 0);
  reshapec_close(r);
}

// Names of functions and macros start with a prefix, names of graphs do not.
static void test_prefix(void) {
  reshapec *r;
  reshapec_bytes code, header;
  reshapec_graph graph;
  reshapec_kernel *kernel;
  assert(reshapec_open(&(reshapec_options){.prefix = "3d"}, NULL, &r) == RESHAPEC_USAGE && !r);
  assert(reshapec_open(&(reshapec_options){.prefix = "cam_"}, NULL, &r) == RESHAPEC_OK);
  assert(reshapec_read_text(r, "a", swap, strlen(swap)) == RESHAPEC_OK);
  assert(reshapec_get_graph(r, 0, &graph) == RESHAPEC_OK && !strcmp(graph.name, "swap"));
  assert(reshapec_emit(r, RESHAPEC_EMIT_C, "a.h", &code, &header) == RESHAPEC_OK);
  assert(strstr(header.data, " cam_swap(") && strstr(header.data, " CAM_SWAP_Y_BYTES"));
  assert(strstr(header.data, "#ifndef CAM_A_H") && strstr(code.data, " cam_swap("));
  assert(reshapec_load(r, 0, &kernel) == RESHAPEC_OK);
  reshapec_close(r);
}

static void test_wrong_calls(void) {
  reshapec *r;
  reshapec_bytes code;
  assert(reshapec_open(&(reshapec_options){.level = '9'}, NULL, &r) == RESHAPEC_USAGE && !r);
  assert(reshapec_open(&(reshapec_options){.target = "toaster"}, NULL, &r) == RESHAPEC_OK);
  assert(reshapec_emit(r, RESHAPEC_EMIT_OBJECT, NULL, &code, NULL) == RESHAPEC_USAGE);
  assert(reshapec_read_text(r, "a", swap, strlen(swap)) == RESHAPEC_OK);
  assert(reshapec_read_text(r, "b", swap, strlen(swap)) == RESHAPEC_USAGE);
  assert(reshapec_emit(r, RESHAPEC_EMIT_OBJECT, NULL, &code, NULL) == RESHAPEC_INPUT);
  reshapec_message message;
  assert(reshapec_get_message(r, 0, &message) == RESHAPEC_OK &&
         !strcmp(message.kind, "bad_target"));
  reshapec_close(r);
  reshapec_close(NULL);
}

int main(void) {
  test_messages();
  test_tensors();
  test_alignment();
  test_code();
  test_kernel();
  test_prefix();
  test_wrong_calls();
}
