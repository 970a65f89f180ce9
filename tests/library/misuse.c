// RUN: %{cc} %{cflags} %s -o %t %{libs} && %t
//
// Calls without the pointers that they need, with sizes below 0, and with numbers that no enumeration has, are
// RESHAPEC_USAGE; shapes that are none are RESHAPEC_INPUT. The handle works afterwards.
#include "include/reshapec.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static void *allocate(void *user, size_t bytes) {
  (void)user;
  return malloc(bytes);
}

static const char text[] = "graph g(x: u8[N, 4]) -> y { y = transpose(x) }";

static void opens(void) {
  reshapec *r;
  assert(reshapec_open(NULL, NULL, NULL) == RESHAPEC_USAGE);
  assert(reshapec_open(NULL, &(reshapec_allocator){.allocate = allocate}, &r) == RESHAPEC_USAGE);
  assert(!r);
}

static void reads(reshapec *r) {
  assert(reshapec_read_text(r, NULL, text, strlen(text)) == RESHAPEC_USAGE);
  assert(reshapec_read_text(r, "g.rsh", NULL, 1) == RESHAPEC_USAGE);
  assert(reshapec_read_onnx(r, NULL, text, strlen(text)) == RESHAPEC_USAGE);
  assert(reshapec_read_onnx(r, "g.onnx", NULL, 1) == RESHAPEC_USAGE);
  assert(reshapec_read_openvino(r, NULL, text, strlen(text), NULL, 0) == RESHAPEC_USAGE);
  assert(reshapec_read_openvino(r, "g.xml", NULL, 1, NULL, 0) == RESHAPEC_USAGE);
  assert(reshapec_read_openvino(r, "g.xml", text, strlen(text), NULL, 1) == RESHAPEC_USAGE);
  assert(reshapec_read_text(r, "g.rsh", text, (size_t)-1) == RESHAPEC_USAGE);
  assert(reshapec_read_onnx(r, "g.onnx", text, (size_t)-1) == RESHAPEC_USAGE);
  assert(reshapec_read_openvino(r, "g.xml", text, strlen(text), text, (size_t)-1) ==
         RESHAPEC_USAGE);
  assert(reshapec_message_count(r) == 0);
}

static void describes(reshapec *r) {
  reshapec_bytes bytes;
  assert(reshapec_get_message(r, 0, NULL) == RESHAPEC_USAGE);
  assert(reshapec_get_graph(r, 0, NULL) == RESHAPEC_USAGE);
  assert(reshapec_get_input(r, 0, 0, NULL) == RESHAPEC_USAGE);
  assert(reshapec_get_output(r, 0, 0, NULL) == RESHAPEC_USAGE);
  assert(reshapec_get_parameter(r, 0, 0, NULL) == RESHAPEC_USAGE);
  assert(reshapec_get_shape_parameter(r, 0, 0, NULL) == RESHAPEC_USAGE);
  assert(reshapec_explain(r, RESHAPEC_VIEW_TEXT, NULL) == RESHAPEC_USAGE);
  assert(reshapec_explain(r, (reshapec_view)9, &bytes) == RESHAPEC_USAGE);
}

static void makes_code(reshapec *r) {
  reshapec_bytes bytes;
  reshapec_kernel *kernel;
  assert(reshapec_emit(r, RESHAPEC_EMIT_C, NULL, NULL, NULL) == RESHAPEC_USAGE);
  assert(reshapec_emit(r, RESHAPEC_EMIT_C, NULL, &bytes, &bytes) == RESHAPEC_USAGE);
  assert(reshapec_emit(r, RESHAPEC_EMIT_C, "a\"b.h", &bytes, &bytes) == RESHAPEC_USAGE);
  assert(reshapec_emit(r, (reshapec_emit_kind)9, NULL, &bytes, NULL) == RESHAPEC_USAGE);
  assert(reshapec_load(r, 0, NULL) == RESHAPEC_USAGE);
  assert(reshapec_load_shape(r, 0, NULL) == RESHAPEC_USAGE);
  assert(reshapec_load_tasks(r, 0, NULL, &kernel) == RESHAPEC_USAGE);
  assert(reshapec_load_tasks(r, 0, &kernel, NULL) == RESHAPEC_USAGE);
  assert(reshapec_get_key(r, NULL) == RESHAPEC_USAGE);
  assert(reshapec_save(r, NULL) == RESHAPEC_USAGE);
  assert(reshapec_restore(r, NULL, 1000) == RESHAPEC_USAGE);
}

static void binds(reshapec *r) {
  reshapec_shape x = {2, {3, 4}}, y;
  reshapec_argument argument[3];
  int64_t scratch;
  assert(reshapec_bind(r, 0, NULL, argument, &y, NULL, &scratch) == RESHAPEC_USAGE);
  assert(reshapec_bind(r, 0, &x, NULL, &y, NULL, &scratch) == RESHAPEC_USAGE);
  assert(reshapec_bind(r, 0, &x, argument, NULL, NULL, &scratch) == RESHAPEC_USAGE);
  assert(reshapec_bind(r, 0, &x, argument, &y, NULL, NULL) == RESHAPEC_USAGE);
  static const reshapec_shape none[] = {
      {17, {1}}, {-1, {1}}, {INT_MAX, {1}}, {2, {-1, 4}}, {2, {INT64_MIN, 4}}};
  for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
    assert(reshapec_bind(r, 0, &none[i], argument, &y, NULL, &scratch) == RESHAPEC_INPUT);
    assert(strstr(reshapec_messages_text(r), "argument 1: ranks are from 0 to 16"));
  }
  assert(reshapec_bind(r, 0, &x, argument, &y, NULL, &scratch) == RESHAPEC_OK);
  assert(argument[0].size == 3 && y.rank == 2 && y.dim[0] == 4 && y.dim[1] == 3);
}

// What LLVM says of a processor is the message of every call that needs to know it.
static void explains_for_no_processor(void) {
  reshapec *r;
  reshapec_bytes bytes;
  reshapec_options options = {.cpu = "bogus", .abi = "bogus"};
#ifdef __SANITIZE_ADDRESS__
  options.abi = NULL; // LLVM leaks if it fails, as it does for this ABI
#endif
  assert(reshapec_open(&options, NULL, &r) == RESHAPEC_OK);
  assert(reshapec_read_text(r, "g.rsh", text, strlen(text)) == RESHAPEC_OK);
  for (int view = RESHAPEC_VIEW_TEXT; view <= RESHAPEC_VIEW_PLAN; view++)
    assert(reshapec_explain(r, (reshapec_view)view, &bytes) == RESHAPEC_INPUT);
  assert(strstr(reshapec_messages_text(r), "'bogus' is not a recognized processor"));
  reshapec_close(r);
}

int main(void) {
  reshapec_options options = {.parallel = 1};
  reshapec *r;
  opens();
  explains_for_no_processor();
  assert(reshapec_open(&options, NULL, &r) == RESHAPEC_OK);
  reads(r);
  assert(reshapec_read_text(r, "g.rsh", text, strlen(text)) == RESHAPEC_OK);
  describes(r);
  makes_code(r);
  binds(r);
  reshapec_close(r);
  return 0;
}
