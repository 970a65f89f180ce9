// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The process-wide state of LLVM, shared by threads that compile at the same time.
#ifndef CODEGEN_PROCESS_H
#define CODEGEN_PROCESS_H

#include "codegen/llvm/llvm_module.h"

// Runs LLVM's static constructors, and registers all families and the handler of fatal errors on the first call.
void process_start(void);

// LLVM cannot generate the code: ends the process with a message and status 3, or jumps (frontend/text/rescue.h).
void process_fail(const char *reason);

// Switches of LLVM that are process-wide, not per module. Code is generated between process_enter and process_leave, at
// the same time only by threads whose targets need the same switches; others wait.
typedef enum Switches {
  SWITCHES_NONE,
  SWITCHES_FEW_REGISTERS, // constants and addresses are computed where they are used
  SWITCHES_OWN_LOOPS,     // induction variables stay as built
} Switches;
Switches process_switches(const Target *target);
void process_enter(Switches wanted);
void process_leave(void);
// Leaves as often as this thread has entered, after a jump (frontend/text/rescue.h).
void process_abandon(void);

// A machine for the target. `is_known`: the processor and features are known to exist, so LLVM reports nothing;
// otherwise *message is LLVM's output on standard error during the call, or NULL. `is_abi_given`: the user names the
// calling convention.
LLVMTargetMachineRef process_open_machine(Arena *arena, LLVMTargetRef which, const Target *target,
                                          const char *abi, bool is_known, bool is_abi_given,
                                          const char **message);

#endif
