// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SHA-256 (FIPS 180-4), so that a certificate names an object as sha256sum does.
#ifndef DRIVER_SHA256_H
#define DRIVER_SHA256_H

#include <stddef.h>

// The hash of `size` bytes as 64 digits and a NUL.
void sha256_text(const void *data, size_t size, char text[65]);

#endif
