// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --report: the resources that an object requires, as text or JSON on standard output.
#ifndef DRIVER_REPORT_H
#define DRIVER_REPORT_H

#include "codegen/plan/tuning.h"
#include "driver/base/options.h"

// `tuning`: of --tuning, or NULL.
void report_print(Arena *arena, const ObjectReport *report, const Tuning *tuning, ReportKind kind);

#endif
