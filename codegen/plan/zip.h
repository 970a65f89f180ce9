// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nests that each leave gaps in the result, which the others fill: they are executed as one nest that stores whole
// vectors.
//
//   a: f32[N], b: f32[N] stacked to [N, 2]    {N, dst 8, src 4} from a to 0 and from b to 4, run 4: pixels of 8 bytes
//   x: f32[N, 1], padded to [N, 2]            the same from x to 0, and zeros to 4
//   x: u8[N, 3], padded to [N, 4]             {N, dst 4, src 3} from x to 0, run 3, and zeros to 3
#ifndef CODEGEN_ZIP_H
#define CODEGEN_ZIP_H

#include "codegen/plan/shuffle.h"

enum { MOST_ZIPPED = 16 };

// The part of a piece that one nest contributes.
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
  int64_t grain; // bytes that stay adjacent
  bool
      streams; // non-temporal stores if the result is large (NestZip.past) and aligned; symbolic strides must be too
  int64_t instructions; // loads, stores and shuffles of a piece
  int planes; // it interleaves this many, of `grain` bytes each; 0: vectors are assembled as in shuffles
  ZipPart part[MOST_ZIPPED];
} ZipPiece;

// Whether a part contains three interleaved planes of a weave, so that its vectors are split first.
bool zip_is_pixels(const ZipPiece *piece, const ZipPart *part);
// False: the nest is not zipped on this machine.
bool nest_zip(const Nest *nest, const Machine *machine, ZipPiece *piece);
// The part that writes byte `at` of a piece, and its byte in the source, relative to `first`, or in the constant run.
int64_t zip_source(const ZipPiece *piece, int64_t at, int *part);
// The start of the source vector that contains byte `src` of the result vector at `begin`: one source vector for all
// its bytes if they are close enough.
int64_t zip_load(const ZipPiece *piece, int64_t begin, int part, int64_t src);
// Whether it is the first of its group, which is emitted for the whole group.
bool nest_leads(const Nest *nest);

#endif
