// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/verify/verify_lines.h"
#include "frontend/text/rescue.h"
#include "codegen/plan/processor.h"

#include <stdlib.h>
#include <string.h>

static uint8_t *memory(int64_t bytes) { return memory_of(calloc((size_t)bytes + 1, 1)); }

void task_lines_begin(TaskLines *lines, uint8_t *data, int64_t bytes) {
  *lines = (TaskLines){.data = data};
  if (!data || bytes == 0 || (uintptr_t)data % CACHE_LINE != 0)
    return;
  lines->bytes = bytes;
  lines->before = memory(bytes);
  lines->made = memory(bytes);
  lines->written = (bool *)memory(bytes / CACHE_LINE + 1);
  memcpy(lines->before, data, (size_t)bytes);
  memcpy(lines->made, data, (size_t)bytes);
}

bool task_lines_note(TaskLines *lines) {
  for (int64_t at = 0; at < lines->bytes; at += CACHE_LINE) {
    size_t count = (size_t)(lines->bytes - at < CACHE_LINE ? lines->bytes - at : CACHE_LINE);
    if (memcmp(lines->before + at, lines->data + at, count) == 0)
      continue;
    if (lines->written[at / CACHE_LINE])
      return false;
    lines->written[at / CACHE_LINE] = true;
    memcpy(lines->made + at, lines->data + at, count);
    memcpy(lines->data + at, lines->before + at, count);
  }
  return true;
}

void task_lines_end(TaskLines *lines) {
  if (lines->bytes > 0)
    memcpy(lines->data, lines->made, (size_t)lines->bytes);
  free(lines->before);
  free(lines->made);
  free(lines->written);
  *lines = (TaskLines){.bytes = 0};
}
