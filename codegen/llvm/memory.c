// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Handles allocation failures within LLVM, which would abort. The handlers are process-wide, so the library does not
// contain this file.
#include "codegen/machine/backend.h"

// std::set_new_handler and llvm::install_bad_alloc_error_handler, which LLVM's C interface lacks.
extern void (*set_new_handler(void (*handler)(void)))(void) __asm__("_ZSt15set_new_handlerPFvvE");
extern void install_bad_alloc_handler(
    void (*handler)(void *, const char *, bool),
    void *user) __asm__("_ZN4llvm31install_bad_alloc_error_handlerEPFvPvPKcbES0_");

static void (*on_failure)(void);

static void bad_alloc(void *user, const char *reason, bool crashes) {
  (void)user, (void)reason, (void)crashes;
  on_failure();
}

void backend_watch_memory(void (*failed)(void)) {
  on_failure = failed;
  (void)set_new_handler(failed);
  install_bad_alloc_handler(bad_alloc, NULL);
}
