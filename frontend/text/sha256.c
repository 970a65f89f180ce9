// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/text/sha256.h"

#include <stdio.h>
#include <string.h>

enum { BLOCK = SHA256_BLOCK };

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
static const uint32_t round_constant[BLOCK] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotate(uint32_t x, int by) { return x >> by | x << (32 - by); }

static void take_block(uint32_t state[8], const uint8_t block[BLOCK]) {
  uint32_t w[BLOCK], v[8];
  for (int i = 0; i < 16; i++)
    w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
           (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
  for (int i = 16; i < BLOCK; i++) {
    uint32_t a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + w[i - 7] +
           (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
  }
  memcpy(v, state, sizeof v);
  for (int i = 0; i < BLOCK; i++) {
    uint32_t choice = (v[4] & v[5]) ^ (~v[4] & v[6]),
             majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
    uint32_t one = v[7] + (rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25)) + choice +
                   round_constant[i] + w[i];
    uint32_t two = (rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22)) + majority;
    memmove(v + 1, v, 7 * sizeof *v);
    v[4] += one;
    v[0] = one + two;
  }
  for (int i = 0; i < 8; i++)
    state[i] += v[i];
}

void sha256_begin(Sha256 *hash) {
  *hash = (Sha256){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c,
                             0x1f83d9ab, 0x5be0cd19}};
}

void sha256_add(Sha256 *hash, const void *data, size_t size) {
  const uint8_t *byte = data;
  size_t rest = (size_t)(hash->size % BLOCK), at = 0;
  if (size == 0) // then data may be NULL
    return;
  hash->size += size;
  if (rest > 0) {
    at = size < BLOCK - rest ? size : BLOCK - rest;
    memcpy(hash->block + rest, byte, at);
    if (rest + at < BLOCK)
      return;
    take_block(hash->state, hash->block);
  }
  for (; size - at >= BLOCK; at += BLOCK)
    take_block(hash->state, byte + at);
  if (size > at)
    memcpy(hash->block, byte + at, size - at);
}

void sha256_end(Sha256 *hash, char text[65]) {
  const uint64_t bits = hash->size * 8;
  static const uint8_t padding[2 * BLOCK] = {0x80};
  size_t rest = (size_t)(hash->size % BLOCK);
  sha256_add(hash, padding, (rest < BLOCK - 8 ? BLOCK : 2 * BLOCK) - 8 - rest);
  uint8_t length[8];
  for (int i = 0; i < 8; i++)
    length[i] = (uint8_t)(bits >> (56 - 8 * i));
  sha256_add(hash, length, sizeof length);
  for (int i = 0; i < 8; i++)
    snprintf(text + 8 * i, 9, "%08x", (unsigned)hash->state[i]);
}

void sha256_text(const void *data, size_t size, char text[65]) {
  Sha256 hash;
  sha256_begin(&hash);
  sha256_add(&hash, data, size);
  sha256_end(&hash, text);
}
