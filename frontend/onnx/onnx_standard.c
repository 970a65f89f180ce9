// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operators that ONNX has, whether or not they can be read.
#include "frontend/onnx/onnx_internal.h"

#include <inttypes.h>
#include <string.h>

static const char *const names[] = {
#define ONNX_STANDARD(op, since) op,
#include "frontend/onnx/onnx_standard.def"
#undef ONNX_STANDARD
};
static const int first_opset[] = {
#define ONNX_STANDARD(op, since) since,
#include "frontend/onnx/onnx_standard.def"
#undef ONNX_STANDARD
};

const char *standard_refusal(Arena *arena, const char *op, int64_t opset) {
  enum { COUNT = sizeof names / sizeof *names };
  for (int i = 0; i < COUNT; i++)
    if (strcmp(names[i], op) == 0)
      return first_opset[i] > opset
                 ? arena_printf(arena,
                                "'%s' is an operator of opset %d and later; the model has opset "
                                "%" PRId64,
                                op, first_opset[i], opset)
                 : NULL;
  const char *nearest = diag_nearest(op, names, COUNT);
  return arena_printf(arena, "'%s' is not an operator of ONNX, up to opset %d%s", op,
                      ONNX_NEWEST_OPSET,
                      nearest ? arena_printf(arena, "; did you mean '%s'?", nearest) : "");
}
