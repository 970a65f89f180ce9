// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Diagnostics as SARIF 2.1.0, the form in which code hosts and editors take those of analysers.
#ifndef FRONTEND_SARIF_H
#define FRONTEND_SARIF_H

#include "frontend/text/diag.h"

// One run, of the tool of this version. A kind of diagnostic is a rule, a note a location related to the result
// that it belongs to.
void diag_print_sarif(const Diag *diag, const char *version, FILE *out);

#endif
