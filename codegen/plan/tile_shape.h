// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tiles that transpose a matrix in registers.
//
//   f32[1024, 1000]    AVX-512: 16 by 16, lines of the source as registers of four lanes of four elements
//                      AVX2: 4 columns of 16 rows, in registers of two lanes
#ifndef CODEGEN_TILE_SHAPE_H
#define CODEGEN_TILE_SHAPE_H

#include "codegen/plan/strategy.h"

enum { MOST_TILE_LANES = 4, TILE_STRIP = 8 };

typedef struct TileShape {
  int elements, lanes;     // of a register; `elements` is per lane
  bool is_square, is_half; // a tile takes whole lines of the source, or half lines
  bool in_vectors;         // else a register is one element
  bool is_padded;          // elements are wider in vectors than in memory, or one side has planes
  int64_t along, across;   // elements of a tile; pixels where planes are apart or joined
} TileShape;

TileShape nest_tile_shape(const Plan *plan, const Nest *nest, const Machine *machine);

#endif
