// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/script/dry_run.h"

#include "driver/script/array_text.h"

#include <inttypes.h>

static void print(const char *what, const char *path, const char *name, const Npy *array) {
  char text[ARRAY_TEXT_TYPE];
  printf("%-6s %s%s%s: %s, %zu bytes", what, path, name ? " " : "", name ? name : "",
         array_type_text(text, array->dtype, array->rank, array->dim), array->bytes);
}

void dry_run_read(DryRun *d, const char *path, const char *name, const Npy *array) {
  print("read", path, name, array);
  putchar('\n');
  d->read += array->bytes;
}

void dry_run_write(DryRun *d, const char *path, const char *name, const Npy *array,
                   uint64_t moved) {
  print("write", path, name, array);
  printf(", %" PRIu64 " moved\n", moved);
  d->moved += moved;
  d->written += array->bytes;
}

void dry_run_end(const DryRun *d) {
  printf("total  %" PRIu64 " bytes read, %" PRIu64 " moved, %" PRIu64 " to write\n", d->read,
         d->moved, d->written);
}
