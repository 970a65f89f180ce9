// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions shared by the examples: they read a tensor from a .npy file, and report on an output.
#ifndef EXAMPLE_H
#define EXAMPLE_H

#include <stddef.h>

// Returns the data of a .npy file of format 1.0, aligned to 64 bytes. Ends the program with a message
// unless the data have `bytes` bytes.
void *example_load(const char *folder, const char *name, size_t bytes);

// Allocates memory for a result, aligned to 64 bytes.
void *example_alloc(size_t bytes);

// Compares a result with NumPy's, byte by byte, and prints
//   NAME: copy, N bytes moved, 0.93 of memcpy's speed, equal to numpy's answer
// `run(context)` computes the result again, and is timed against memcpy of as many bytes; it is not
// called for an alias. Returns 1 if the result is wrong, else 0.
int example_report(const char *name, int is_alias, const void *result, const void *expected,
                   size_t bytes, void (*run)(void *context), void *context);

#endif
