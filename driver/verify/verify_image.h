// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory before and after a call: the contents of the inputs of a run, and the expected contents of its outputs.
//
// If elements only move, inputs hold their labels. An element with fewer bits than a label holds a part of it, so there
// is one pattern per part (plane), and each pattern runs again with all bits changed by a mask, so that a constant
// cannot be mistaken for a label. So the outputs identify the origin of each element.
//
//   u8, 300 labels     plane 0: label & 255, plane 1: label >> 8; both with mask 0 and with mask 255
//
// In quick mode there are only two patterns, whose bits depend on the whole label.
//
// Element-wise functions do not keep labels distinct (relu maps half of all floats to 0): inputs then hold numbers that
// depend on the label and on the pattern, and there are more patterns.
#ifndef DRIVER_VERIFY_IMAGE_H
#define DRIVER_VERIFY_IMAGE_H

#include "driver/verify/verify_map.h"

#include <stdint.h>

typedef struct Image {
  uint8_t *data;
  int64_t bytes, elements;
  const int64_t *at; // not NULL: only these elements are expected; the others are unknown
  int64_t some;      // the number of these
  // Results of floating-point functions: the expected value of each element in memory, NaN where `is_near` is false;
  // NULL: everything must be equal bit by bit.
  double *near;
  bool *is_near;
  double *tolerance; // of each
} Image;

typedef struct Pattern {
  int index, plane;
  uint8_t fill;   // outputs are filled with this before a call
  bool is_masked; // labels are changed by the mask
  bool mixes;     // instead of a plane: bits that depend on the whole label
  bool only_moves;
  int bits; // of a plane
} Pattern;

// The number of patterns that are needed.
int pattern_count(const Map *map);
// True if these are labels: no function changes an element.
bool map_only_moves(const Map *map);
Pattern pattern_at(const Map *map, int index);

// The memory of an input; elements of `target` of the map take precedence.
Image image_of_input(const Map *map, const Pattern *pattern, int input);
// The expected memory of an output; if `is_untouched`, its previous contents: the pattern's fill, or `before`.
Image image_of_output(const Map *map, const Pattern *pattern, int output, const uint8_t *before,
                      bool is_untouched);
// The memory of an output before a call: the pattern's fill, and the elements of placed inputs, taken from `after`. The
// caller frees it.
uint8_t *image_before_call(const Map *map, const Pattern *pattern, int output, const Image *after);
void image_free(Image *image);
// Expects exactly these bytes: those before a refused call.
void image_keep(Image *image, const uint8_t *bytes);

// The first element of `found` that is not as expected; -1: none.
int64_t image_difference(const Image *expected, const uint8_t *found, rsh_dtype dtype);

#endif
