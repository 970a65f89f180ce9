// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions from system headers, which cppcheck does not read but needs to check our files.
#define PROTOBUF_C_VERSION_NUMBER 1004000
#define PROTOBUF_C_MIN_COMPILER_VERSION 1000000
#define HASH_ITER(hh, head, el, tmp) for ((el) = (head), (tmp) = 0; (el); (el) = (tmp))
