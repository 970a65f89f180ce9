// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interface of bench.py to a library that it compares kernels with. An adaptor is one source, peer_NAME.cpp, which
// is compiled if the library is installed, and loaded like the kernels.
#ifndef BENCH_PEER_H
#define BENCH_PEER_H

#include <cstddef>
#include <cstdint>

// A copy of elements of `src`, with one loop for each axis of the result, to `dst`, which is row-major:
//
//   f32[2, 3] transposed     extent 3 2, stride 1 3; dims 2 3, perm 1 0
//
// `dims` and `perm` describe the same copy as NumPy's transpose, or are NULL if it is not a permutation of whole axes.
struct PeerCase {
  const char *dtype; // "u8" "f16" "f32" "f64" "c64" "c128" "i8"
  int rank, threads;
  const int64_t *extent, *stride; // in elements
  const int *dims, *perm;
  const void *src; // the first element
  void *dst;
};

extern "C" {
void *peer_open(const PeerCase *c); // NULL: the library cannot do it
void peer_run(void *plan);
void peer_close(void *plan);
}

#endif
