// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The text of a .npy header, a Python dict of one fixed form:
//
//   {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }
//
// Only the syntax is checked here; the reader decides whether it supports the type and the rank.
#ifndef FRONTEND_NPY_HEADER_H
#define FRONTEND_NPY_HEADER_H

#include "frontend/data/npy.h"

enum { NPY_HEADER_RANK = 64 }; // the limit of NumPy 2

typedef struct NpyHeader {
  char descr[48]; // for messages: cut, without control characters
  char order;     // '<' '>'; '|' or '=': that of the host
  char kind;      // 'f', 'i' ..., 'U' and 'S' for text
  int size;       // bytes per element, above 0; for 'U' characters
  bool fortran;   // the first axis changes fastest
  int rank;       // may exceed NPY_HEADER_RANK: then the later sizes are not in dim
  int64_t dim[NPY_HEADER_RANK];
} NpyHeader;

static inline bool npy_header_is_text(const NpyHeader *h) {
  return h->kind == 'U' || h->kind == 'S';
}

// The size in bytes of an element in the file.
static inline size_t npy_header_bytes(const NpyHeader *h) {
  return (size_t)h->size * (h->kind == 'U' ? 4 : 1);
}

// Keys may come in any order, each once. False: *error has a text without the file name.
bool npy_header_parse(const char *text, size_t length, NpyHeader *header, NpyError *error);

#endif
