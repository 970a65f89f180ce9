// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the examples share: reading a tensor from a .npy file, and one line of report an output.
#ifndef EXAMPLE_H
#define EXAMPLE_H

#include <stddef.h>

// The data of a .npy file of format 1.0 that holds `bytes` bytes, aligned to 64; ends the program
// with a message when the file does not.
void *example_load(const char *folder, const char *name, size_t bytes);

// Room for a result, aligned to 64.
void *example_alloc(size_t bytes);

// Compares a result with numpy's, byte for byte, and prints
//   NAME: copy, N bytes moved, 0.93 of memcpy's speed, equal to numpy's answer
// `run(context)` makes the result once more, to be timed against memcpy of the same bytes; for an
// alias there is nothing to run. Returns 1 when the result is wrong, else 0.
int example_report(const char *name, int is_alias, const void *result, const void *expected,
                   size_t bytes, void (*run)(void *context), void *context);

#endif
