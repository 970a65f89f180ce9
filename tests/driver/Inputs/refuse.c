// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Preloaded: refuses memory from call REFUSE_FROM on, or for that call only if REFUSE_ONE is set. Without REFUSE_FROM
// it writes the number of calls to the file REFUSE_COUNT.
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

// Programs that it starts, such as compilers, get memory.
__attribute__((constructor)) static void be_alone(void) { unsetenv("LD_PRELOAD"); }

static long calls, from = -1;
static int is_one, is_read;

static int refuses(void) {
  if (!is_read) {
    const char *text = getenv("REFUSE_FROM");
    is_read = 1;
    from = text ? atol(text) : -1;
    is_one = getenv("REFUSE_ONE") != NULL;
  }
  calls++;
  int refused = from >= 0 && (is_one ? calls == from : calls >= from);
  if (refused)
    errno = ENOMEM;
  return refused;
}

void *malloc(size_t size) { return refuses() ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return refuses() ? NULL : __libc_calloc(count, size); }
void *realloc(void *old, size_t size) { return refuses() ? NULL : __libc_realloc(old, size); }
void *aligned_alloc(size_t alignment, size_t size) { return refuses() ? NULL : __libc_memalign(alignment, size); }

__attribute__((destructor)) static void tell(void) {
  const char *path = getenv("REFUSE_COUNT");
  char text[32];
  int file = path && from < 0 ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644) : -1;
  if (file < 0)
    return;
  snprintf(text, sizeof text, "%ld", calls);
  if (write(file, text, strlen(text)) < 0)
    _exit(1);
  close(file);
}
