// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The runtime of reshapec: the meaning of every operator, in freestanding C11. docs/runtime.md shows how it is
// used without the compiler.
//   resolve   what shape comes out
//   fold      what a chain does to memory, as moves
//   move      does it
//   map       chains of functions of one element
//   convert   one element from one type to another
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
