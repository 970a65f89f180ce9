// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The output of `run --dry-run`, which writes no files:
//
//   read   x.npy: f32[2, 3], 24 bytes
//   write  y.npy: f32[3, 2], 24 bytes, 24 moved
//   total  24 bytes read, 24 moved, 24 to write
#ifndef DRIVER_DRY_RUN_H
#define DRIVER_DRY_RUN_H

#include "frontend/data/npy.h"

typedef struct DryRun {
  uint64_t read, moved, written; // bytes of elements
} DryRun;

// `name`: of the tensor in the file, or NULL.
void dry_run_read(DryRun *d, const char *path, const char *name, const Npy *array);
void dry_run_write(DryRun *d, const char *path, const char *name, const Npy *array, uint64_t moved);
void dry_run_end(const DryRun *d);

#endif
