// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reshapec check: only the diagnostics, as text on standard error or as JSON or SARIF on standard output.
#include "driver/base/commands.h"
#include "driver/base/pipeline.h"
#include "driver/script/script.h"
#include "frontend/text/sarif.h"

static Exit check(const Options *options) {
  Pipeline p;
  pipeline_start(&p, options);
  check_all(&p);
  if (options->json)
    diag_print_json(&p.diag, stdout);
  else if (options->sarif)
    diag_print_sarif(&p.diag, RESHAPEC_VERSION, stdout);
  else
    return pipeline_finish(&p, EXIT_DONE);
  return pipeline_status(&p);
}

Exit command_check(const Options *options) { return each_file(options, check); }
