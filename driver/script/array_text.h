// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An array as text, laid out as in NumPy: columns of one width, lines of at most 75 characters.
//
//   [[ 1.    0.25]
//    [10.   -3.5 ]]
#ifndef DRIVER_ARRAY_TEXT_H
#define DRIVER_ARRAY_TEXT_H

#include "frontend/data/npy.h"

#include <stdio.h>

enum {
  ARRAY_TEXT_WHOLE = 1000, // larger arrays are abbreviated:
  ARRAY_TEXT_EDGE =
      3 // this many at the beginning and end of each axis that is longer than twice this
};

enum { ARRAY_TEXT_TYPE = 512 };
// "f32[2, 3]", with at most RSH_MAX_RANK sizes.
const char *array_type_text(char text[ARRAY_TEXT_TYPE], rsh_dtype dtype, int rank,
                            const int64_t *dim);

// Prints `shown`, an array or its outer parts, of type bool, i8 to u64, f16, f32, f64, c64, c128 or string. `dim` are
// the sizes of the full array: "..." marks the middle of each axis whose size differs.
void array_print(const Npy *shown, const int64_t *dim, FILE *out);

#endif
