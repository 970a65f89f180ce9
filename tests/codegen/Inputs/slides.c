// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs each kernel in one buffer, and compares the result with handwritten loops that read a copy.
#include "slides.h"

#include <stdio.h>
#include <string.h>

static int wrong;

static void expect(int holds, const char *name) {
  if (!holds)
    printf("%s is wrong\n", name);
  wrong += !holds;
}

static void try_mfcc(void) {
  int8_t x[49 * 10], k[10];
  for (int i = 0; i < 490; i++)
    x[i] = (int8_t)(i % 101);
  for (int i = 0; i < 10; i++)
    k[i] = (int8_t)(-1 - i);
  mfcc(x, k, x);
  for (int i = 0; i < 490; i++)
    expect(x[i] == (i < 480 ? (i + 10) % 101 : -1 - (i - 480)), "mfcc");
}

static void try_crop(void) {
  float x[6 * 8];
  for (int i = 0; i < 48; i++)
    x[i] = (float)i;
  crop(x, x);
  for (int i = 0; i < 48; i++) // what lies behind the result stays
    expect(x[i] == (float)(i < 16 ? (i / 4 + 1) * 8 + i % 4 + 2 : i), "crop");
}

static void try_later(void) {
  uint16_t x[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, k[2] = {100, 101};
  const uint16_t y[9] = {100, 101, 1, 2, 3, 4, 5, 6, 7};
  later(x, k, x);
  expect(memcmp(x, y, sizeof y) == 0, "later");
}

static void try_halves(void) {
  static union {
    float x[300];
    uint16_t y[600];
  } u;
  for (int i = 0; i < 300; i++)
    u.x[i] = i % 2 ? 1.0F : -2.0F;
  halves(u.x, u.y);
  for (int i = 0; i < 300; i++)
    expect(u.y[i] == (i % 2 ? 0x3c00 : 0xc000), "halves");
}

static void try_wider(void) {
  static union {
    uint8_t x[WIDER_Y_BYTES];
    int32_t y[40];
  } u;
  for (int i = 0; i < 40; i++)
    u.x[i] = (uint8_t)(6 * i);
  wider(u.x, u.y);
  for (int i = 0; i < 40; i++)
    expect(u.y[i] == 6 * i, "wider");
}

static void try_apart(void) {
  int16_t x[20], k[2] = {-1, -2};
  const int16_t y[20] = {2, 3, 4, 5, 6, 7, -1, -2, 8, 9, 9, 10, 11, 12, 13, 14, 16, 17, 18, 19};
  for (int i = 0; i < 20; i++)
    x[i] = (int16_t)i;
  apart(x, k, x);
  expect(memcmp(x, y, sizeof y) == 0, "apart");
}

static void try_window(int T) {
  int32_t x[3 * 30], k[3] = {-1, -2, -3};
  for (int i = 0; i < 3 * T; i++)
    x[i] = i;
  expect(window(T, x, k, x) == RSH_ok, "window");
  for (int i = 0; i < 3 * T; i++)
    expect(x[i] == (i < 3 * T - 3 ? i + 3 : k[i - 3 * T + 3]), "window");
}

int main(void) {
  try_mfcc();
  try_crop();
  try_later();
  try_halves();
  try_wider();
  try_apart();
  for (int T = 1; T <= 30; T++)
    try_window(T);
  return wrong != 0;
}
