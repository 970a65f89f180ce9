// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// optimize --check: both models on random inputs, with onnxruntime.
#ifndef DRIVER_OPTIMIZE_CHECK_H
#define DRIVER_OPTIMIZE_CHECK_H

#include "driver/base/options.h"

// Before the new model is written: whether the other one is left. EXIT_USAGE: reported.
Exit optimize_check_can(const Options *options);
// "outputs equal to the bit on 2 random inputs (onnxruntime 1.32.0, its optimizer off)". Else reported.
Exit optimize_check(const Options *options, const char **line);

#endif
