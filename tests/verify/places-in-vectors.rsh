# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# For processors such as Zen 4, LLVM loads several places of a nest from their table at once, as a masked gather. A place
# is no element, so addresses may depend on it.
# RUN: %{reshapec} verify %s -Os -mcpu=native | FileCheck %s
# CHECK: borders  proved
graph borders(x: i64[2, 56, 5, 56]) -> y {
    v1 = pad(x[:, :, :, ::-1], [0, 2, 0, 0, 0, 2, 2, 0], mode="reflect")
    y = pad(v1, [0, 2, 0, 3, 1, 1, 0, 2], mode="wrap")
}
