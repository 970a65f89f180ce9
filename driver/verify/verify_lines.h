// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lines of an output that tasks have written to: where it begins at a line, no two tasks may write to the same one.
#ifndef DRIVER_VERIFY_LINES_H
#define DRIVER_VERIFY_LINES_H

#include <stdbool.h>
#include <stdint.h>

typedef struct TaskLines {
  uint8_t *data;
  int64_t bytes;   // 0: the output is not watched
  uint8_t *before; // what is there before a task
  uint8_t *made;   // what all tasks so far have made of it
  bool *written;   // of each line
} TaskLines;

// Before the tasks of a call. An output that does not begin at a line, or has no memory, is not watched.
void task_lines_begin(TaskLines *lines, uint8_t *data, int64_t bytes);
// After one: what it has written is put aside, for the next one to find what it found. False: another task has written
// to one of its lines. Bytes that stay what they were are not seen: outputs are filled before calls with what differs
// from one pattern to the next.
bool task_lines_note(TaskLines *lines);
// After all of them: what they have made is in its place.
void task_lines_end(TaskLines *lines);

#endif
