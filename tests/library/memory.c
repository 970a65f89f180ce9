// RUN: %{cc} %{cflags} %s -o %t %{libs} && %t %{root}/examples/*/*.rsh %{root}/tests/cross/Inputs/*.rsh %{root}/tests/verify/*.rsh %{root}/tests/lower/*.rsh
//
// An allocator that refuses its n-th call, for every n of a compile of each file, 2,000 in all (400 under sanitizers):
// each library call ends with a status, and returns all of its memory.
#include "include/reshapec.h"
#include "../support/refusing.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __SANITIZE_ADDRESS__
enum { LEAST_REFUSED = 400 };
#else
enum { LEAST_REFUSED = 2000 };
#endif
enum {
  MOST_OPERANDS = 64,
  MOST_ARGUMENTS = 256,
  MOST_TEXT = 1 << 16,
  ENOUGH = LEAST_REFUSED + LEAST_REFUSED / 20
};

static size_t read_file(const char *path, char *text) {
  FILE *file = fopen(path, "rb");
  assert(file);
  size_t size = fread(text, 1, MOST_TEXT, file);
  assert(fclose(file) == 0 && size < MOST_TEXT);
  return size;
}

// Inputs whose open sizes are 2. Not all graphs accept them.
static reshapec_status bind(reshapec *r, int g) {
  reshapec_graph graph;
  reshapec_tensor tensor;
  static reshapec_shape in[MOST_OPERANDS], out[MOST_OPERANDS];
  static reshapec_argument argument[MOST_ARGUMENTS];
  int64_t scratch;
  reshapec_status status = reshapec_get_graph(r, g, &graph);
  if (status != RESHAPEC_OK)
    return status;
  assert(graph.inputs <= MOST_OPERANDS && graph.outputs <= MOST_OPERANDS &&
         graph.parameters <= MOST_ARGUMENTS);
  for (int i = 0; i < graph.inputs; i++) {
    status = reshapec_get_input(r, g, i, &tensor);
    if (status != RESHAPEC_OK)
      return status;
    in[i].rank = tensor.rank == RESHAPEC_OPEN ? 2 : tensor.rank;
    for (int k = 0; k < in[i].rank; k++)
      in[i].dim[k] = tensor.rank == RESHAPEC_OPEN || tensor.dim[k] < 0 ? 2 : tensor.dim[k];
  }
  status = reshapec_bind(r, g, in, argument, out, NULL, &scratch);
  return status == RESHAPEC_INPUT ? RESHAPEC_OK : status;
}

static reshapec_status describe(reshapec *r) {
  reshapec_bytes code, header;
  reshapec_status status = RESHAPEC_OK;
  for (int g = 0; status == RESHAPEC_OK && g < reshapec_graph_count(r); g++)
    status = bind(r, g);
  for (int view = RESHAPEC_VIEW_TEXT; status == RESHAPEC_OK && view <= RESHAPEC_VIEW_PLAN; view++)
    status = reshapec_explain(r, (reshapec_view)view, &code);
#ifndef __SANITIZE_ADDRESS__ // what LLVM holds by then is lost
  if (status == RESHAPEC_OK)
    status = reshapec_emit(r, RESHAPEC_EMIT_C, "f.h", &code, &header);
#endif
  (void)header;
  return status;
}

static reshapec_status compile(Count *count, const char *text, size_t size) {
  const reshapec_allocator allocator = {allocate, release, count};
  reshapec *r;
  reshapec_status status = reshapec_open(NULL, &allocator, &r);
  if (status == RESHAPEC_OK)
    status = reshapec_read_text(r, "f.rsh", text, size);
  if (status == RESHAPEC_OK)
    status = describe(r);
  if (status == RESHAPEC_MEMORY && r) {
    reshapec_message message;
    assert(reshapec_get_message(r, reshapec_message_count(r) - 1, &message) == RESHAPEC_OK);
    assert(strcmp(message.text, "out of memory") == 0);
    assert(strcmp(reshapec_messages_text(r), "out of memory") == 0);
    assert(reshapec_read_text(r, "g.rsh", text, size) == RESHAPEC_MEMORY);
  }
  reshapec_close(r);
  return status;
}

int main(int argc, char **argv) {
  static char text[MOST_TEXT];
  long refused = 0;
  for (int i = 1; i < argc && refused < ENOUGH; i++) {
    size_t size = read_file(argv[i], text);
    Count count = {.until = 1000000};
    reshapec_status whole = compile(&count, text, size);
    assert((whole == RESHAPEC_OK || whole == RESHAPEC_INPUT) && count.open == 0);
    for (long n = 0, calls = count.given; n < calls; n++, refused++) {
      count = (Count){.until = n};
      assert(compile(&count, text, size) == RESHAPEC_MEMORY && count.open == 0);
    }
  }
  fprintf(stderr, "%ld refused\n", refused);
  assert(refused >= LEAST_REFUSED);
}
