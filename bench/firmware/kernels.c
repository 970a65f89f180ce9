// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Handwritten versions of the graphs of kernels.rsh: one loop for each axis of the result, and memcpy and memset for
// contiguous elements if there is a C library.
#include <stddef.h>
#include <stdint.h>

#ifdef LIBRARY
void *memcpy(void *restrict to, const void *restrict from, size_t bytes);
void *memmove(void *to, const void *from, size_t bytes);
void *memset(void *to, int byte, size_t bytes);
#define MOVE(to, from, count) (void)memmove(to, from, (count) * sizeof *(to))
#define COPY(to, from, count) (void)memcpy(to, from, (count) * sizeof *(to))
#define ZERO(to, count) (void)memset(to, 0, (count) * sizeof *(to))
#else
#define COPY(to, from, count)                                                                      \
  for (int e = 0; e < (count); e++)                                                                \
  (to)[e] = (from)[e]
#define MOVE(to, from, count) COPY(to, from, count) /* downward */
#define ZERO(to, count)                                                                            \
  for (int e = 0; e < (count); e++)                                                                \
  (to)[e] = 0
#endif

void fw_t_8x8_u8(const uint8_t *restrict x, uint8_t *restrict y) {
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++)
      y[8 * i + j] = x[8 * j + i];
}

void fw_28x28x1_to_1x28x28_u8(const uint8_t *restrict x, uint8_t *restrict y) {
  COPY(y, x, 28 * 28);
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
    COPY(&y[8 * 12 * h], &x[8 * (16 * (h + 2) + 2)], 8 * 12);
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
    COPY(&y[24 * p], &a[16 * p], 16);
    COPY(&y[24 * p + 16], &b[8 * p], 8);
  }
}

void concat_16x8x8_8x8x8_f32(const float *restrict a, const float *restrict b, float *restrict y) {
  COPY(y, a, 16 * 8 * 8);
  COPY(&y[16 * 8 * 8], b, 8 * 8 * 8);
}

void pad_3x8x8_i8(const int8_t *restrict x, int8_t *restrict y) {
  ZERO(y, 3 * 10 * 10);
  for (int c = 0; c < 3; c++)
    for (int h = 0; h < 8; h++)
      COPY(&y[10 * (10 * c + h + 1) + 1], &x[8 * (8 * c + h)], 8);
}

void pad_8x8x4_f32(const float *restrict x, float *restrict y) {
  ZERO(y, 10 * 10 * 4);
  for (int h = 0; h < 8; h++)
    COPY(&y[4 * (10 * (h + 1) + 1)], &x[4 * 8 * h], 4 * 8);
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
    COPY(&y[2 * 12 * h], &x[2 * (16 * (h + 2) + 2)], 2 * 12);
}

void words_concat_8x8x16_8x8x8_i8(const uint32_t *restrict a, const uint32_t *restrict b,
                                  uint32_t *restrict y) {
  for (int p = 0; p < 8 * 8; p++) {
    COPY(&y[6 * p], &a[4 * p], 4);
    COPY(&y[6 * p + 4], &b[2 * p], 2);
  }
}

void hwc2chw_8x8x4_i8(const int8_t *restrict x, int8_t *restrict y) {
  for (int c = 0; c < 4; c++)
    for (int h = 0; h < 8; h++)
      for (int w = 0; w < 8; w++)
        y[8 * (8 * c + h) + w] = x[4 * (8 * h + w) + c];
}

void window_20x13_i16(const int16_t *restrict x, int16_t *restrict y) {
  COPY(y, &x[13], 13 * 19);
  COPY(&y[13 * 19], &x[13 * 19], 13);
}

void border_32x32x8_i8(const int8_t *restrict x, int8_t *restrict y) {
  ZERO(y, 34 * 34 * 8);
  for (int h = 0; h < 32; h++)
    COPY(&y[8 * (34 * (h + 1) + 1)], &x[8 * 32 * h], 8 * 32);
}

void im2col_16x16x4_i8(const int8_t *restrict x, int8_t *restrict y) {
  for (int h = 0; h < 14; h++)
    for (int w = 0; w < 14; w++)
      for (int i = 0; i < 3; i++)
        COPY(&y[12 * (3 * (14 * h + w) + i)], &x[4 * (16 * (h + i) + w)], 12);
}

void slide_49x40_i8(const int8_t *restrict x, const int8_t *restrict f, int8_t *restrict y) {
  COPY(y, &x[40], 48 * 40);
  COPY(&y[48 * 40], f, 40);
}

void words_slide_49x40_i8(const uint32_t *restrict x, const uint32_t *restrict f,
                          uint32_t *restrict y) {
  COPY(y, &x[10], 48 * 10);
  COPY(&y[48 * 10], f, 10);
}

void s2d_32x32x4_i8(const int8_t *restrict x, int8_t *restrict y) {
  for (int h = 0; h < 16; h++)
    for (int w = 0; w < 16; w++)
      for (int i = 0; i < 2; i++)
        COPY(&y[16 * (16 * h + w) + 8 * i], &x[4 * (32 * (2 * h + i) + 2 * w)], 8);
}

void stride2_32x32x8_i8(const int8_t *restrict x, int8_t *restrict y) {
  for (int h = 0; h < 16; h++)
    for (int w = 0; w < 16; w++)
      COPY(&y[8 * (16 * h + w)], &x[8 * (32 * 2 * h + 2 * w)], 8);
}

void unpack_2048_i4(const uint8_t *restrict x, int8_t *restrict y) {
  for (int i = 0; i < 1024; i++) {
    y[2 * i] = (int8_t)((int8_t)(uint8_t)(x[i] << 4) >> 4);
    y[2 * i + 1] = (int8_t)((int8_t)x[i] >> 4);
  }
}

void xrgb_24x32x3_u8(const uint8_t *restrict x, uint8_t *restrict y) {
  for (int i = 0; i < 24 * 32; i++) {
    for (int c = 0; c < 3; c++)
      y[4 * i + c] = x[3 * i + c];
    y[4 * i + 3] = 0;
  }
}

void rgb888_24x32_u16(const uint16_t *restrict x, uint8_t *restrict y) {
  for (int i = 0; i < 24 * 32; i++) {
    unsigned pixel = x[i], r = pixel >> 11, g = pixel >> 5 & 63, b = pixel & 31;
    y[3 * i] = (uint8_t)(r << 3 | r >> 2);
    y[3 * i + 1] = (uint8_t)(g << 2 | g >> 4);
    y[3 * i + 2] = (uint8_t)(b << 3 | b >> 2);
  }
}

void bgr_24x32x3_u8(const uint8_t *restrict x, uint8_t *restrict y) {
  for (int i = 0; i < 24 * 32; i++)
    for (int c = 0; c < 3; c++)
      y[3 * i + c] = x[3 * i + 2 - c];
}

void rotate_24x32_u16(const uint16_t *restrict x, uint16_t *restrict y) {
  for (int w = 0; w < 32; w++)
    for (int h = 0; h < 24; h++)
      y[24 * w + h] = x[32 * (23 - h) + w];
}

void turn_24x32_u16(const uint16_t *restrict x, uint16_t *restrict y) {
  for (int i = 0; i < 24 * 32; i++)
    y[i] = x[24 * 32 - 1 - i];
}

void luma_24x32_u8(const uint8_t *restrict x, uint8_t *restrict y) {
  for (int i = 0; i < 24 * 32; i++)
    y[i] = x[2 * i];
}

void tdm_64x8_i16(const int16_t *restrict x, int16_t *restrict y) {
  for (int c = 0; c < 8; c++)
    for (int t = 0; t < 64; t++)
      y[64 * c + t] = x[8 * t + c];
}

void stereo_256x2_i16(const int16_t *restrict x, int16_t *restrict y) {
  for (int t = 0; t < 256; t++) {
    y[t] = x[2 * t];
    y[256 + t] = x[2 * t + 1];
  }
}

void mix_2x256_i16(const int16_t *restrict x, int16_t *restrict y) {
  for (int t = 0; t < 256; t++) {
    y[2 * t] = x[t];
    y[2 * t + 1] = x[256 + t];
  }
}

void d2s_16x16x4_u8(const uint8_t *restrict x, uint8_t *restrict y) {
  for (int h = 0; h < 16; h++)
    for (int i = 0; i < 2; i++)
      for (int w = 0; w < 16; w++)
        for (int j = 0; j < 2; j++)
          y[32 * (2 * h + i) + 2 * w + j] = x[4 * (16 * h + w) + 2 * i + j];
}

void twice_12x12x8_i8(const int8_t *restrict x, int8_t *restrict y) {
  for (int h = 0; h < 24; h++)
    for (int w = 0; w < 24; w++)
      COPY(&y[8 * (24 * h + w)], &x[8 * (12 * (h / 2) + w / 2)], 8);
}

void heads_16x4x8_i8(const int8_t *restrict x, int8_t *restrict y) {
  for (int k = 0; k < 4; k++)
    for (int t = 0; t < 16; t++)
      COPY(&y[8 * (16 * k + t)], &x[8 * (4 * t + k)], 8);
}

static void exchange(uint8_t *a, uint8_t *b) {
  uint8_t kept = *a;
  *a = *b;
  *b = kept;
}

#define INLINE static inline __attribute__((always_inline))

// Element `at` of this many bits, a divisor of 8.
INLINE unsigned part(const uint8_t *from, unsigned at, unsigned bits) {
  return from[at * bits / 8] >> at * bits % 8 & ((1U << bits) - 1);
}

INLINE void set_part(uint8_t *to, unsigned at, unsigned bits, unsigned element) {
  unsigned shift = at * bits % 8, others = to[at * bits / 8] & ~(((1U << bits) - 1) << shift);
  to[at * bits / 8] = (uint8_t)(others | element << shift);
}

void bits_17x24_u1(const uint8_t *restrict x, uint8_t *restrict y) {
  for (unsigned i = 0; i < 24; i++)
    for (unsigned j = 0; j < 17; j++)
      set_part(y, 17 * i + j, 1, part(x, 24 * j + i, 1));
}

void frame_8x10_u1(const uint8_t *restrict x, uint8_t *restrict y) {
  ZERO(y, 15);
  for (unsigned i = 0; i < 8; i++)
    for (unsigned j = 0; j < 10; j++)
      set_part(y, 12 * (i + 1) + 1 + j, 1, part(x, 10 * i + j, 1));
}

void pixels_12x10_u4(const uint8_t *restrict x, uint8_t *restrict y) {
  for (unsigned i = 0; i < 10; i++)
    for (unsigned j = 0; j < 12; j++)
      set_part(y, 12 * i + j, 4, part(x, 10 * j + i, 4));
}

void flags_256_u1_u8(const uint8_t *restrict x, uint8_t *restrict y) {
  for (unsigned i = 0; i < 256; i++)
    y[i] = (uint8_t)part(x, i, 1);
}

void pack_256_u8_u1(const uint8_t *restrict x, uint8_t *restrict y) {
  for (unsigned i = 0; i < 256; i++)
    set_part(y, i, 1, x[i] & 1U);
}

void rows_14x5_u8(const uint8_t *restrict x, uint8_t *restrict y) {
  static const uint8_t row[] = {3, 0, 15, 7, 7, 2, 9, 1, 4, 13, 5, 8, 8, 14};
  for (int i = 0; i < 14; i++)
    COPY(&y[5 * i], &x[5 * row[i]], 5);
}

void inplace_square_24x24_u8(const uint8_t *x, uint8_t *y) {
  (void)x;
  for (int i = 1; i < 24; i++)
    for (int j = 0; j < i; j++)
      exchange(&y[24 * i + j], &y[24 * j + i]);
}

void inplace_mirror_24x32_u8(const uint8_t *x, uint8_t *y) {
  (void)x;
  for (int h = 0; h < 24; h++)
    for (int w = 0; w < 16; w++)
      exchange(&y[32 * h + w], &y[32 * h + 31 - w]);
}

// Follows the cycles, with one bit for each byte that is done.
void inplace_planes_24x32x3_u8(const uint8_t *x, uint8_t *y) {
  (void)x;
  uint8_t done[24 * 32 * 3 / 8];
  ZERO(done, 24 * 32 * 3 / 8);
  for (unsigned begin = 0; begin < 24 * 32 * 3; begin++) {
    unsigned at = begin;
    uint8_t kept = y[at];
    while (!(done[at / 8] >> at % 8 & 1)) {
      done[at / 8] = (uint8_t)(done[at / 8] | 1 << at % 8);
      at = at % 3 * (24 * 32) + at / 3; // the destination of the byte
      exchange(&kept, &y[at]);
    }
  }
}

void inplace_slide_49x10_i8(const int8_t *x, const int8_t *restrict f, int8_t *y) {
  (void)x;
  MOVE(y, &y[10], 10 * 48);
  COPY(&y[10 * 48], f, 10);
}

void inplace_crop_24x32_u8(const uint8_t *x, uint8_t *y) {
  (void)x;
  for (int h = 0; h < 16; h++)
    MOVE(&y[24 * h], &y[32 * (h + 4) + 4], 24);
}

static void reverse(int16_t *from, int16_t *to) {
  while (from < --to) {
    int16_t kept = *from;
    *from++ = *to;
    *to = kept;
  }
}

void inplace_ring_256_i16(const int16_t *x, int16_t *y) {
  (void)x;
  reverse(y, y + 48);
  reverse(y + 48, y + 256);
  reverse(y, y + 256);
}

void open_40x42_t_u8(int64_t height, int64_t width, const uint8_t *restrict x,
                     uint8_t *restrict y) {
  size_t h = (size_t)height, w = (size_t)width;
  for (size_t j = 0; j < w; j++)
    for (size_t i = 0; i < h; i++)
      y[h * j + i] = x[w * i + j];
}

void open_24x21_t_f32(int64_t height, int64_t width, const float *restrict x, float *restrict y) {
  size_t h = (size_t)height, w = (size_t)width;
  for (size_t j = 0; j < w; j++)
    for (size_t i = 0; i < h; i++)
      y[h * j + i] = x[w * i + j];
}

void open_24x32_planes_u8(int64_t height, int64_t width, const uint8_t *restrict x,
                          uint8_t *restrict y) {
  size_t h = (size_t)height, w = (size_t)width;
  for (size_t c = 0; c < 3; c++)
    for (size_t i = 0; i < h; i++)
      for (size_t j = 0; j < w; j++)
        y[w * (h * c + i) + j] = x[3 * (w * i + j) + c];
}
