// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The element type table, expanded once into rows.
#include "runtime/dtype.h"

typedef struct {
  const char *name;
  const char *ctype;
  int bits;
  int since;
} dtype_row;

static const dtype_row rows[] = {
#define RSH_DTYPE(id, name, bits, since, ctype) {name, ctype, bits, since},
#include "runtime/dtypes.def"
#undef RSH_DTYPE
    {"none", "void", 0, 0},
};

static const dtype_row *row(rsh_dtype type) {
  return &rows[(unsigned)type < RSH_DTYPE_COUNT ? type : RSH_DTYPE_COUNT];
}

const char *rsh_dtype_name(rsh_dtype type) { return row(type)->name; }
const char *rsh_dtype_ctype(rsh_dtype type) { return row(type)->ctype; }
int rsh_dtype_bits(rsh_dtype type) { return row(type)->bits; }
int rsh_dtype_onnx_since(rsh_dtype type) { return row(type)->since; }

rsh_dtype rsh_dtype_find(const char *name, size_t length) {
  for (int t = 0; t < RSH_DTYPE_COUNT; t++) {
    size_t i = 0;
    while (i < length && rows[t].name[i] == name[i] && name[i] != '\0')
      i++;
    if (i == length && rows[t].name[i] == '\0')
      return (rsh_dtype)t;
  }
  return RSH_DTYPE_NONE;
}
