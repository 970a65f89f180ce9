// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Element types, from dtypes.def. Moves depend only on their width.
#ifndef RSH_DTYPE_H
#define RSH_DTYPE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum rsh_dtype {
#define RSH_DTYPE(id, name, bits, kind, since, ctype, format) RSH_##id,
#include "runtime/dtypes.def"
#undef RSH_DTYPE
  RSH_DTYPE_COUNT,
  RSH_DTYPE_NONE = RSH_DTYPE_COUNT // no type given
} rsh_dtype;

typedef enum rsh_dtype_kind {
  RSH_KIND_NONE,
  RSH_KIND_BOOL,
  RSH_KIND_SIGNED, // integers
  RSH_KIND_UNSIGNED,
  RSH_KIND_FLOAT, // f64 down to f4e2m1
  RSH_KIND_COMPLEX,
  RSH_KIND_STRING
} rsh_dtype_kind;

const char *rsh_dtype_name(rsh_dtype type);  // "f32"; "none" for RSH_DTYPE_NONE
const char *rsh_dtype_ctype(rsh_dtype type); // "float"
int rsh_dtype_bits(
    rsh_dtype type); // 32; 0 for string: its handle is as wide as a pointer of the target
rsh_dtype_kind rsh_dtype_kind_of(rsh_dtype type);
// All are false for bool and string.
bool rsh_dtype_is_signed(rsh_dtype type);  // i64 down to i2
bool rsh_dtype_is_integer(rsh_dtype type); // these, and u64 down to u1
bool rsh_dtype_is_float(rsh_dtype type);
bool rsh_dtype_is_complex(rsh_dtype type);
// f64, f32, f16 and bf16: the floats that arithmetic takes.
static inline bool rsh_dtype_is_wide_float(rsh_dtype type) {
  return type == RSH_F16 || type == RSH_BF16 || type == RSH_F32 || type == RSH_F64;
}
int rsh_dtype_onnx_since(rsh_dtype type); // first opset whose Reshape takes it; 0: none
rsh_dtype rsh_dtype_find(const char *name, size_t length); // RSH_DTYPE_NONE when there is none

#ifdef __cplusplus
}
#endif
#endif
