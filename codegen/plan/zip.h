// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nests that each write every few bytes, and together leave no gap: they are executed as one, and store whole vectors
// of the result.
//
//   a: f32[N], b: f32[N] stacked to [N, 2]    {N, dst 8, src 4} from a to 0 and from b to 4, run 4: pixels of 8 bytes
//   x: f32[N, 1], padded to [N, 2]            the same from x to 0, and zeros to 4
//   x: u8[N, 3], padded to [N, 4]             {N, dst 4, src 3} from x to 0, run 3, and zeros to 3
#ifndef CODEGEN_ZIP_H
#define CODEGEN_ZIP_H

#include "codegen/plan/shuffle.h"

enum { MOST_ZIPPED = 16 };

// What one of the nests contributes to a piece.
typedef struct ZipPart {
  bool is_fill;
  int64_t offset, run; // in the pixel
  int64_t step;        // of the source, from pixel to pixel; the other numbers as in NestShuffle
  int64_t first, span, vector;
} ZipPart;

// Several pixels, in whole vectors of the result.
typedef struct ZipPiece {
  int64_t pixel; // bytes
  int64_t count; // pixels
  int64_t result;
  int64_t grain; // bytes that are always moved together
  bool
      streams; // if the result is large (NestZip.past) and aligned; strides that depend on sizes must be, too
  int64_t instructions; // loads, stores and shuffles of a piece
  int planes; // it interleaves this many, of `grain` bytes each; 0: vectors are assembled as in shuffles
  ZipPart part[MOST_ZIPPED];
} ZipPiece;

// Whether a part has three planes of a weave side by side, so that its vectors are split first.
bool zip_is_pixels(const ZipPiece *piece, const ZipPart *part);
// False: the nest is not zipped on this machine.
bool nest_zip(const Nest *nest, const Machine *machine, ZipPiece *piece);
// The part that makes byte `at` of a piece, and the byte of its source, relative to `first`, or of its constant run.
int64_t zip_source(const ZipPiece *piece, int64_t at, int *part);
// The start of the source vector from which the result vector at `begin` takes byte `src`: one vector for all its bytes
// if they are close enough.
int64_t zip_load(const ZipPiece *piece, int64_t begin, int part, int64_t src);
// Whether it is the first of its group, which is emitted for all.
bool nest_leads(const Nest *nest);

#endif
