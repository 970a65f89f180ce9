// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What LLVM has once in a process, for threads that compile at the same time.
#ifndef CODEGEN_PROCESS_H
#define CODEGEN_PROCESS_H

#include "codegen/llvm/llvm_module.h"

// Registers all families and the handler of fatal errors, the first time.
void process_start(void);

// LLVM cannot make the code: the process ends with a message and status 3, or jumps (frontend/text/rescue.h).
void process_fail(const char *reason);

// Switches that no call of LLVM takes for one module: they hold for the process. Code is made between these two, by
// any number of threads whose targets want the same; others wait for them.
typedef enum Switches {
  SWITCHES_NONE,
  SWITCHES_FEW_REGISTERS, // numbers are made where they are used
  SWITCHES_OWN_LOOPS,     // what loops count with stays as it is built
} Switches;
Switches process_switches(const Target *target);
void process_enter(Switches wanted);
void process_leave(void);
// Leaves as often as this thread has entered: it came here by a jump (frontend/text/rescue.h).
void process_abandon(void);

// A machine for the target. Where it `is_known` that there are such a processor and features, LLVM has nothing to say;
// else *said is what it wrote to standard error meanwhile, or NULL. `is_asked`: the user names the convention of calls.
LLVMTargetMachineRef process_open_machine(Arena *arena, LLVMTargetRef which, const Target *target,
                                          const char *abi, bool is_known, bool is_asked,
                                          const char **said);

#endif
