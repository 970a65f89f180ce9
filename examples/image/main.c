// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Splits the picture of make_picture.py into planes, joins them again, computes the inputs of two networks, and
// compares all results with NumPy's.
#include "../common/example.h"
#include "image.h"

#include <stdlib.h>

typedef struct {
  uint8_t *photo, *planes, *back;
  float *floats;
  int8_t *bytes;
} Picture;

static void run_planar(void *context) {
  Picture *p = context;
  planar(p->photo, p->planes);
}

static void run_interleaved(void *context) {
  Picture *p = context;
  interleaved(p->planes, p->back);
}

static void run_normalized(void *context) {
  Picture *p = context;
  normalized(p->photo, p->floats);
}

static void run_quantized(void *context) {
  Picture *p = context;
  quantized(p->photo, p->bytes);
}

int main(int argc, char **argv) {
  const char *folder = argc > 1 ? argv[1] : ".";
  Picture p;
  p.photo = example_load(folder, "photo", PLANAR_PHOTO_BYTES);
  p.planes = example_alloc(PLANAR_PLANES_BYTES);
  p.back = example_alloc(INTERLEAVED_PHOTO_BYTES);
  p.floats = example_alloc(NORMALIZED_PLANES_BYTES);
  p.bytes = example_alloc(QUANTIZED_PLANES_BYTES);
  uint8_t *planes = example_load(folder, "planes", PLANAR_PLANES_BYTES);
  uint8_t *top = example_load(folder, "top", UPPER_HALF_TOP_BYTES);
  float *floats = example_load(folder, "floats", NORMALIZED_PLANES_BYTES);
  int8_t *bytes = example_load(folder, "bytes", QUANTIZED_PLANES_BYTES);

  run_planar(&p);
  run_interleaved(&p);
  run_normalized(&p);
  run_quantized(&p);
  int wrong = example_report("planes", PLANAR_PLANES_IS_ALIAS, p.planes, planes,
                             PLANAR_PLANES_BYTES, run_planar, &p);
  wrong += example_report("photo", INTERLEAVED_PHOTO_IS_ALIAS, p.back, p.photo,
                          INTERLEAVED_PHOTO_BYTES, run_interleaved, &p);
  wrong += example_report("top", UPPER_HALF_TOP_IS_ALIAS, upper_half_top(p.photo), top,
                          UPPER_HALF_TOP_BYTES, NULL, NULL);
  wrong += example_report("floats", NORMALIZED_PLANES_IS_ALIAS, p.floats, floats,
                          NORMALIZED_PLANES_BYTES, run_normalized, &p);
  wrong += example_report("bytes", QUANTIZED_PLANES_IS_ALIAS, p.bytes, bytes,
                          QUANTIZED_PLANES_BYTES, run_quantized, &p);
  free(p.photo), free(p.planes), free(p.back), free(p.floats), free(p.bytes);
  free(planes), free(top), free(floats), free(bytes);
  return wrong != 0;
}
