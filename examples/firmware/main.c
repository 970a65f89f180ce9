// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls the kernels on a board and checks the position of each byte.
#include "board.h"
#include "firmware.h"

#include <stddef.h>

static uint8_t frame[96][96][3];
static int8_t planes[3][96][96];
static uint16_t pixels[96][96];
static int8_t mfcc[490]; // 49 by 10, then 10 by 49

static int camera_is_right(void) {
  for (size_t h = 0; h < 96; h++)
    for (size_t w = 0; w < 96; w++)
      for (size_t c = 0; c < 3; c++)
        frame[h][w][c] = (uint8_t)((h * 7 + w * 3 + c * 41) & 127);
  camera(&frame[0][0][0], &planes[0][0][0]);
  for (size_t h = 0; h < 96; h++)
    for (size_t w = 0; w < 96; w++)
      for (size_t c = 0; c < 3; c++)
        if (planes[c][h][w] != (int8_t)frame[h][w][c])
          return 0;
  return 1;
}

static int keywords_are_right(void) {
  for (size_t i = 0; i < 490; i++)
    mfcc[i] = (int8_t)(i * 5 % 256 - 128);
  keywords(mfcc, mfcc);
  for (size_t step = 0; step < 49; step++)
    for (size_t feature = 0; feature < 10; feature++)
      if (mfcc[feature * 49 + step] != (int8_t)((step * 10 + feature) * 5 % 256 - 128))
        return 0;
  return 1;
}

// These pixels cover all values of each color.
static int sensor_is_right(void) {
  for (size_t i = 0; i < 96 * 96; i++)
    pixels[i / 96][i % 96] = (uint16_t)(i * 40503u);
  sensor(&pixels[0][0], &planes[0][0][0]);
  for (size_t h = 0; h < 96; h++)
    for (size_t w = 0; w < 96; w++) {
      int r = pixels[h][w] >> 11, g = pixels[h][w] >> 5 & 63, b = pixels[h][w] & 31;
      if (planes[0][h][w] != (r << 3 | r >> 2) - 128 ||
          planes[1][h][w] != (g << 2 | g >> 4) - 128 || planes[2][h][w] != (b << 3 | b >> 2) - 128)
        return 0;
    }
  return 1;
}

int main(void) {
  int good_camera = camera_is_right(), good_keywords = keywords_are_right(),
      good_sensor = sensor_is_right();
  say(good_camera ? "camera: every byte is in its plane\n" : "camera: wrong\n");
  say(good_keywords ? "keywords: transposed in one buffer\n" : "keywords: wrong\n");
  say(good_sensor ? "sensor: every pixel is in three planes\n" : "sensor: wrong\n");
  return good_camera && good_keywords && good_sensor ? 0 : 1;
}
