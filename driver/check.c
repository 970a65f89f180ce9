// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reshapec check: the diagnostics alone, as text on standard error or JSON on standard output.
#include "driver/commands.h"
#include "driver/pipeline.h"

Exit command_check(const Options *options) {
  Pipeline p;
  pipeline_start(&p, options);
  pipeline_run(&p, STEP_PLAN);
  if (!options->json)
    return pipeline_finish(&p);
  diag_print_json(&p.diag, stdout);
  return pipeline_status(&p);
}
