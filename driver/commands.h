// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The commands: each takes the options and gives the exit status, everything being printed.
#ifndef DRIVER_COMMANDS_H
#define DRIVER_COMMANDS_H

#include "driver/options.h"

Exit command_compile(const Options *options);
Exit command_check(const Options *options);
Exit command_explain(const Options *options);
Exit command_run(const Options *options);

#endif
