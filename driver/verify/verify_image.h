// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory before and after a call: what goes into the inputs of a run, and what then must be in its outputs.
//
// Where elements only move, inputs hold their labels. An element of fewer bits than labels have shows a part of
// them, so there is one pattern for each part (plane), and each again with all bits changed by a mask, so that no
// constant can be taken for a label. Then what the outputs hold says for every element where it came from.
//
//   u8, 300 labels     plane 0: label & 255, plane 1: label >> 8; both with mask 0 and with mask 255
//
// Where few patterns must do there are two, of bits that depend on the whole label.
//
// Functions of elements do not keep labels apart (relu makes 0 of half of all floats): inputs then hold numbers that
// depend on the label and on the number of the pattern, and there are more patterns.
#ifndef DRIVER_VERIFY_IMAGE_H
#define DRIVER_VERIFY_IMAGE_H

#include "driver/verify/verify_map.h"

#include <stdint.h>

typedef struct Image {
  uint8_t *data;
  int64_t bytes, elements;
  const int64_t *at; // not NULL: these elements are expected, and of the others nothing is known
  int64_t some;      // so many of them
  // Elements that functions of floating-point numbers made: by element of the memory what is expected, NaN where
  // `is_near` is false; NULL: all is to be equal bit by bit.
  double *near;
  bool *is_near;
  double *tolerance; // of each
} Image;

typedef struct Pattern {
  int index, plane;
  uint8_t fill;   // what outputs are filled with before a call
  bool is_masked; // labels are changed by the mask
  bool mixes;     // in place of a plane: bits that depend on all of the label
  bool only_moves;
  int bits; // of a plane
} Pattern;

// How many patterns say all.
int pattern_count(const Map *map);
// Whether these are labels: no function changes an element.
bool map_only_moves(const Map *map);
Pattern pattern_at(const Map *map, int index);

// The memory of an input. `target` of the map comes first.
Image image_of_input(const Map *map, const Pattern *pattern, int input);
// What an output then holds; with `is_untouched` what it held before: the pattern's filling, or `before`.
Image image_of_output(const Map *map, const Pattern *pattern, int output, const uint8_t *before,
                      bool is_untouched);
// What is in the memory of an output before a call: the pattern's filling, and where placed inputs lie their
// elements, which are those of `after`. To be freed.
uint8_t *image_before_call(const Map *map, const Pattern *pattern, int output, const Image *after);
void image_free(Image *image);
// These very bytes are expected from now on: those of before a call that is refused.
void image_keep(Image *image, const uint8_t *bytes);

// The first element of `found` that is not as expected; -1: all are.
int64_t image_difference(const Image *expected, const uint8_t *found, rsh_dtype dtype);

#endif
