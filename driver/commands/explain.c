// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reshapec explain: as text, JSON or a picture.
#include "codegen/machine/target.h"
#include "driver/base/commands.h"
#include "driver/base/pipeline.h"
#include "library/explain.h"

static Exit explain(Pipeline *p) {
  const Options *o = p->options;
  if (!pipeline_keep_graph(p))
    return EXIT_USAGE;
  if (o->json)
    explain_json(p, &o->code, stdout);
  else if (o->html)
    explain_html(p, &o->code, o->cost, stdout);
  else if (o->dot || o->svg)
    explain_pictures(p, &o->code, o->svg, stdout);
  else
    explain_text(p, &o->code, o->cost, stdout);
  return EXIT_DONE;
}

Exit command_explain(const Options *options) {
  Pipeline p;
  pipeline_start(&p, options);
  bool good = pipeline_run(&p, STEP_PLAN) && emit_has_target(p.arena, &options->code, &p.diag);
  return pipeline_finish(&p, good ? explain(&p) : EXIT_DONE);
}
