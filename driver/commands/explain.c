// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reshapec explain: as text, JSON or a picture.
#include "codegen/machine/target.h"
#include "driver/base/commands.h"
#include "driver/base/pipeline.h"
#include "library/explain.h"

Exit command_explain(const Options *options) {
  Pipeline p;
  pipeline_start(&p, options);
  if (pipeline_run(&p, STEP_PLAN) && emit_has_target(p.arena, &options->code, &p.diag)) {
    if (options->json)
      explain_json(&p, &options->code, stdout);
    else if (options->html)
      explain_html(&p, &options->code, options->cost, stdout);
    else if (options->dot || options->svg)
      explain_pictures(&p, &options->code, options->svg, stdout);
    else
      explain_text(&p, &options->code, options->cost, stdout);
  }
  return pipeline_finish(&p);
}
