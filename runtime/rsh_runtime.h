// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The runtime of reshapec: the definition of every operator, in freestanding C11. docs/runtime.md shows how to use it
// without the compiler.
//   resolve   computes the shapes of results
//   fold      turns a chain of operators into moves
//   move      runs moves
//   map       chains of element-wise functions
//   convert   converts one element to another type
//   dlpack    tensors of other libraries, in and out
#ifndef RSH_RUNTIME_H
#define RSH_RUNTIME_H

#include "runtime/convert.h"
#include "runtime/dlpack.h"
#include "runtime/fold.h"
#include "runtime/map.h"
#include "runtime/move.h"
#include "runtime/resolve.h"
#include "runtime/status.h"

#endif
