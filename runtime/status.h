// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The results of calls of the runtime: ok, and one value for each kind of failure, from statuses.def.
#ifndef RSH_STATUS_H
#define RSH_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum rsh_status {
#define RSH_STATUS(name, text) RSH_##name,
#include "runtime/statuses.def"
#undef RSH_STATUS
  RSH_STATUS_COUNT
} rsh_status;

// The stable name, e.g. "volume_mismatch"; the `kind` of a diagnostic. Never NULL.
const char *rsh_status_name(rsh_status status);

// One sentence for people, e.g. "element counts differ". Never NULL.
// Firmware that does not call it does not contain the text.
const char *rsh_status_string(rsh_status status);

#ifdef __cplusplus
}
#endif
#endif
