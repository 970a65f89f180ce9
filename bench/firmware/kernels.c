// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The graphs of kernels.rsh as one writes them by hand: a loop an axis of the result.
#include <stdint.h>

void fw_t_8x8_u8(const uint8_t *restrict x, uint8_t *restrict y) {
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++)
      y[8 * i + j] = x[8 * j + i];
}

void fw_28x28x1_to_1x28x28_u8(const uint8_t *restrict x, uint8_t *restrict y) {
  for (int h = 0; h < 28; h++)
    for (int w = 0; w < 28; w++)
      y[28 * h + w] = x[28 * h + w];
}

void fw_t_49x10_f32(const float *restrict x, float *restrict y) {
  for (int i = 0; i < 10; i++)
    for (int t = 0; t < 49; t++)
      y[49 * i + t] = x[10 * t + i];
}

void fw_chw2hwc_3x32x32_i8(const int8_t *restrict x, int8_t *restrict y) {
  for (int h = 0; h < 32; h++)
    for (int w = 0; w < 32; w++)
      for (int c = 0; c < 3; c++)
        y[3 * (32 * h + w) + c] = x[32 * (32 * c + h) + w];
}

void crop_16x16x8_i8(const int8_t *restrict x, int8_t *restrict y) {
  for (int h = 0; h < 12; h++)
    for (int w = 0; w < 12; w++)
      for (int c = 0; c < 8; c++)
        y[8 * (12 * h + w) + c] = x[8 * (16 * (h + 2) + w + 2) + c];
}

void hwc2chw_96x96x3_u8(const uint8_t *restrict x, uint8_t *restrict y) {
  for (int c = 0; c < 3; c++)
    for (int h = 0; h < 96; h++)
      for (int w = 0; w < 96; w++)
        y[96 * (96 * c + h) + w] = x[3 * (96 * h + w) + c];
}

void camera_64x80x3_u8_i8(const uint8_t *restrict x, int8_t *restrict y) {
  for (int c = 0; c < 3; c++)
    for (int h = 0; h < 64; h++)
      for (int w = 0; w < 80; w++)
        y[80 * (64 * c + h) + w] = (int8_t)x[3 * (80 * h + w) + c];
}

void mfcc_49x10_i8(const int8_t *restrict x, int8_t *restrict y) {
  for (int i = 0; i < 10; i++)
    for (int t = 0; t < 49; t++)
      y[49 * i + t] = x[10 * t + i];
}

void mfcc_49x10_i16(const int16_t *restrict x, int16_t *restrict y) {
  for (int i = 0; i < 10; i++)
    for (int t = 0; t < 49; t++)
      y[49 * i + t] = x[10 * t + i];
}

void concat_8x8x16_8x8x8_i8(const int8_t *restrict a, const int8_t *restrict b,
                            int8_t *restrict y) {
  for (int p = 0; p < 8 * 8; p++) {
    for (int c = 0; c < 16; c++)
      y[24 * p + c] = a[16 * p + c];
    for (int c = 0; c < 8; c++)
      y[24 * p + 16 + c] = b[8 * p + c];
  }
}

void concat_16x8x8_8x8x8_f32(const float *restrict a, const float *restrict b, float *restrict y) {
  for (int i = 0; i < 16 * 8 * 8; i++)
    y[i] = a[i];
  for (int i = 0; i < 8 * 8 * 8; i++)
    y[16 * 8 * 8 + i] = b[i];
}

void pad_3x8x8_i8(const int8_t *restrict x, int8_t *restrict y) {
  for (int i = 0; i < 3 * 10 * 10; i++)
    y[i] = 0;
  for (int c = 0; c < 3; c++)
    for (int h = 0; h < 8; h++)
      for (int w = 0; w < 8; w++)
        y[10 * (10 * c + h + 1) + w + 1] = x[8 * (8 * c + h) + w];
}

void pad_8x8x4_f32(const float *restrict x, float *restrict y) {
  for (int i = 0; i < 10 * 10 * 4; i++)
    y[i] = 0;
  for (int h = 0; h < 8; h++)
    for (int w = 0; w < 8; w++)
      for (int c = 0; c < 4; c++)
        y[4 * (10 * (h + 1) + w + 1) + c] = x[4 * (8 * h + w) + c];
}

void mirror_28x28_u8(const uint8_t *restrict x, uint8_t *restrict y) {
  for (int h = 0; h < 28; h++)
    for (int w = 0; w < 28; w++)
      y[28 * h + w] = x[28 * h + 27 - w];
}

void blocks_28x28_u8(const uint8_t *restrict x, uint8_t *restrict y) {
  for (int h = 0; h < 14; h++)
    for (int w = 0; w < 14; w++)
      for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
          y[2 * (2 * (14 * h + w) + i) + j] = x[28 * (2 * h + i) + 2 * w + j];
}

void half_32x32_u8(const uint8_t *restrict x, uint8_t *restrict y) {
  for (int h = 0; h < 16; h++)
    for (int w = 0; w < 16; w++)
      y[16 * h + w] = x[32 * 2 * h + 2 * w];
}

void shuffle_8x8x16_i8(const int8_t *restrict x, int8_t *restrict y) {
  for (int p = 0; p < 8 * 8; p++)
    for (int c = 0; c < 8; c++)
      for (int g = 0; g < 2; g++)
        y[16 * p + 2 * c + g] = x[16 * p + 8 * g + c];
}

void axes_128x3_i16(const int16_t *restrict x, int16_t *restrict y) {
  for (int a = 0; a < 3; a++)
    for (int t = 0; t < 128; t++)
      y[128 * a + t] = x[3 * t + a];
}

// Words of 4 channels.
void words_crop_16x16x8_i8(const uint32_t *restrict x, uint32_t *restrict y) {
  for (int h = 0; h < 12; h++)
    for (int w = 0; w < 12; w++)
      for (int c = 0; c < 2; c++)
        y[2 * (12 * h + w) + c] = x[2 * (16 * (h + 2) + w + 2) + c];
}

void words_concat_8x8x16_8x8x8_i8(const uint32_t *restrict a, const uint32_t *restrict b,
                                  uint32_t *restrict y) {
  for (int p = 0; p < 8 * 8; p++) {
    for (int c = 0; c < 4; c++)
      y[6 * p + c] = a[4 * p + c];
    for (int c = 0; c < 2; c++)
      y[6 * p + 4 + c] = b[2 * p + c];
  }
}

void hwc2chw_8x8x4_i8(const int8_t *restrict x, int8_t *restrict y) {
  for (int c = 0; c < 4; c++)
    for (int h = 0; h < 8; h++)
      for (int w = 0; w < 8; w++)
        y[8 * (8 * c + h) + w] = x[4 * (8 * h + w) + c];
}

void window_20x13_i16(const int16_t *restrict x, int16_t *restrict y) {
  for (int t = 0; t < 19; t++)
    for (int i = 0; i < 13; i++)
      y[13 * t + i] = x[13 * (t + 1) + i];
  for (int i = 0; i < 13; i++)
    y[13 * 19 + i] = x[13 * 19 + i];
}
