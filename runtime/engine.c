// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The generic copy engine. A box is split into a *unit*, bytes that are contiguous on both sides, two inner
// loops that one of the kernels below runs, and the loops around these:
//
//   f32[8,56,56,64] to NCHW    axes  8 x {64, dst 3136, src 1} x {3136, dst 1, src 64}
//     unit 4 bytes, row {3136}: to neighbors, col {64}: from neighbors   ->  transposed, 8 times
//   f32[128,12,64] perm 1,0,2   axes  12 x 128 x {64, dst 1, src 1}
//     unit 256 bytes, row {128}, col {12}                                  ->  runs, once
//   u8[1080,1920,3] perm 1,0,2  axes  {1920, dst 1080, src 1} x {1080, dst 1, src 1920} x 3
//     unit 3 bytes, row {1080}, col {1920}            ->  pairs of 2 bytes that overlap, in blocks
//
// Elements are only loaded and stored, as integers. If the machine has 16-byte registers, kernels use
// them through GCC's vector extensions, which clang supports too and which are the same for all machines.
#include "runtime/engine.h"

#include <stddef.h>

#if defined __SSE2__ || defined __ARM_NEON || defined __VSX__ || defined __wasm_simd128__
#define HAS_VECTORS 1
#else
#define HAS_VECTORS 0
#endif

#define INLINE static inline __attribute__((always_inline))
#define UNROLL _Pragma("GCC unroll 16")

typedef unsigned char Byte;

typedef rsh_loop Loop;

typedef struct Nest {
  ptrdiff_t unit;
  const Loop *row, *col; // row is the one with the smaller steps in dst
  bool streams;          // writes whole lines of dst, bypassing the cache
} Nest;

typedef void Kernel(const Nest *n, Byte *dst, const Byte *src);

// name_of, compiled for each constant width; name[i] is the one for 2^i bytes.
#define OF_WIDTH(name, width)                                                                      \
  static void name##_##width(const Nest *n, Byte *dst, const Byte *src) {                          \
    name##_of(n, dst, src, width);                                                                 \
  }
#define BY_WIDTH(name)                                                                             \
  OF_WIDTH(name, 1)                                                                                \
  OF_WIDTH(name, 2)                                                                                \
  OF_WIDTH(name, 4)                                                                                \
  OF_WIDTH(name, 8)                                                                                \
  OF_WIDTH(name, 16)                                                                               \
  static Kernel *const name[] = {name##_1, name##_2, name##_4, name##_8, name##_16};

INLINE ptrdiff_t smaller(ptrdiff_t a, ptrdiff_t b) { return a < b ? a : b; }
INLINE ptrdiff_t larger(ptrdiff_t a, ptrdiff_t b) { return a > b ? a : b; }
INLINE ptrdiff_t magnitude(ptrdiff_t n) { return n < 0 ? -n : n; }

// ---- elements and runs ----

// Unaligned integers.
typedef uint16_t Two __attribute__((aligned(1), may_alias));
typedef uint32_t Four __attribute__((aligned(1), may_alias));
typedef uint64_t Eight __attribute__((aligned(1), may_alias));

INLINE void copy_2(Byte *dst, const Byte *src) { *(Two *)dst = *(const Two *)src; }
INLINE void copy_4(Byte *dst, const Byte *src) { *(Four *)dst = *(const Four *)src; }
INLINE void copy_8(Byte *dst, const Byte *src) { *(Eight *)dst = *(const Eight *)src; }

#if HAS_VECTORS
typedef uint8_t Vector __attribute__((vector_size(16)));
typedef uint8_t VectorAnywhere __attribute__((vector_size(16), aligned(1), may_alias));

INLINE Vector load(const Byte *at) { return *(const VectorAnywhere *)at; }
INLINE void store(Byte *at, Vector v) { *(VectorAnywhere *)at = v; }
INLINE void copy_16(Byte *dst, const Byte *src) { store(dst, load(src)); }

// A store that does not load its line into the cache, to an address that is a multiple of 16.
#ifdef __SSE2__
INLINE void stream(Byte *at, Vector v) {
#if __has_builtin(__builtin_nontemporal_store)
  __builtin_nontemporal_store(v, (Vector *)at);
#else
  typedef long long Streamed __attribute__((vector_size(16)));
  __builtin_ia32_movntdq((Streamed *)at, (Streamed)v);
#endif
}
INLINE void end_stream(void) { __builtin_ia32_sfence(); }
#define HAS_STREAMS 1
#else
INLINE void stream(Byte *at, Vector v) { store(at, v); }
#endif
INLINE void put(Byte *at, Vector v, bool streams) {
  if (streams)
    stream(at, v);
  else
    store(at, v);
}
#else
INLINE void copy_16(Byte *dst, const Byte *src) {
  copy_8(dst, src);
  copy_8(dst + 8, src + 8);
}
#endif

INLINE void copy_element(Byte *dst, const Byte *src, ptrdiff_t width) {
  switch (width) {
  case 1:
    *dst = *src;
    break;
  case 2:
    copy_2(dst, src);
    break;
  case 4:
    copy_4(dst, src);
    break;
  case 8:
    copy_8(dst, src);
    break;
  default:
    copy_16(dst, src);
  }
}

#if HAS_VECTORS
// At least 16 bytes. A last piece that is not a whole block overlaps the one before it.
INLINE void copy_run(Byte *dst, const Byte *src, ptrdiff_t size) {
  ptrdiff_t i = 0;
  for (; i + 64 <= size; i += 64) {
    Vector a = load(src + i), b = load(src + i + 16), c = load(src + i + 32),
           d = load(src + i + 48);
    store(dst + i, a);
    store(dst + i + 16, b);
    store(dst + i + 32, c);
    store(dst + i + 48, d);
  }
  for (; i + 16 <= size; i += 16)
    copy_16(dst + i, src + i);
  if (i < size)
    copy_16(dst + size - 16, src + size - 16);
}
#else
// By words if both sides are aligned: some machines cannot load unaligned words.
INLINE void copy_run(Byte *dst, const Byte *src, ptrdiff_t size) {
  typedef uint32_t Word __attribute__((may_alias));
  ptrdiff_t i = 0;
  if ((((uintptr_t)dst | (uintptr_t)src) & (sizeof(Word) - 1)) == 0)
    for (; i + 4 <= size; i += 4)
      *(Word *)(dst + i) = *(const Word *)(src + i);
  for (; i < size; i++)
    dst[i] = src[i];
}
#endif

#ifdef HAS_STREAMS
// The shorter loop is the inner one: processors track only a few access streams at a time.
static void streamed_runs(const Nest *n, Byte *dst, const Byte *src) {
  const bool is_wide = n->row->extent > n->col->extent;
  const Loop in = is_wide ? *n->col : *n->row, out = is_wide ? *n->row : *n->col;
  const ptrdiff_t unit = n->unit;
  for (ptrdiff_t o = 0; o < out.extent; o++)
    for (ptrdiff_t i = 0; i < in.extent; i++) {
      Byte *to = dst + o * out.dst + i * in.dst;
      const Byte *from = src + o * out.src + i * in.src;
      for (ptrdiff_t at = 0; at < unit; at += 64) {
        Vector v[4] = {load(from + at), load(from + at + 16), load(from + at + 32),
                       load(from + at + 48)};
        UNROLL for (int k = 0; k < 4; k++) stream(to + at + 16 * k, v[k]);
      }
    }
}
#endif

static void runs(const Nest *n, Byte *dst, const Byte *src) {
  const Loop row = *n->row, col = *n->col;
  const ptrdiff_t unit = n->unit;
  for (ptrdiff_t c = 0; c < col.extent; c++)
    for (ptrdiff_t r = 0; r < row.extent; r++)
      copy_run(dst + c * col.dst + r * row.dst, src + c * col.src + r * row.src, unit);
}

// ---- any two loops ----

typedef void Move(Byte *dst, const Byte *src, ptrdiff_t unit, ptrdiff_t width);

// If the row's units are on distant lines of src and the column's are near, in blocks: lines stay in the cache until
// all of their bytes are used.
INLINE void each(const Nest *n, Byte *dst, const Byte *src, Move *move, ptrdiff_t width) {
  enum { LINE = 64, SIDE = 16 };
  const Loop in = *n->row, out = *n->col;
  const ptrdiff_t unit = n->unit, near = magnitude(out.src), far = magnitude(in.src);
  const bool is_across = HAS_VECTORS && near > 0 && near < LINE && far >= LINE;
  const ptrdiff_t ins = is_across ? SIDE : in.extent;
  const ptrdiff_t outs = is_across ? larger(LINE / near, SIDE) : out.extent;
  for (ptrdiff_t block_o = 0; block_o < out.extent; block_o += outs)
    for (ptrdiff_t block_i = 0; block_i < in.extent; block_i += ins)
      for (ptrdiff_t o = block_o; o < smaller(block_o + outs, out.extent); o++)
        for (ptrdiff_t i = block_i; i < smaller(block_i + ins, in.extent); i++)
          move(dst + o * out.dst + i * in.dst, src + o * out.src + i * in.src, unit, width);
}

INLINE void move_element(Byte *dst, const Byte *src, ptrdiff_t unit, ptrdiff_t width) {
  (void)unit;
  copy_element(dst, src, width);
}

INLINE void strided_of(const Nest *n, Byte *dst, const Byte *src, ptrdiff_t width) {
  each(n, dst, src, move_element, width);
}

BY_WIDTH(strided)

#if HAS_VECTORS
// Two elements of `width` bytes, which overlap if the unit has fewer bytes than both.
INLINE void move_pair(Byte *dst, const Byte *src, ptrdiff_t unit, ptrdiff_t width) {
  copy_element(dst, src, width);
  copy_element(dst + unit - width, src + unit - width, width);
}

INLINE void pairs_of(const Nest *n, Byte *dst, const Byte *src, ptrdiff_t width) {
  each(n, dst, src, move_pair, width);
}

BY_WIDTH(pairs)

// ---- shuffles of vectors ----

typedef uint16_t Vector2 __attribute__((vector_size(16)));
typedef uint32_t Vector4 __attribute__((vector_size(16)));
typedef uint64_t Vector8 __attribute__((vector_size(16)));

// Lanes `...` of the concatenation of a and b.
#define SHUFFLE_1(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#define SHUFFLE_2(a, b, ...)                                                                       \
  (Vector) __builtin_shufflevector((Vector2)(a), (Vector2)(b), __VA_ARGS__)
#define SHUFFLE_4(a, b, ...)                                                                       \
  (Vector) __builtin_shufflevector((Vector4)(a), (Vector4)(b), __VA_ARGS__)
#define SHUFFLE_8(a, b, ...)                                                                       \
  (Vector) __builtin_shufflevector((Vector8)(a), (Vector8)(b), __VA_ARGS__)

// a0 a1 a2 a3, b0 b1 b2 b3  ->  a0 b0 a1 b1
INLINE Vector zip_low(Vector a, Vector b, ptrdiff_t width) {
  switch (width) {
  case 1:
    return SHUFFLE_1(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  case 2:
    return SHUFFLE_2(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
  case 4:
    return SHUFFLE_4(a, b, 0, 4, 1, 5);
  default:
    return SHUFFLE_8(a, b, 0, 2);
  }
}

// a2 b2 a3 b3
INLINE Vector zip_high(Vector a, Vector b, ptrdiff_t width) {
  switch (width) {
  case 1:
    return SHUFFLE_1(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
  case 2:
    return SHUFFLE_2(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
  case 4:
    return SHUFFLE_4(a, b, 2, 6, 3, 7);
  default:
    return SHUFFLE_8(a, b, 1, 3);
  }
}

// The even and odd bytes of a and b. SSE2 has no such shuffle, but can narrow integers.
#ifdef __SSE2__
typedef int16_t Narrowed __attribute__((vector_size(16)));
INLINE Vector narrow(Vector2 a, Vector2 b) {
  return (Vector)__builtin_ia32_packuswb128((Narrowed)a, (Narrowed)b);
}
INLINE Vector even_bytes(Vector a, Vector b) { return narrow((Vector2)a & 255, (Vector2)b & 255); }
INLINE Vector odd_bytes(Vector a, Vector b) { return narrow((Vector2)a >> 8, (Vector2)b >> 8); }
INLINE Vector even_odd_bytes(Vector a, Vector b) {
  return narrow((Vector2)a & 255, (Vector2)b >> 8);
}
#else
INLINE Vector even_bytes(Vector a, Vector b) {
  return SHUFFLE_1(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
}
INLINE Vector odd_bytes(Vector a, Vector b) {
  return SHUFFLE_1(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
}
INLINE Vector even_odd_bytes(Vector a, Vector b) {
  return SHUFFLE_1(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 17, 19, 21, 23, 25, 27, 29, 31);
}
#endif

// a0 a2 b0 b2
INLINE Vector even(Vector a, Vector b, ptrdiff_t width) {
  switch (width) {
  case 1:
    return even_bytes(a, b);
  case 2:
    return SHUFFLE_2(a, b, 0, 2, 4, 6, 8, 10, 12, 14);
  case 4:
    return SHUFFLE_4(a, b, 0, 2, 4, 6);
  default:
    return SHUFFLE_8(a, b, 0, 2);
  }
}

// a1 a3 b1 b3
INLINE Vector odd(Vector a, Vector b, ptrdiff_t width) {
  switch (width) {
  case 1:
    return odd_bytes(a, b);
  case 2:
    return SHUFFLE_2(a, b, 1, 3, 5, 7, 9, 11, 13, 15);
  case 4:
    return SHUFFLE_4(a, b, 1, 3, 5, 7);
  default:
    return SHUFFLE_8(a, b, 1, 3);
  }
}

// a0 a2 b1 b3
INLINE Vector even_odd(Vector a, Vector b, ptrdiff_t width) {
  switch (width) {
  case 1:
    return even_odd_bytes(a, b);
  case 2:
    return SHUFFLE_2(a, b, 0, 2, 4, 6, 9, 11, 13, 15);
  case 4:
    return SHUFFLE_4(a, b, 0, 2, 5, 7);
  default:
    return SHUFFLE_8(a, b, 0, 3);
  }
}

// SSE2 reverses integers of 32 bits at once; then their halves are swapped, and the halves of these.
INLINE Vector reverse(Vector a, ptrdiff_t width) {
  if (width == 16)
    return a;
  if (width == 8)
    return SHUFFLE_8(a, a, 1, 0);
  Vector4 fours = (Vector4)SHUFFLE_4(a, a, 3, 2, 1, 0);
  if (width == 4)
    return (Vector)fours;
  Vector2 twos = (Vector2)(fours << 16 | fours >> 16);
  return (Vector)(width == 2 ? twos : twos << 8 | twos >> 8);
}

INLINE Vector swap_halves(Vector a) { return SHUFFLE_8(a, a, 1, 0); }

// One perfect shuffle of the elements of k vectors: the first half is interleaved with the second.
// Element p goes to 2p mod (k*lanes - 1), so log2(k) rounds turn k rows into columns, and log2(lanes)
// rounds turn rows of k into columns.
INLINE void zip_round(Vector *v, int k, ptrdiff_t width) {
  Vector t[16];
  if (k == 3) { // halves are  v0 low, v0 high, v1 low | v1 high, v2 low, v2 high
    Vector high = swap_halves(v[1]);
    t[0] = zip_low(v[0], high, width);
    t[1] = zip_low(swap_halves(v[0]), v[2], width);
    t[2] = zip_low(v[1], swap_halves(v[2]), width);
  } else {
    UNROLL for (int i = 0; i < k / 2; i++) {
      t[2 * i] = zip_low(v[i], v[i + k / 2], width);
      t[2 * i + 1] = zip_high(v[i], v[i + k / 2], width);
    }
  }
  UNROLL for (int i = 0; i < k; i++) v[i] = t[i];
}

// The inverse: elements at even positions first, then those at odd ones.
INLINE void unzip_round(Vector *v, int k, ptrdiff_t width) {
  Vector t[16];
  if (k == 3) {
    t[0] = even(v[0], v[1], width);
    t[1] = even_odd(v[2], v[0], width);
    t[2] = odd(v[1], v[2], width);
  } else {
    UNROLL for (int i = 0; i < k / 2; i++) {
      t[i] = even(v[2 * i], v[2 * i + 1], width);
      t[i + k / 2] = odd(v[2 * i], v[2 * i + 1], width);
    }
  }
  UNROLL for (int i = 0; i < k; i++) v[i] = t[i];
}

// Three is not a power of two; for it, inverse rounds have the same result.
INLINE void interleave(Vector *v, int k, ptrdiff_t width) {
  if (k == 3) {
    UNROLL for (ptrdiff_t i = width; i < 16; i *= 2) unzip_round(v, k, width);
  } else {
    UNROLL for (int i = 1; i < k; i *= 2) zip_round(v, k, width);
  }
}

INLINE void deinterleave(Vector *v, int k, ptrdiff_t width) {
  if (k == 3) {
    UNROLL for (ptrdiff_t i = width; i < 16; i *= 2) zip_round(v, k, width);
  } else {
    UNROLL for (int i = 1; i < k; i *= 2) unzip_round(v, k, width);
  }
}

// ---- rows to contiguous elements: repeated, reversed, or every second ----

INLINE void splat_of(const Nest *n, Byte *dst, const Byte *src, ptrdiff_t width) {
  const Loop col = *n->col;
  const bool streams = n->streams;
  const ptrdiff_t size = n->row->extent * width;
  for (ptrdiff_t c = 0; c < col.extent; c++) {
    Byte *to = dst + c * col.dst;
    Byte pattern[16];
    for (ptrdiff_t i = 0; i < 16; i += width)
      copy_element(pattern + i, src + c * col.src, width);
    Vector v = load(pattern);
    if (streams)
      for (ptrdiff_t i = 0; i < size; i += 16)
        stream(to + i, v);
    else
      for (ptrdiff_t i = 0; i < size; i += 16)
        store(to + smaller(i, size - 16), v);
  }
}

INLINE void reversed_of(const Nest *n, Byte *dst, const Byte *src, ptrdiff_t width) {
  const Loop col = *n->col;
  const ptrdiff_t size = n->row->extent * width;
  for (ptrdiff_t c = 0; c < col.extent; c++) {
    Byte *to = dst + c * col.dst;
    const Byte *last = src + c * col.src + width - 16;
    for (ptrdiff_t i = 0; i < size; i += 16) {
      ptrdiff_t at = smaller(i, size - 16);
      store(to + at, reverse(load(last - at), width));
    }
  }
}

// The element after the last one picked may not exist, so the last vector is picked element by element.
INLINE void halved_of(const Nest *n, Byte *dst, const Byte *src, ptrdiff_t width) {
  const Loop col = *n->col;
  const ptrdiff_t rows = n->row->extent;
  ptrdiff_t lanes = 16 / width;
  for (ptrdiff_t c = 0; c < col.extent; c++) {
    Byte *to = dst + c * col.dst;
    const Byte *from = src + c * col.src;
    ptrdiff_t r = 0;
    for (; r + lanes < rows; r += lanes)
      store(to + r * width,
            even(load(from + 2 * r * width), load(from + 2 * r * width + 16), width));
    for (; r < rows; r++)
      copy_element(to + r * width, from + 2 * r * width, width);
  }
}

BY_WIDTH(splat)
BY_WIDTH(reversed)
BY_WIDTH(halved)

// ---- a few rows, interleaved: planes to pixels, and back ----

// Pixels of k elements that are contiguous.
INLINE void to_pixels(const Nest *n, Byte *dst, const Byte *src, int k, ptrdiff_t width) {
  const ptrdiff_t size = n->col->extent * width, plane = n->row->src;
  for (ptrdiff_t i = 0; i < size; i += 16) {
    ptrdiff_t at = smaller(i, size - 16);
    Vector v[4];
    UNROLL for (int j = 0; j < k; j++) v[j] = load(src + at + j * plane);
    interleave(v, k, width);
    UNROLL for (int j = 0; j < k; j++) store(dst + at * k + j * 16, v[j]);
  }
}

INLINE void to_planes(const Nest *n, Byte *dst, const Byte *src, int k, ptrdiff_t width) {
  const ptrdiff_t size = n->row->extent * width, plane = n->col->dst;
  for (ptrdiff_t i = 0; i < size; i += 16) {
    ptrdiff_t at = smaller(i, size - 16);
    Vector v[4];
    UNROLL for (int j = 0; j < k; j++) v[j] = load(src + at * k + j * 16);
    deinterleave(v, k, width);
    UNROLL for (int j = 0; j < k; j++) store(dst + at + j * plane, v[j]);
  }
}

// Pixels of 2, 4 or 8 bytes, `step` bytes apart, as many as fill a vector.
INLINE Vector load_pixels(const Byte *src, ptrdiff_t step, ptrdiff_t pixel) {
  Vector2 twos;
  Vector4 fours;
  Vector8 eights;
  switch (pixel) {
  case 2:
    UNROLL for (int i = 0; i < 8; i++) twos[i] = *(const Two *)(src + i * step);
    return (Vector)twos;
  case 4:
    UNROLL for (int i = 0; i < 4; i++) fours[i] = *(const Four *)(src + i * step);
    return (Vector)fours;
  default:
    UNROLL for (int i = 0; i < 2; i++) eights[i] = *(const Eight *)(src + i * step);
    return (Vector)eights;
  }
}

INLINE void store_pixels(Byte *dst, ptrdiff_t step, Vector v, ptrdiff_t pixel) {
  switch (pixel) {
  case 2:
    UNROLL for (int i = 0; i < 8; i++) * (Two *)(dst + i * step) = ((Vector2)v)[i];
    break;
  case 4:
    UNROLL for (int i = 0; i < 4; i++) * (Four *)(dst + i * step) = ((Vector4)v)[i];
    break;
  default:
    UNROLL for (int i = 0; i < 2; i++) * (Eight *)(dst + i * step) = ((Vector8)v)[i];
  }
}

INLINE void to_spaced_pixels(const Nest *n, Byte *dst, const Byte *src, int k, ptrdiff_t width) {
  const ptrdiff_t count = n->col->extent, plane = n->row->src, step = n->col->dst;
  const ptrdiff_t lanes = 16 / width, pixels = lanes / k;
  for (ptrdiff_t i = 0; i < count; i += lanes) {
    ptrdiff_t at = smaller(i, count - lanes);
    Vector v[4];
    UNROLL for (int j = 0; j < k; j++) v[j] = load(src + at * width + j * plane);
    interleave(v, k, width);
    UNROLL for (int j = 0; j < k; j++)
        store_pixels(dst + (at + j * pixels) * step, step, v[j], k * width);
  }
}

INLINE void to_spaced_planes(const Nest *n, Byte *dst, const Byte *src, int k, ptrdiff_t width) {
  const ptrdiff_t count = n->row->extent, plane = n->col->dst, step = n->row->src;
  const ptrdiff_t lanes = 16 / width, pixels = lanes / k;
  for (ptrdiff_t i = 0; i < count; i += lanes) {
    ptrdiff_t at = smaller(i, count - lanes);
    Vector v[4];
    UNROLL for (int j = 0; j < k; j++) v[j] =
        load_pixels(src + (at + j * pixels) * step, step, k * width);
    deinterleave(v, k, width);
    UNROLL for (int j = 0; j < k; j++) store(dst + at * width + j * plane, v[j]);
  }
}

INLINE void pixels_of(const Nest *n, Byte *dst, const Byte *src, ptrdiff_t width) {
  if (n->row->extent == 2)
    to_pixels(n, dst, src, 2, width);
  else if (n->row->extent == 3)
    to_pixels(n, dst, src, 3, width);
  else
    to_pixels(n, dst, src, 4, width);
}

INLINE void planes_of(const Nest *n, Byte *dst, const Byte *src, ptrdiff_t width) {
  if (n->col->extent == 2)
    to_planes(n, dst, src, 2, width);
  else if (n->col->extent == 3)
    to_planes(n, dst, src, 3, width);
  else
    to_planes(n, dst, src, 4, width);
}

INLINE void spaced_pixels_of(const Nest *n, Byte *dst, const Byte *src, ptrdiff_t width) {
  if (n->row->extent == 2)
    to_spaced_pixels(n, dst, src, 2, width);
  else
    to_spaced_pixels(n, dst, src, 4, width);
}

INLINE void spaced_planes_of(const Nest *n, Byte *dst, const Byte *src, ptrdiff_t width) {
  if (n->col->extent == 2)
    to_spaced_planes(n, dst, src, 2, width);
  else
    to_spaced_planes(n, dst, src, 4, width);
}

BY_WIDTH(pixels)
BY_WIDTH(planes)

#define UP_TO_4(name)                                                                              \
  OF_WIDTH(name, 1)                                                                                \
  OF_WIDTH(name, 2)                                                                                \
  OF_WIDTH(name, 4)                                                                                \
  static Kernel *const name[] = {name##_1, name##_2, name##_4};

UP_TO_4(spaced_pixels)
UP_TO_4(spaced_planes)

// ---- rows to columns ----

// A square with as many rows as a vector has elements, one row in each register.
INLINE void transpose_16(Byte *dst, ptrdiff_t to_step, const Byte *src, ptrdiff_t from_step,
                         ptrdiff_t width, bool streams) {
  const int lanes = (int)(16 / width);
  Vector v[16];
  UNROLL for (int i = 0; i < lanes; i++) v[i] = load(src + i * from_step);
  interleave(v, lanes, width);
  UNROLL for (int i = 0; i < lanes; i++) put(dst + i * to_step, v[i], streams);
}

// Enough squares to fill whole lines of the result, which are stored consecutively: for narrow elements, too
// many write-combining buffers would otherwise be in use at once.
INLINE void stream_lines(Byte *dst, ptrdiff_t to_step, const Byte *src, ptrdiff_t from_step,
                         ptrdiff_t width) {
  const int lanes = (int)(16 / width);
  Vector line[16][4];
  for (int k = 0; k < 4; k++)
    transpose_16((Byte *)&line[0][k], 64, src + k * lanes * from_step, from_step, width, false);
  for (int i = 0; i < lanes; i++)
    UNROLL for (int k = 0; k < 4; k++) stream(dst + i * to_step + 16 * k, line[i][k]);
}

// A square of rows of 8 bytes, two rows in each register.
INLINE void transpose_8(Byte *dst, ptrdiff_t to_step, const Byte *src, ptrdiff_t from_step,
                        ptrdiff_t width) {
  const int lanes = (int)(8 / width);
  Vector v[16];
  UNROLL for (int i = 0; i < lanes; i += 2) v[i / 2] = (Vector)(Vector8){
      *(const Eight *)(src + i * from_step), *(const Eight *)(src + (i + 1) * from_step)};
  UNROLL for (int i = 1; i < lanes; i *= 2) zip_round(v, lanes / 2, width);
  UNROLL for (int i = 0; i < lanes; i += 2) {
    *(Eight *)(dst + i * to_step) = ((Vector8)v[i / 2])[0];
    *(Eight *)(dst + (i + 1) * to_step) = ((Vector8)v[i / 2])[1];
  }
}

// Writes whole lines of the result, in blocks that read a long enough part of each source row per DRAM page. Squares
// have sides of `side` bytes, or of 16 bytes by a line.
INLINE void transposed_by(const Nest *n, Byte *dst, const Byte *src, ptrdiff_t width,
                          ptrdiff_t side, bool streams) {
  const ptrdiff_t lanes = side / width, line = 64 / width, block = 1024 / width;
  const ptrdiff_t rows = n->row->extent, cols = n->col->extent;
  const bool by_lines = streams && width < 4;
  const ptrdiff_t step = by_lines ? line : lanes;
  const ptrdiff_t to_step = n->col->dst, from_step = n->row->src;
  for (ptrdiff_t block_c = 0; block_c < cols; block_c += block)
    for (ptrdiff_t line_r = 0; line_r < rows; line_r += line)
      for (ptrdiff_t i = block_c; i < smaller(block_c + block, cols); i += lanes)
        for (ptrdiff_t j = line_r; j < smaller(line_r + line, rows); j += step) {
          ptrdiff_t c = smaller(i, cols - lanes), r = smaller(j, rows - step);
          Byte *to = dst + c * to_step + r * width;
          const Byte *from = src + r * from_step + c * width;
          if (by_lines)
            stream_lines(to, to_step, from, from_step, width);
          else if (side == 8)
            transpose_8(to, to_step, from, from_step, width);
          else
            transpose_16(to, to_step, from, from_step, width, streams);
        }
}

INLINE void transposed_of(const Nest *n, Byte *dst, const Byte *src, ptrdiff_t width) {
  if (n->streams)
    transposed_by(n, dst, src, width, 16, true);
  else
    transposed_by(n, dst, src, width, 16, false);
}

BY_WIDTH(transposed)

INLINE void transposed_small_of(const Nest *n, Byte *dst, const Byte *src, ptrdiff_t width) {
  transposed_by(n, dst, src, width, 8, false);
}
OF_WIDTH(transposed_small, 1)
OF_WIDTH(transposed_small, 2)
static Kernel *const transposed_small[] = {transposed_small_1, transposed_small_2};
#endif

// ---- splitting a box ----

// A box of this many bytes evicts everything else from the last-level cache.
#ifndef RSH_STREAM_BYTES
#define RSH_STREAM_BYTES (12 << 20)
#endif

enum { MOST_PAIR = 32 }; // bytes that two vectors move

// Rounded down.
static int log2_of(ptrdiff_t unit) { return 31 - __builtin_clz((unsigned)unit); }

static bool is_element(ptrdiff_t unit) { return unit <= 16 && (unit & (unit - 1)) == 0; }

static Kernel *choose_for_runs(const Nest *n) {
#ifdef HAS_STREAMS
  if (n->streams)
    return streamed_runs;
#endif
#if HAS_VECTORS
  if (n->unit <= MOST_PAIR)
    return pairs[smaller(4, log2_of(n->unit))];
#endif
  (void)n;
  return runs;
}

#if HAS_VECTORS
static bool is_spaced_pixel(ptrdiff_t elements, ptrdiff_t unit) {
  return (elements == 2 || elements == 4) && elements * unit <= 8;
}
#endif

// The kernels for the nest, for all widths.
static Kernel *const *choose_for_elements(const Nest *n) {
#if HAS_VECTORS
  ptrdiff_t lanes = 16 / n->unit, rows = n->row->extent, cols = n->col->extent;
  if (n->row->dst != n->unit)
    return strided;
  // Loops with a step have two iterations at least.
  if (n->col->src == n->unit) {
    if (rows <= 4 && lanes > 1 && cols >= lanes && n->col->dst == rows * n->unit)
      return pixels;
    if (cols <= 4 && lanes > 1 && rows >= lanes && n->row->src == cols * n->unit)
      return planes;
    if (is_spaced_pixel(rows, n->unit) && cols >= lanes)
      return spaced_pixels;
    if (is_spaced_pixel(cols, n->unit) && rows >= lanes)
      return spaced_planes;
    if (rows >= lanes && cols >= lanes)
      return transposed;
    if (n->unit <= 2 && rows >= lanes / 2 && cols >= lanes / 2)
      return transposed_small;
  }
  if (n->row->src == 0 && rows >= lanes)
    return splat;
  if (n->row->src == -n->unit && rows >= lanes)
    return reversed;
  if (n->row->src == 2 * n->unit && lanes > 1)
    return halved;
#endif
  (void)n;
  return strided;
}

enum { LONG = 8 }; // the overhead of a shorter loop costs as much as its elements

static void put_longer_inside(Nest *n) {
  const Loop *row = n->row;
  if (row->extent < LONG && row->extent < n->col->extent) {
    n->row = n->col;
    n->col = row;
  }
}

static Kernel *choose_kernel(Nest *n) {
  if (!is_element(n->unit))
    return choose_for_runs(n);
  Kernel *const *by_width = choose_for_elements(n);
  if (by_width == strided)
    put_longer_inside(n);
  return by_width[log2_of(n->unit)];
}

// The most loops of two or more iterations to distinct elements: as many as an address has bits.
enum { MOST_LOOPS = 8 * sizeof(ptrdiff_t) };

// The remaining loops, outermost first.
typedef struct Loops {
  Loop loop[MOST_LOOPS];
  int32_t count;
} Loops;

// False: there is nothing to copy.
static bool loops_of(Loops *l, const rsh_axis *axis, int32_t count, uint32_t width) {
  l->count = 0;
  for (int32_t i = 0; i < count; i++) {
    if (axis[i].extent.n == 1)
      continue;
    if (axis[i].extent.n <= 0 || l->count == MOST_LOOPS)
      return false;
    Loop *loop = &l->loop[l->count++];
    loop->extent = (ptrdiff_t)axis[i].extent.n;
    loop->dst = (ptrdiff_t)(axis[i].dst.n * width);
    loop->src = (ptrdiff_t)(axis[i].src.n * width);
  }
  return true;
}

// Takes one of the remaining loops; if `which` is -1, a loop of one iteration.
static Loop loops_take(Loops *l, int32_t which) {
  Loop taken = {1, 0, 0};
  if (which < 0)
    return taken;
  taken = l->loop[which];
  l->count--;
  for (int32_t i = which; i < l->count; i++)
    l->loop[i] = l->loop[i + 1];
  return taken;
}

// The loop with the smallest step in dst; -1: none is left.
static int32_t loops_innermost(const Loops *l) {
  int32_t best = l->count - 1;
  for (int32_t i = best - 1; i >= 0; i--)
    if (magnitude(l->loop[i].dst) < magnitude(l->loop[best].dst))
      best = i;
  return best;
}

// The loop over adjacent units in src, forwards or backwards; -1: there is none.
static int32_t loops_neighbors(const Loops *l, ptrdiff_t unit) {
  int32_t i = l->count - 1;
  while (i >= 0 && magnitude(l->loop[i].src) != unit)
    i--;
  return i;
}

static bool is_before(const Loop *a, const Loop *b, bool in_dst) {
  ptrdiff_t iterations = smaller(a->extent, LONG) - smaller(b->extent, LONG);
  ptrdiff_t step = in_dst ? a->dst : a->src, other = in_dst ? b->dst : b->src;
  return iterations > 0 || (iterations == 0 && magnitude(step) < magnitude(other));
}

// Of the long loops the one with the smallest step on this side; if there is none, the longest; -1: none is left.
static int32_t loops_long(const Loops *l, bool in_dst) {
  int32_t best = l->count - 1;
  for (int32_t i = best - 1; i >= 0; i--)
    if (is_before(&l->loop[i], &l->loop[best], in_dst))
      best = i;
  return best;
}

// Puts a loop inside of the remaining ones.
static void loops_put(Loops *l, const Loop *loop) {
  if (loop->extent > 1)
    l->loop[l->count++] = *loop;
}

// The bytes that are contiguous on both sides: a loop over adjacent units on both sides becomes part of the unit.
static ptrdiff_t take_unit(Loops *l, ptrdiff_t unit) {
  for (int32_t i = l->count - 1; i >= 0; i--)
    if (l->loop[i].src == unit && l->loop[i].dst == unit) {
      unit *= loops_take(l, i).extent;
      i = l->count;
    }
  return unit;
}

// Whether units are moved one by one, so that the overhead of short loops counts.
static bool is_by_unit(const Nest *n) {
  return is_element(n->unit) ? choose_for_elements(n) == strided : n->unit <= MOST_PAIR;
}

// Takes both inner loops: if possible, one over adjacent units in dst and one over adjacent units in src. If the latter
// runs backwards, it is reversed. If no kernel gains by that, long loops are better.
static void take_nest(Loops *l, uint32_t width, rsh_box *box) {
  box->unit = take_unit(l, width);
  box->row = loops_take(l, loops_innermost(l));
  box->dst = box->src = 0;
  bool is_simple = box->row.dst != box->unit || box->row.src == 0 || box->row.src == -box->unit;
  int32_t across = is_simple ? -1 : loops_neighbors(l, box->unit);
  Loop *col = &box->col;
  *col = loops_take(l, across >= 0 ? across : loops_innermost(l));
  if (across >= 0 && col->src < 0) {
    box->dst = (col->extent - 1) * col->dst;
    box->src = (col->extent - 1) * col->src;
    col->dst = -col->dst;
    col->src = -col->src;
  }
  const Nest n = {box->unit, &box->row, col, false};
  if (l->count > 0 && smaller(box->row.extent, col->extent) < LONG && is_by_unit(&n)) {
    loops_put(l, &box->row);
    loops_put(l, col);
    box->row = loops_take(l, loops_long(l, true));
    *col = loops_take(l, loops_long(l, false));
  }
}

// Whether the box is larger than the cache, and consists of whole, separate lines of dst if dst is the
// beginning of a line.
static bool may_stream(const Loops *l, const rsh_box *box) {
  bool is_row = is_element(box->unit) && box->row.dst == box->unit;
  ptrdiff_t line = is_row ? box->row.extent * box->unit : box->unit, bytes = line;
  ptrdiff_t bits = line | box->col.dst;
  if (!is_row) {
    bits |= box->row.dst;
    bytes *= box->row.extent;
  }
  bytes *= box->col.extent;
  for (int32_t i = 0; i < l->count; i++) {
    bits |= l->loop[i].dst;
    bytes *= l->loop[i].extent;
  }
  return (bits & 63) == 0 && bytes >= RSH_STREAM_BYTES;
}

static void run_loops(const rsh_box *box, const Loop *around, int32_t count, Byte *dst,
                      const Byte *src) {
  dst += box->dst;
  src += box->src;
  Nest n = {box->unit, &box->row, &box->col, box->may_stream && ((uintptr_t)dst & 63) == 0};
  Kernel *kernel = choose_kernel(&n);
  const Loop inner = box->inner;
  ptrdiff_t index[MOST_LOOPS], to = 0, from = 0;
  for (int32_t k = 0; k < count; k++)
    index[k] = 0;
  for (int32_t k = 0; k >= 0;) {
    for (ptrdiff_t i = 0; i < inner.extent; i++)
      kernel(&n, dst + to + i * inner.dst, src + from + i * inner.src);
    for (k = count - 1; k >= 0; k--) {
      const Loop *loop = &around[k];
      to += loop->dst;
      from += loop->src;
      if (++index[k] < loop->extent)
        break;
      index[k] = 0;
      to -= loop->dst * loop->extent;
      from -= loop->src * loop->extent;
    }
  }
#ifdef HAS_STREAMS
  if (n.streams)
    end_stream();
#endif
}

// Takes everything except the outer loops, which remain in `l`.
static void take_box(Loops *l, uint32_t width, rsh_box *box) {
  take_nest(l, width, box);
  box->may_stream = may_stream(l, box);
  box->inner = loops_take(l, l->count - 1);
}

bool rsh_box_of(rsh_box *box, const rsh_axis *axis, int32_t count, uint32_t width) {
  Loops l;
  if (!loops_of(&l, axis, count, width))
    return false;
  take_box(&l, width, box);
  box->count = l.count;
  for (int32_t i = 0; i < l.count && i < RSH_BOX_LOOPS; i++)
    box->around[i] = l.loop[i];
  return l.count <= RSH_BOX_LOOPS;
}

void rsh_run_box(const rsh_box *box, unsigned char *dst, const unsigned char *src) {
  run_loops(box, box->around, box->count, dst, src);
}

void rsh_copy_box(const rsh_axis *axis, int32_t count, uint32_t width, unsigned char *dst,
                  const unsigned char *src) {
  Loops l;
  rsh_box box;
  if (!loops_of(&l, axis, count, width))
    return;
  take_box(&l, width, &box);
  run_loops(&box, l.loop, l.count, dst, src);
}

enum { SHORT_RUN = 32 }; // bytes that are copied faster than their box is computed

void rsh_copy_bytes(unsigned char *dst, const unsigned char *src, size_t bytes) {
  const rsh_axis axis = {rsh_int((int64_t)bytes), rsh_int(1), rsh_int(1), rsh_int(0)};
  if (RSH_FOR_SIZE)
    __builtin_memcpy(dst, src, bytes);
  else if (bytes > SHORT_RUN)
    rsh_copy_box(&axis, 1, 1, dst, src);
  else
    for (size_t i = 0; i < bytes; i++)
      dst[i] = src[i];
}
