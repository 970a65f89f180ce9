// UNSUPPORTED: sanitized
// RUN: %{cc} %{cflags} %s -o %t %{libs} && %t
//
// malloc refuses memory once, at each allocation of each view in turn, without those of LLVM. The call then ends with
// RESHAPEC_MEMORY, or the view is whole; whatever it took is given back. (Sanitizers have their own malloc.)
#define _GNU_SOURCE // dladdr
#include "include/reshapec.h"

#include <assert.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

static long given, refused, open;
static bool is_counting;

// LLVM ends the program when it is refused memory.
static bool is_llvm(const void *caller) {
  Dl_info in;
  return !dladdr(caller, &in) || strstr(in.dli_fname, "LLVM") || strstr(in.dli_fname, "stdc++");
}

// Whether this allocation is refused; `caller` asks for it.
static bool refuses(const void *caller) {
  return is_counting && !is_llvm(caller) && given++ == refused;
}

static void *counted(void *block) {
  open += block != NULL;
  return block;
}

void *malloc(size_t size) {
  return refuses(__builtin_return_address(0)) ? NULL : counted(__libc_malloc(size));
}

void *calloc(size_t count, size_t size) {
  return refuses(__builtin_return_address(0)) ? NULL : counted(__libc_calloc(count, size));
}

void *realloc(void *block, size_t size) {
  if (refuses(__builtin_return_address(0)))
    return NULL;
  void *grown = __libc_realloc(block, size);
  open += block == NULL && grown != NULL;
  return grown;
}

void *aligned_alloc(size_t alignment, size_t size) {
  return refuses(__builtin_return_address(0)) ? NULL : counted(__libc_memalign(alignment, size));
}

void free(void *block) {
  open -= block != NULL;
  __libc_free(block);
}

static const char text[] = "graph views(x: f32[N, 4], z: f32[N, 4]) -> (y, t, s) {\n"
                           "    y = concat([transpose(x, [1, 0]), transpose(z, [1, 0])], 1)\n"
                           "    t = reshape(x, [-1, 2])\n"
                           "    s = abs(x[::2])\n"
                           "}\n";

// Without allocation n, or, below 0, with all.
static reshapec_status view_without(reshapec_view view, long n, reshapec *r, reshapec_bytes *out) {
  given = 0;
  refused = n;
  is_counting = true;
  reshapec_status status = reshapec_explain(r, view, out);
  is_counting = false;
  return status;
}

static reshapec *read_views(void) {
  reshapec *r;
  assert(reshapec_open(NULL, NULL, &r) == RESHAPEC_OK);
  assert(reshapec_read_text(r, "views.rsh", text, strlen(text)) == RESHAPEC_OK);
  return r;
}

static void check_view(reshapec_view view) {
  reshapec_bytes whole, part;
  reshapec *first = read_views();
  assert(view_without(view, -1, first, &whole) == RESHAPEC_OK);
  long calls = given;
  assert(calls > 0);
  for (long n = 0, before = open; n < calls; n++) {
    reshapec *r = read_views();
    reshapec_status status = view_without(view, n, r, &part);
    if (status == RESHAPEC_OK)
      assert(part.size == whole.size && memcmp(part.data, whole.data, whole.size) == 0);
    else
      assert(status == RESHAPEC_MEMORY);
    reshapec_close(r);
    assert(open == before);
  }
  reshapec_close(first);
}

int main(void) {
  for (int view = RESHAPEC_VIEW_TEXT; view <= RESHAPEC_VIEW_PLAN; view++)
    check_view((reshapec_view)view);
}
