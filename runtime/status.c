// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names and texts of statuses, expanded from their table.
#include "runtime/status.h"

const char *rsh_status_name(rsh_status status) {
  static const char *const names[] = {
#define RSH_STATUS(name, text) #name,
#include "runtime/statuses.def"
#undef RSH_STATUS
  };
  return (unsigned)status < RSH_STATUS_COUNT ? names[status] : "unknown_status";
}

const char *rsh_status_string(rsh_status status) {
  static const char *const texts[] = {
#define RSH_STATUS(name, text) text,
#include "runtime/statuses.def"
#undef RSH_STATUS
  };
  return (unsigned)status < RSH_STATUS_COUNT ? texts[status] : "unknown status";
}
