// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Everything that `reshapec check` reports, for commands and editors.
#include "driver/script/script.h"

// Checks a script statically, without its data.
static void check_script(Pipeline *p) {
  Script s;
  script_start(&s, p->options, &p->diag);
  session_add_graphs(s.session, p->ast);
  script_check(&s, p->ast);
  script_end(&s);
}

void check_all(Pipeline *p) {
  bool is_good = pipeline_run(p, STEP_PLAN);
  for (int i = 0; i < p->plan.count; i++)
    plan_runtime_has_all(p->plan.item[i], &p->diag);
  if (is_good && p->ast && p->ast->statement_count > 0)
    check_script(p);
}
