// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// chains --split: generates C code that runs the steps of a model, and its header.
#ifndef DRIVER_SPLIT_DRIVER_H
#define DRIVER_SPLIT_DRIVER_H

#include "codegen/plan/plan.h"
#include "frontend/onnx/onnx_split.h"

// A chain and how to call it.
typedef struct SplitCall {
  const Chain *chain;
  const Plan *plan;
  const char *function, *shape; // shape NULL: the sizes of its outputs are known
} SplitCall;

typedef struct SplitDriver {
  Arena *arena;
  const char *model;  // "net.onnx"
  const char *name;   // prefix of names: "net"
  const char *header; // of the driver: "net.split.h"
  const char *chains; // the header of the chains: "net.h"
  const Survey *survey;
  const SplitSteps *steps;
  const char *const *part; // file of each step that is a part of the model
  const SplitCall *call;   // by number of the chain
} SplitDriver;

// The tensor and axis that a size of a chain is read from. The tensor exists before the chain runs: it is an input of
// the model or of the chain. False: there is none.
bool split_size_source(const Survey *survey, const Chain *chain, const char *size, ChainSize *out);

const char *split_header(const SplitDriver *d);
const char *split_code(const SplitDriver *d);

#endif
