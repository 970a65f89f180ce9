// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SHA-256 (FIPS 180-4), so that certificates and headers identify files as sha256sum does.
#ifndef FRONTEND_SHA256_H
#define FRONTEND_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { SHA256_BLOCK = 64 };

typedef struct Sha256 {
  uint32_t state[8];
  uint64_t size;               // bytes so far
  uint8_t block[SHA256_BLOCK]; // the bytes of the partial block
} Sha256;

// The hash of data in several parts, as 64 digits and a NUL.
void sha256_begin(Sha256 *hash);
void sha256_add(Sha256 *hash, const void *data, size_t size);
void sha256_end(Sha256 *hash, char text[65]);
// The same for a single part.
void sha256_text(const void *data, size_t size, char text[65]);

#endif
