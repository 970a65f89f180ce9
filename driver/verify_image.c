// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/verify_image.h"

#include "codegen/plan.h"
#include "driver/verify_value.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Patterns of a graph with functions of elements.
enum { NUMBER_PATTERNS = 12 };

static int64_t input_labels(const Map *map) {
  int64_t end = 1;
  for (int i = 0; i < map->origin.count; i++)
    if (map->origin.item[i].kind == ORIGIN_INPUT)
      end = map->origin.item[i].first + map->origin.item[i].count;
  return end;
}

bool map_only_moves(const Map *map) {
  bool only = map->chain.count <= 1;
  for (int i = 0; i < map->origin.count; i++)
    only = only && map->origin.item[i].kind != ORIGIN_ROWS;
  return only;
}

static int narrowest(const Map *map) {
  int bits = 64;
  for (int i = 0; i < map->graph->input_count; i++) {
    int b = plan_element_bits(map->graph->value.item[i]->dtype);
    bits = b < bits ? b : bits;
  }
  return bits;
}

int pattern_count(const Map *map) {
  if (!map_only_moves(map))
    return NUMBER_PATTERNS;
  int bits = narrowest(map), planes = 1;
  for (int64_t labels = input_labels(map) >> (bits - 1) >> 1; labels > 0;
       labels = labels >> (bits - 1) >> 1)
    planes++;
  return 2 * planes;
}

Pattern pattern_at(const Map *map, int index) {
  bool labels = map_only_moves(map);
  return (Pattern){.index = index,
                   .plane = labels ? index / 2 : index,
                   .fill = index % 2 ? 0xa5 : 0x5a,
                   .is_masked = labels && index % 2};
}

// ---- elements in memory ----

static void put_bits(uint8_t *data, int64_t at, int bits, const uint8_t *from) {
  if (bits >= 8) {
    memcpy(data + at * (bits / 8), from, (size_t)bits / 8);
    return;
  }
  int each = 8 / bits, shift = (int)(at % each) * bits;
  unsigned mask = (1u << bits) - 1;
  uint8_t *byte = &data[at / each];
  *byte = (uint8_t)((*byte & ~(mask << shift)) | (from[0] & mask) << shift);
}

static void get_bits(const uint8_t *data, int64_t at, int bits, uint8_t *to) {
  memset(to, 0, 16);
  if (bits >= 8)
    memcpy(to, data + at * (bits / 8), (size_t)bits / 8);
  else
    to[0] = (uint8_t)(data[at / (8 / bits)] >> (int)(at % (8 / bits)) * bits & ((1 << bits) - 1));
}

// Masks turn labels of floats into signalling NaNs, which code that moves them as numbers would quiet.
static uint64_t mask_of(rsh_dtype dtype) {
  switch (dtype) {
  case RSH_F32:
  case RSH_C64:
    return UINT64_C(0x7fa000007fa00000);
  case RSH_F64:
  case RSH_C128:
    return UINT64_C(0x7ff4000000000000);
  case RSH_F16:
    return UINT64_C(0x7d007d007d007d00);
  case RSH_BF16:
    return UINT64_C(0x7fa07fa07fa07fa0);
  default:
    return UINT64_MAX;
  }
}

static void put_label(uint8_t to[16], int64_t label, const Pattern *p, rsh_dtype dtype, int bits,
                      int plane_bits) {
  uint64_t mask = p->is_masked ? mask_of(dtype) : 0, word = (uint64_t)label;
  if (plane_bits < 64)
    word = word >> p->plane * plane_bits & ((UINT64_C(1) << plane_bits) - 1);
  word ^= mask;
  for (int i = 0; i < 8; i++) // little-endian, whatever this machine is
    to[i] = (uint8_t)(word >> 8 * i);
  if (bits == 128)
    for (int i = 0; i < 8; i++)
      to[8 + i] = (uint8_t)~to[i];
}

static void element_of_input(const Map *map, const Pattern *p, rsh_dtype dtype, int64_t label,
                             uint8_t to[16]) {
  memset(to, 0, 16);
  if (map_only_moves(map))
    put_label(to, label, p, dtype, plan_element_bits(dtype), narrowest(map));
  else
    value_sample(map, p->index, dtype, label, to);
}

static Image new_image(int64_t elements, int bits, int fill) {
  Image image = {.bytes = (elements * bits + 7) / 8, .elements = elements};
  image.data = malloc((size_t)image.bytes + 1);
  if (!image.data)
    abort();
  memset(image.data, fill, (size_t)image.bytes);
  return image;
}

static const Origin *origin_of_input(const Map *map, int input) {
  for (int i = 0; i < map->origin.count; i++)
    if (map->origin.item[i].value == map->graph->value.item[input])
      return &map->origin.item[i];
  return NULL;
}

Image image_of_input(const Map *map, const Pattern *pattern, int input) {
  const Value *value = map->graph->value.item[input];
  int bits = plan_element_bits(value->dtype);
  int64_t count = map_elements(map, value);
  Image image = new_image(count, bits, 0xff);
  const Origin *origin = origin_of_input(map, input);
  uint8_t element[16];
  for (int64_t i = 0; i < count; i++) {
    memset(element, 0, sizeof element);
    if (map->target[input])
      memcpy(element, &map->target[input][i], 8);
    else
      // a call that is refused reads nothing: there are no labels then
      element_of_input(map, pattern, value->dtype, origin ? origin->first + i : i, element);
    put_bits(image.data, i, bits, element);
  }
  return image;
}

// ---- what outputs hold ----

typedef struct Evaluation {
  const Map *map;
  const Pattern *pattern;
} Evaluation;

static void element_of_origin(const void *context, const Origin *origin, int64_t label,
                              uint8_t to[16]) {
  const Evaluation *e = context;
  int64_t i = label - origin->first;
  memset(to, 0, 16);
  if (origin->kind == ORIGIN_FILL)
    memcpy(to, origin->fill->bits, 16);
  else if (origin->kind == ORIGIN_CONSTANT)
    get_bits(origin->value->data, i, plan_element_bits(origin->value->dtype), to);
  else if (e->map->target[origin->value->id])
    memcpy(to, &e->map->target[origin->value->id][i], 8);
  else
    element_of_input(e->map, e->pattern, origin->value->dtype, label, to);
}

static void expect_near(Image *image, int64_t elements, int64_t at, const Number *n) {
  if (!image->near) {
    image->near = calloc((size_t)elements + 1, sizeof *image->near);
    image->is_near = calloc((size_t)elements + 1, sizeof *image->is_near);
    image->tolerance = calloc((size_t)elements + 1, sizeof *image->tolerance);
  }
  image->near[at] = n->near;
  image->is_near[at] = true;
  image->tolerance[at] = n->tolerance;
}

static void clear_beyond(Image *image, int64_t elements, int bits) {
  static const uint8_t zero[16];
  for (int64_t i = elements; bits < 8 && i % (8 / bits) != 0; i++)
    put_bits(image->data, i, bits, zero);
}

Image image_of_output(const Map *map, const Pattern *pattern, int output, const uint8_t *before,
                      bool is_untouched) {
  const Value *value = map->graph->output[output].value;
  const Tensor *t = &map->value[value->id];
  int bits = plan_element_bits(value->dtype);
  int64_t elements = is_untouched ? 0 : map_elements(map, value); // what is refused has no room
  Image image = new_image(elements, bits, pattern->fill);
  if (before)
    memcpy(image.data, before, (size_t)image.bytes);
  if (is_untouched)
    return image;
  Evaluation context = {map, pattern};
  Values *values = values_new(map, element_of_origin, &context);
  for (int64_t i = 0; i < t->count; i++) {
    Number n = value_of_cell(values, t->cell[i]);
    number_set_type(&n, value->dtype);
    int64_t at = map_place(map, value, i);
    put_bits(image.data, at, bits, n.bits);
    if (n.is_near)
      expect_near(&image, elements, at, &n);
  }
  if (t->count > 0 && !before)
    clear_beyond(&image, elements, bits);
  values_free(values);
  return image;
}

static bool is_of_placed(const Map *map, int64_t cell) {
  const Origin *origin = map_origin(map, CELL_LABEL(cell));
  return origin->kind == ORIGIN_INPUT && origin->value->is_placed;
}

uint8_t *image_before_call(const Map *map, const Pattern *pattern, int output, const Image *after) {
  const Value *value = map->graph->output[output].value;
  const Tensor *t = &map->value[value->id];
  size_t size = (size_t)plan_element_bits(value->dtype) / 8;
  uint8_t *before = malloc((size_t)after->bytes + 1);
  if (!before)
    abort();
  memset(before, pattern->fill, (size_t)after->bytes);
  for (int64_t i = 0; after->elements > 0 && i < t->count; i++) {
    size_t at = (size_t)map_place(map, value, i) * size;
    if (is_of_placed(map, t->cell[i]))
      memcpy(before + at, after->data + at, size);
  }
  return before;
}

void image_free(Image *image) {
  free(image->data);
  free(image->near);
  free(image->is_near);
  free(image->tolerance);
  *image = (Image){0};
}

static bool is_near_enough(const Image *image, int64_t i, const uint8_t found[16],
                           rsh_dtype dtype) {
  double want = image->near[i], got = value_as_double(found, dtype);
  if (isinf(image->tolerance[i]))
    return true;
  if (isnan(want) || isnan(got))
    return isnan(want) && isnan(got);
  if (isinf(want) || isinf(got))
    return want == got || fabs(isinf(want) ? got : want) > 1e30 || dtype == RSH_F16;
  return fabs(want - got) <= image->tolerance[i];
}

int64_t image_difference(const Image *expected, const uint8_t *found, rsh_dtype dtype) {
  if (memcmp(expected->data, found, (size_t)expected->bytes) == 0)
    return -1;
  int bits = plan_element_bits(dtype);
  int64_t count = expected->bytes * 8 / bits;
  for (int64_t i = 0; i < count; i++) {
    uint8_t want[16], got[16];
    get_bits(expected->data, i, bits, want);
    get_bits(found, i, bits, got);
    if (memcmp(want, got, 16) != 0 &&
        !(expected->near && expected->is_near[i] && is_near_enough(expected, i, got, dtype)))
      return i;
  }
  return -1;
}
