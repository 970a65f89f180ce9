// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DRIVER_VERIFY_C_H
#define DRIVER_VERIFY_C_H

#include "driver/base/pipeline.h"

// The object that the C compiler of the options makes of this C text. `header` is what the text may include. False:
// a message was reported.
bool verify_compile_c(Pipeline *p, Bytes text, Bytes header, Bytes *object);
// The words of the C compiler's call: "cc" where the options name none.
const char *verify_c_compiler(const Options *options);

#endif
