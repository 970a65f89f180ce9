// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Diagnostics as SARIF 2.1.0, the format in which code hosts and editors accept analysis results.
#ifndef FRONTEND_SARIF_H
#define FRONTEND_SARIF_H

#include "frontend/text/diag.h"

// One run of the tool at this version. A kind of diagnostic becomes a rule; a note becomes a related location
// of its result.
void diag_print_sarif(const Diag *diag, const char *version, FILE *out);

#endif
