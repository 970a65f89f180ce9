// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/verify/verify_image.h"

#include "codegen/plan/plan.h"
#include "driver/verify/verify_value.h"
#include "frontend/text/rescue.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Number of patterns for a graph with element-wise functions.
enum { NUMBER_PATTERNS = 12, QUICK_NUMBER_PATTERNS = 3 };

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

static int planes(const Map *map) {
  int bits = narrowest(map), count = 1;
  for (int64_t labels = input_labels(map) >> (bits - 1) >> 1; labels > 0;
       labels = labels >> (bits - 1) >> 1)
    count++;
  return count;
}

int pattern_count(const Map *map) {
  if (!map_only_moves(map))
    return map->is_quick ? QUICK_NUMBER_PATTERNS : NUMBER_PATTERNS;
  return map->is_quick ? 2 : 2 * planes(map);
}

// If a label does not fit an element, the element holds bits that depend on the whole label and on the pattern. Another
// element is unlikely to have the same bits in both patterns, and of many wrong elements some are noticed.
static int64_t mixed(int64_t label, int pattern) {
  uint64_t x = ((uint64_t)label + 1) * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)pattern;
  x = (x ^ x >> 32) * UINT64_C(0xd6e8feb86659fd93);
  return (int64_t)(x ^ x >> 32);
}

Pattern pattern_at(const Map *map, int index) {
  bool labels = map_only_moves(map);
  return (Pattern){.index = index,
                   .plane = !labels         ? index
                            : map->is_quick ? 0
                                            : index / 2,
                   .fill = index % 2 ? 0xa5 : 0x5a,
                   .is_masked = labels && index % 2,
                   .mixes = labels && map->is_quick && planes(map) > 1,
                   .only_moves = labels,
                   .bits = labels ? narrowest(map) : 0};
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

// Masks turn labels of floats into signaling NaNs, which floating-point moves would make quiet.
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
  case RSH_BOOL:
  case RSH_I8:
  case RSH_I16:
  case RSH_I32:
  case RSH_I64:
  case RSH_U8:
  case RSH_U16:
  case RSH_U32:
  case RSH_U64:
  case RSH_STRING:
  case RSH_F8E4M3FN:
  case RSH_F8E4M3FNUZ:
  case RSH_F8E5M2:
  case RSH_F8E5M2FNUZ:
  case RSH_F8E8M0:
  case RSH_I4:
  case RSH_U4:
  case RSH_F4E2M1:
  case RSH_I2:
  case RSH_U2:
  case RSH_U1:
  case RSH_DTYPE_NONE:
    break;
  }
  return UINT64_MAX;
}

static inline uint64_t word_of_label(int64_t label, const Pattern *p, uint64_t mask) {
  uint64_t word = (uint64_t)(p->mixes ? mixed(label, p->index) : label);
  if (p->bits < 64)
    word = word >> p->plane * p->bits & ((UINT64_C(1) << p->bits) - 1);
  return word ^ mask;
}

static void put_label(uint8_t to[16], int64_t label, const Pattern *p, rsh_dtype dtype, int bits) {
  uint64_t word = word_of_label(label, p, p->is_masked ? mask_of(dtype) : 0);
  for (int i = 0; i < 8; i++) // little-endian, on any machine
    to[i] = (uint8_t)(word >> 8 * i);
  if (bits == 128)
    for (int i = 0; i < 8; i++)
      to[8 + i] = (uint8_t)~to[i];
}

// Samples repeat after this many elements, since tensors may have millions. A prime, so that adjacent elements
// along any axis differ.
enum { SAMPLES = 65521 };

static void element_of_input(const Map *map, const Pattern *p, rsh_dtype dtype, int64_t label,
                             uint8_t to[16]) {
  memset(to, 0, 16);
  if (p->only_moves)
    put_label(to, label, p, dtype, plan_element_bits(dtype));
  else
    value_sample(map, p->index, dtype, label % SAMPLES, to);
}

static Image new_image(int64_t elements, int bits, int fill) {
  Image image = {.bytes = (elements * bits + 7) / 8, .elements = elements};
  image.data = memory_of(malloc((size_t)image.bytes + 1));
  memset(image.data, fill, (size_t)image.bytes);
  return image;
}

static const Origin *origin_of_input(const Map *map, int input) {
  for (int i = 0; i < map->origin.count; i++)
    if (map->origin.item[i].value == map->graph->value.item[input])
      return &map->origin.item[i];
  return NULL;
}

// Labels in whole bytes: the fast path for tensors of millions of elements.
static bool is_plain(const Pattern *p, int bits) {
  return p->only_moves && bits >= 8 && bits <= 64;
}

static inline void put_plain(uint8_t *to, int bits, uint64_t word) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  if (bits == 8)
    *to = (uint8_t)word;
  else if (bits == 16)
    memcpy(to, &(uint16_t){(uint16_t)word}, 2);
  else if (bits == 32)
    memcpy(to, &(uint32_t){(uint32_t)word}, 4);
  else
    memcpy(to, &word, 8);
#else
  for (int i = 0; i < bits / 8; i++)
    to[i] = (uint8_t)(word >> 8 * i);
#endif
}

Image image_of_input(const Map *map, const Pattern *pattern, int input) {
  const Value *value = map->graph->value.item[input];
  int bits = plan_element_bits(value->dtype);
  int64_t count = map_elements(map, value);
  Image image = new_image(count, bits, 0xff);
  const Origin *origin = origin_of_input(map, input);
  uint8_t element[16];
  if (is_plain(pattern, bits) && !map->target[input]) {
    int64_t first = origin ? origin->first : 0;
    uint64_t mask = pattern->is_masked ? mask_of(value->dtype) : 0;
    for (int64_t i = 0; i < count; i++)
      put_plain(image.data + i * (bits / 8), bits, word_of_label(first + i, pattern, mask));
    return image;
  }
  bool repeats = !pattern->only_moves && bits % 8 == 0 && !map->target[input] && count > SAMPLES;
  for (int64_t i = 0; i < (repeats ? SAMPLES : count); i++) {
    memset(element, 0, sizeof element);
    if (map->target[input])
      memcpy(element, &map->target[input][i], 8);
    else
      // a refused call reads nothing, and has no labels
      element_of_input(map, pattern, value->dtype, origin ? origin->first + i : i, element);
    put_bits(image.data, i, bits, element);
  }
  int64_t size = (int64_t)SAMPLES * bits / 8;
  for (int64_t at = size; repeats && at < image.bytes; at += size)
    memcpy(image.data + at, image.data,
           (size_t)(image.bytes - at < size ? image.bytes - at : size));
  return image;
}

// ---- the contents of outputs ----

typedef struct Evaluation {
  const Map *map;
  const Pattern *pattern;
} Evaluation;

static void element_of_origin(const void *context, const Origin *origin, int64_t label,
                              uint8_t to[16]) {
  const Evaluation *e = context;
  if (!value_is_given(e->map, origin, label, to))
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

// Handles an output that only contains elements of inputs. False: it contains others, such as constants.
static bool put_moved(const Map *map, const Pattern *p, const Value *value, Image *image) {
  const Tensor *t = &map->value[value->id];
  int bits = plan_element_bits(value->dtype);
  uint64_t mask = p->is_masked ? mask_of(value->dtype) : 0;
  const Origin *origin = NULL;
  if (!is_plain(p, bits) || value_is_strided(value))
    return false;
  for (int64_t n = 0; n < tensor_cells(t); n++) {
    int64_t label = CELL_LABEL(t->cell[n]), i = tensor_at(t, n);
    if (!origin || label < origin->first || label >= origin->first + origin->count)
      origin = map_origin(map, label);
    if (origin->kind != ORIGIN_INPUT || CELL_CHAIN(t->cell[n]) != 0 ||
        origin->value->dtype != value->dtype || map->target[origin->value->id])
      return false;
    put_plain(image->data + i * (bits / 8), bits, word_of_label(label, p, mask));
  }
  return true;
}

Image image_of_output(const Map *map, const Pattern *pattern, int output, const uint8_t *before,
                      bool is_untouched) {
  const Value *value = map->graph->output[output].value;
  const Tensor *t = &map->value[value->id];
  int bits = plan_element_bits(value->dtype);
  // The outputs of a refused call have no buffer, unless an invalid index is the reason.
  bool has_room = !is_untouched || map->status != RSH_ok;
  int64_t elements = has_room ? map_elements(map, value) : 0;
  Image image = new_image(elements, bits, pattern->fill);
  if (before)
    memcpy(image.data, before, (size_t)image.bytes);
  if (is_untouched)
    return image;
  image.at = t->at;
  image.some = t->some;
  if (put_moved(map, pattern, value, &image))
    return image;
  Evaluation context = {map, pattern};
  Values *values = values_new(map, element_of_origin, &context);
  for (int64_t i = 0; i < tensor_cells(t); i++) {
    Number n = value_of_cell(values, t->cell[i]);
    number_set_type(&n, value->dtype);
    int64_t at = map_place(map, value, tensor_at(t, i));
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
  uint8_t *before = memory_of(malloc((size_t)after->bytes + 1));
  memset(before, pattern->fill, (size_t)after->bytes);
  bool has_placed = false;
  for (int i = 0; i < map->graph->input_count; i++)
    has_placed = has_placed || map->graph->value.item[i]->is_placed;
  if (!has_placed || !t->cell) // a refused call has none
    return before;
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

void image_keep(Image *image, const uint8_t *bytes) {
  memcpy(image->data, bytes, (size_t)image->bytes);
  if (image->near)
    memset(image->is_near, 0, (size_t)image->elements * sizeof *image->is_near);
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
  if (!expected->near && memcmp(expected->data, found, (size_t)expected->bytes) == 0)
    return -1;
  int bits = plan_element_bits(dtype);
  int64_t count = expected->at ? expected->some : expected->bytes * 8 / bits;
  for (int64_t n = 0; n < count; n++) {
    int64_t i = expected->at ? expected->at[n] : n;
    uint8_t want[16], got[16];
    value_load(expected->data, i, bits, want);
    value_load(found, i, bits, got);
    bool is_near = expected->near && expected->is_near[i];
    if (is_near ? !is_near_enough(expected, i, got, dtype) : memcmp(want, got, 16) != 0)
      return i;
  }
  return -1;
}
