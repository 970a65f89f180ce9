// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of headers of the system, which cppcheck does not read: what its reading of ours depends on.
#define PROTOBUF_C_VERSION_NUMBER 1004000
#define PROTOBUF_C_MIN_COMPILER_VERSION 1000000
#define HASH_ITER(hh, head, el, tmp) for ((el) = (head), (tmp) = 0; (el); (el) = (tmp))
