// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cache lines of an output that tasks write to: if the output is aligned to a line, no two tasks may write to the same
// line.
#ifndef DRIVER_VERIFY_LINES_H
#define DRIVER_VERIFY_LINES_H

#include <stdbool.h>
#include <stdint.h>

typedef struct TaskLines {
  uint8_t *data;
  int64_t bytes;   // 0: the output is not monitored
  uint8_t *before; // contents before each task
  uint8_t *made;   // contents after all tasks so far
  bool *written;   // per line
} TaskLines;

// Call this before the tasks. An output that is not aligned to a line, or has no memory, is not monitored.
void task_lines_begin(TaskLines *lines, uint8_t *data, int64_t bytes);
// Call this after each task: saves what it wrote and restores the previous contents for the next task. False: another
// task has written to one of its lines. A write of unchanged bytes is not detected, but the fill of outputs before
// calls differs between patterns.
bool task_lines_note(TaskLines *lines);
// Call this after all tasks: restores the combined contents.
void task_lines_end(TaskLines *lines);

#endif
