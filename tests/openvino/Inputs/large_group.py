# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""large_group.py: shuffles an open number of channels in as many groups as 63 bits count."""

from ir import Ir

ir = Ir()
x = ir.parameter("x", [1, 0, -1, -1])
ir.result(ir.layer("ShuffleChannels", [x], [[1, 0, -1, -1]], name="y", axis=-1, group=2**63 - 1))
ir.write("large_group")
