// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nest: one move as loops. Its kind determines the body of the loops; each kind has its own fields. How a target
// executes a nest follows from the kind (strategy.h).
//
//   f32[2, 3] transposed     {3, dst 8, src 4} {2, dst 4, src 12}, run 4: runs
//   the same, times 0.5      the loops are the same: elements, each loaded, multiplied and stored
#ifndef CODEGEN_NEST_H
#define CODEGEN_NEST_H

#include "frontend/graph/graph.h"

// A number for comparisons: one that depends on symbols counts as large.
static inline int64_t likely_size(rsh_num n) { return rsh_is_known(n) ? n.n : INT64_MAX; }

// Numbers of plans are polynomials of Graph.symbols (plain numbers if every size is known).
typedef struct Loop {
  rsh_num extent;   // at least 2, or 1 for a loop over blocks; may be less if it depends on symbols
  rsh_num dst, src; // strides in bytes; dst is positive
  rsh_num at;       // stride in the tables of the nest's map (fold.h)
} Loop;

// The two innermost loops as a transposition: the outer one runs along the source (its src is the run),
// the inner one along the destination (its dst is the run). Sizes of a block in bytes, in each direction.
typedef struct Tile {
  int64_t src, dst;
  bool packs;      // copies blocks to a buffer on the stack
  bool prefetches; // prefetches a later block during the current one: into L2,
  bool near;       // or into L1
  bool strips;     // a few rows of the destination at a time, not a line of elements of the source
  bool is_short;   // rows of the destination may be shorter than a line: a tile is as wide as a register
} Tile;

// The start of one of many equal nests, in bytes.
typedef struct NestPlace {
  int64_t src, dst;
} NestPlace;

// A loop of a nest at one of its starts, in bytes.
typedef struct PlaceLoop {
  int64_t extent, dst, src; // an extent may be 1
} PlaceLoop;

// The starts of a nest that runs at several, which are added to its offsets.
typedef struct NestPlaces {
  const NestPlace *place;
  int count;
  // Loops whose numbers differ between places, outermost first: loop_count for each place. The nest then has no others.
  const PlaceLoop *loop; // NULL: there are none
  int loop_count;
} NestPlaces;

// An element of the result that is assembled from runs of bits: a constant and fields.
typedef struct NestElement {
  int64_t dst; // bytes from the position of the loops
  uint64_t constant;
  int64_t at; // its entry in the tables of the chain
} NestElement;

// A field: `bits` bits from bit `shift` of the source element at byte `src` go to bit `at` of element `element`.
typedef struct NestField {
  int64_t src;
  int element, shift, bits, at;
} NestField;

typedef enum NestKind {
  NEST_RUNS,    // copies contiguous bytes
  NEST_SHIFTED, // the same of packed elements that begin in the middle of a byte of the source
  NEST_WEAVE,   // copies elements; the two innermost loops interleave or deinterleave 2 to 4 planes
  NEST_TILES,   // copies elements; the innermost loops are a matrix that is transposed (nest_tile_form)
  NEST_ELEMENTS, // loads, changes and stores each element
  NEST_FIELDS    // assembles elements of the output from runs of bits of source elements
} NestKind;

// RUNS and TILES: whole lines of the destination.
typedef struct NestLines {
  bool streams; // large; non-temporal stores, in whole lines if the destination is aligned
  // RUNS of less than a line: bytes of the result from which vectors assembled from runs bypass the cache. 0: it has
  // fewer.
  int64_t past;
  // If sizes are open: the nest for results of at least large_from bytes, in whole lines. NULL: there is none.
  const struct Nest *large;
  int64_t large_from;
  bool is_large; // it is the large nest of another, so open sizes count as large
} NestLines;

typedef struct NestTiles {
  Tile tile;
  NestLines lines;
  int32_t map; // for NestElements.tiled: the chain that is applied to vectors; its run is then an element of the
               // narrower side. 0: a plain copy
} NestTiles;

// Each element is loaded, passed through a chain and stored. Each side has its own strides and offsets: in bytes, or in
// elements if these have less than a byte.
typedef struct NestElements {
  int32_t map;       // chain of the graph; 0: none
  rsh_num at_offset; // start in its tables
  int64_t repeat;    // number of copies of the tables, one after another; 0: one
  // The nest as tiles in registers or as a weave, with functions on vectors. NULL: it has no such form.
  const struct Nest *tiled;
} NestElements;

// Each iteration assembles these elements from the fields, which are in order of the elements, and passes them through
// a chain.
typedef struct NestFields {
  const NestElement *element;
  const NestField *field;
  int element_count, field_count;
  rsh_dtype type; // that is assembled; that of the output if there is no chain
  int32_t map;    // chain of the graph; 0: none
} NestFields;

// Nests that fill each other's gaps, in order of the result; a nest over planes is split into one for each plane. All
// have the same extents and strides in the result; each is complete without the others (zip.h).
typedef struct NestZip {
  const struct Nest *nest;
  int count;
  int64_t past; // result size in bytes from which stores bypass the cache; 0: never
} NestZip;

// One move as loops around a block copy: for each index, `run` bytes from source + src_offset + ...
// to the output + dst_offset + .... Offsets in bytes.
typedef struct Nest {
  int source; // Value.id of an input or a kept value, or of a staged one (src then counts bytes of
              // its row-major data); below 0 a constant of Graph.fill, and src is 0
  rsh_num src_offset, dst_offset;
  Loop *loop; // outermost first
  int loop_count;
  const NestPlaces *places; // NULL: it starts once
  const NestZip *zip;       // the group that it belongs to; NULL: none
  rsh_num
      run; // contiguous bytes on both sides; ELEMENTS: an element of the output; FIELDS: an iteration
  uint32_t
      unit; // alignment of every address that the nest accesses: the header requires it of its pointers
  rsh_dtype from, to; // element types of the source and the output
  NestKind kind;
  union {
    NestLines runs; // RUNS
    int shift; // SHIFTED: byte i of the output begins at this bit of byte i of the source, above 0
    int32_t woven;         // WEAVE: like NestTiles.map
    NestTiles tiles;       // TILES
    NestElements elements; // ELEMENTS
    NestFields fields;     // FIELDS
  };
} Nest;

// Whether it loads and stores elements, not bytes: ELEMENTS and FIELDS.
bool nest_is_by_element(const Nest *nest);
// Whether its loops may be reordered and split freely: neither TILES nor WEAVE.
bool nest_is_plain(const Nest *nest);
// Fields that several kinds have; empty for the other kinds.
NestLines nest_lines(const Nest *nest);
NestElements nest_elements(const Nest *nest); // also the chain of TILES and WEAVE
NestFields nest_fields(const Nest *nest);
int nest_shift(const Nest *nest);
int nest_place_count(const Nest *nest); // 0: it starts once, at its offsets
// Turns WEAVE and TILES into RUNS, and clears the properties of destination lines. The elements moved stay the same.
void nest_make_plain(Nest *nest);
// Turns TILES into RUNS or ELEMENTS.
void nest_drop_tiles(Nest *nest);
// Turns TILES or WEAVE with a chain into ELEMENTS.
void nest_make_elements(Nest *nest);
// Bytes of an element that TILES or WEAVE reads and writes: the run, or as wide as its type if there is a chain.
int64_t nest_read_bytes(const Nest *nest);
int64_t nest_written_bytes(const Nest *nest);
// Bytes that an element of TILES takes in registers: the run, padded to a power of two. 0: it is too long, or open.
//
//   u8[480, 640, 3] to [640, 480, 3]    4: pixels of 3 bytes are transposed as if they had 4
int64_t nest_tile_element(const Nest *nest);

// The innermost loops that tiles transpose, for runs that are elements in registers. Planes are the loop around both.
//
//   u8[480, 640] to [640, 480]          MATRIX    {640, dst 480, src 1} {480, dst 1, src 640}
//   u8[480, 640, 3] to [3, 640, 480]    APART     {3, dst 307200, src 1} {640, dst 480, src 3} {480, dst 1, src 1920}
//   u8[3, 480, 640] to [640, 480, 3]    JOINED    {3, dst 1, src 307200} {640, dst 1440, src 1} {480, dst 3, src 640}
enum { MOST_TILE_RUN = 16, TILE_LANE = 16 }; // bytes
typedef enum TileForm { TILE_NONE, TILE_MATRIX, TILE_APART, TILE_JOINED } TileForm;

TileForm nest_tile_form(const Nest *nest);
// The number of these loops.
int nest_tile_loops(const Nest *nest);
// Elements of a pixel in registers: the planes, padded to a power of two; 1 without planes.
int64_t nest_tile_pixel(const Nest *nest);
// Bytes of a lane of tiles: 16, or less if one extent of a matrix is shorter. A lane has at least four elements.
//
//   u8[12, 50000] to [50000, 12]    8: tiles of 8 by 8
int64_t nest_tile_lane(const Nest *nest);
// A copy with its own loops, and room for one more.
Nest nest_copy(Arena *arena, const Nest *nest);
// The bytes that a nest of known numbers writes, or the elements if they have less than a byte; below 0: overflow.
int64_t nest_written(const Nest *nest);
// A loop over `blocks` blocks of `block` iterations of another loop. False: a number overflows.
bool loop_over_blocks(rsh_symbols *s, Loop of, int64_t blocks, int64_t block, Loop *out);
// Starts a nest at iteration `first` of one of its loops: also in the tables of its map. False: a number overflows.
bool nest_start_at(rsh_symbols *s, Nest *nest, const Loop *loop, rsh_num first);
// Turns the run of a nest into an additional loop around a run of this many bytes.
void nest_split_run(Arena *arena, Nest *nest, int64_t bytes);
// The same for any numbers, of which `count * bytes` is the run.
void nest_split_parts(Arena *arena, Nest *nest, rsh_num count, rsh_num bytes);

#endif
