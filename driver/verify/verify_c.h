// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DRIVER_VERIFY_C_H
#define DRIVER_VERIFY_C_H

#include "driver/base/pipeline.h"
#include "driver/base/tools.h"

// Compiles the C text to an object with the C compiler of the options. The text may include `header`. For another
// machine it appends the compiler's `libraries`, to link with the object. False: an error was reported.
bool verify_compile_c(Pipeline *p, Bytes text, Bytes header, Bytes *object, Words *libraries);
// The command of the C compiler: "cc" if the options name none.
const char *verify_c_compiler(const Options *options);

#endif
