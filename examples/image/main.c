// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes the picture that make_picture.py drew apart into planes, puts it together again, and holds both
// to numpy's.
#include "../common/example.h"
#include "image.h"

#include <stdlib.h>

typedef struct {
  uint8_t *photo, *planes, *back;
} Picture;

static void run_planar(void *context) {
  Picture *p = context;
  planar(p->photo, p->planes);
}

static void run_interleaved(void *context) {
  Picture *p = context;
  interleaved(p->planes, p->back);
}

int main(int argc, char **argv) {
  const char *folder = argc > 1 ? argv[1] : ".";
  Picture p;
  p.photo = example_load(folder, "photo", PLANAR_PHOTO_BYTES);
  p.planes = example_alloc(PLANAR_PLANES_BYTES);
  p.back = example_alloc(INTERLEAVED_PHOTO_BYTES);
  uint8_t *planes = example_load(folder, "planes", PLANAR_PLANES_BYTES);
  uint8_t *top = example_load(folder, "top", UPPER_HALF_TOP_BYTES);

  run_planar(&p);
  run_interleaved(&p);
  int wrong = example_report("planes", PLANAR_PLANES_IS_ALIAS, p.planes, planes,
                             PLANAR_PLANES_BYTES, run_planar, &p);
  wrong += example_report("photo", INTERLEAVED_PHOTO_IS_ALIAS, p.back, p.photo,
                          INTERLEAVED_PHOTO_BYTES, run_interleaved, &p);
  wrong += example_report("top", UPPER_HALF_TOP_IS_ALIAS, upper_half_top(p.photo), top,
                          UPPER_HALF_TOP_BYTES, NULL, NULL);
  free(p.photo), free(p.planes), free(p.back), free(planes), free(top);
  return wrong != 0;
}
