// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reshapec check: the diagnostics alone, as text on standard error or as JSON or SARIF on standard output.
#include "driver/base/commands.h"
#include "driver/base/pipeline.h"
#include "driver/script/script.h"
#include "frontend/text/sarif.h"

// What can be said of a script without its data.
static void check_script(Pipeline *p) {
  Script s;
  script_start(&s, p->options, &p->diag);
  session_add_graphs(s.session, p->ast);
  script_check(&s, p->ast);
  script_end(&s);
}

static Exit check(const Options *options) {
  Pipeline p;
  pipeline_start(&p, options);
  bool is_good = pipeline_run(&p, STEP_PLAN);
  for (int i = 0; i < p.plan.count; i++)
    plan_runtime_has_all(p.plan.item[i], &p.diag);
  if (is_good && p.ast && p.ast->statement_count > 0)
    check_script(&p);
  if (options->json)
    diag_print_json(&p.diag, stdout);
  else if (options->sarif)
    diag_print_sarif(&p.diag, RESHAPEC_VERSION, stdout);
  else
    return pipeline_finish(&p);
  return pipeline_status(&p);
}

Exit command_check(const Options *options) { return each_file(options, check); }
