// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// optimize --check: compares both models on random inputs, with onnxruntime.
#ifndef DRIVER_OPTIMIZE_CHECK_H
#define DRIVER_OPTIMIZE_CHECK_H

#include "driver/base/options.h"

// Checks, before the new model is written, that it will not overwrite the old one. EXIT_USAGE: reported.
Exit optimize_check_can(const Options *options);
// *line: "outputs equal to the bit on 2 random inputs (onnxruntime 1.32.0, its optimizer off)". On failure: reported.
Exit optimize_check(const Options *options, const char **line);

#endif
