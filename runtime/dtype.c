// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The element type table, one column per function, so that firmware without names does not contain them.
#include "runtime/dtype.h"

#include <stdint.h>

static unsigned in_table(rsh_dtype type) {
  return (unsigned)type < RSH_DTYPE_COUNT ? type : RSH_DTYPE_COUNT;
}

static const char *const names[] = {
#define RSH_DTYPE(id, name, bits, kind, since, ctype, format) name,
#include "runtime/dtypes.def"
#undef RSH_DTYPE
    "none"};

const char *rsh_dtype_name(rsh_dtype type) { return names[in_table(type)]; }

const char *rsh_dtype_ctype(rsh_dtype type) {
  static const char *const ctypes[] = {
#define RSH_DTYPE(id, name, bits, kind, since, ctype, format) ctype,
#include "runtime/dtypes.def"
#undef RSH_DTYPE
      "void"};
  return ctypes[in_table(type)];
}

int rsh_dtype_bits(rsh_dtype type) {
  static const uint8_t widths[] = {
#define RSH_DTYPE(id, name, bits, kind, since, ctype, format) bits,
#include "runtime/dtypes.def"
#undef RSH_DTYPE
      0};
  return widths[in_table(type)];
}

rsh_dtype_kind rsh_dtype_kind_of(rsh_dtype type) {
  static const uint8_t kinds[] = {
#define RSH_DTYPE(id, name, bits, kind, since, ctype, format) RSH_KIND_##kind,
#include "runtime/dtypes.def"
#undef RSH_DTYPE
      RSH_KIND_NONE};
  return (rsh_dtype_kind)kinds[in_table(type)];
}

bool rsh_dtype_is_signed(rsh_dtype type) { return rsh_dtype_kind_of(type) == RSH_KIND_SIGNED; }

bool rsh_dtype_is_integer(rsh_dtype type) {
  return rsh_dtype_kind_of(type) == RSH_KIND_SIGNED || rsh_dtype_kind_of(type) == RSH_KIND_UNSIGNED;
}

bool rsh_dtype_is_float(rsh_dtype type) { return rsh_dtype_kind_of(type) == RSH_KIND_FLOAT; }

bool rsh_dtype_is_complex(rsh_dtype type) { return rsh_dtype_kind_of(type) == RSH_KIND_COMPLEX; }

int rsh_dtype_onnx_since(rsh_dtype type) {
  static const uint8_t opsets[] = {
#define RSH_DTYPE(id, name, bits, kind, since, ctype, format) since,
#include "runtime/dtypes.def"
#undef RSH_DTYPE
      0};
  return opsets[in_table(type)];
}

rsh_dtype rsh_dtype_find(const char *name, size_t length) {
  for (int t = 0; t < RSH_DTYPE_COUNT; t++) {
    size_t i = 0;
    while (i < length && names[t][i] == name[i] && name[i] != '\0')
      i++;
    if (i == length && names[t][i] == '\0')
      return (rsh_dtype)t;
  }
  return RSH_DTYPE_NONE;
}
