// RUN: %{cc} %{cflags} %s -o %t %{libs} && %t
//
// DLPack tensors: types, strides, offsets and lanes in, results and views out. Expected values are computed by hand.
#include "runtime/dlpack.h"
#include "runtime/move.h"

#include <stdio.h>
#include <string.h>

static int wrong;

static void check(bool good, const char *what, int line) {
  if (!good) {
    printf("%s:%d: %s\n", __FILE__, line, what);
    wrong = 1;
  }
}
#define CHECK(condition) check(condition, #condition, __LINE__)

typedef struct Room {
  rsh_move move[4];
  rsh_axis axis[32];
  rsh_moves moves;
} Room;

static rsh_moves *room(Room *r) {
  r->moves = (rsh_moves){.move = r->move, .axis = r->axis, .capacity = 4, .axis_capacity = 32};
  return &r->moves;
}

static int64_t dims[16] = {2, 3}, steps[16];
static uint32_t memory[64];

// A tensor u32[2,3] at `memory`; the caller changes the fields that it tests.
static DLTensor tensor(void) {
  dims[0] = 2, dims[1] = 3;
  return (DLTensor){
      .data = memory, .device = {kDLCPU, 0}, .ndim = 2, .dtype = {1, 32, 1}, .shape = dims};
}

static DLTensor strided(int64_t outer, int64_t inner) {
  DLTensor t = tensor();
  steps[0] = outer, steps[1] = inner;
  t.strides = steps;
  return t;
}

// Six elements read from a tensor.
static rsh_status read_six(const DLTensor *t, uint32_t *out) {
  Room r;
  void *data = NULL;
  rsh_status status = rsh_dlpack_moves(t, 0, room(&r));
  if (status == RSH_ok)
    status = rsh_dlpack_data(t, &data);
  const void *sources[1] = {data};
  return status == RSH_ok ? rsh_run_moves(&r.moves, 4, sources, NULL, out) : status;
}

static bool reads(const DLTensor *t, uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t e,
                  uint32_t f) {
  uint32_t out[6], expected[6] = {a, b, c, d, e, f};
  return read_six(t, out) == RSH_ok && memcmp(out, expected, sizeof out) == 0;
}

static void strides(void) {
  DLTensor t = tensor();
  CHECK(reads(&t, 0, 1, 2, 3, 4, 5)); // NULL strides
  t = strided(10, 2);
  CHECK(reads(&t, 0, 2, 4, 10, 12, 14));
  t.byte_offset = 12;
  CHECK(reads(&t, 3, 5, 7, 13, 15, 17));
  t = strided(-3, -1);
  t.data = memory + 5;
  CHECK(reads(&t, 5, 4, 3, 2, 1, 0));
  t = strided(0, 7); // every row the same
  CHECK(reads(&t, 0, 7, 14, 0, 7, 14));
  t = strided(INT64_MIN, 1); // the stride of an axis of one turn is nothing
  dims[0] = 1;
  uint32_t out[6] = {0};
  CHECK(read_six(&t, out) == RSH_ok && out[2] == 2);
  dims[0] = 0;
  t.data = NULL;
  CHECK(read_six(&t, out) == RSH_ok); // nothing to read
}

static void lanes(void) {
  DLTensor t = strided(5, 2); // u32x3[2, 1] is u32[2, 1, 3]
  t.dtype.lanes = 3;
  dims[1] = 1;
  CHECK(reads(&t, 0, 1, 2, 15, 16, 17));
  rsh_shape shape;
  rsh_dtype type;
  CHECK(rsh_dlpack_shape(&t, &type, &shape) == RSH_ok && type == RSH_U32 && shape.rank == 3 &&
        shape.dim[2].n == 3);
  t = strided(INT64_MAX, 2); // u32x3[1, 2] is u32[1, 2, 3]: an axis of size 1 has no next element
  t.dtype.lanes = 3;
  dims[0] = 1, dims[1] = 2;
  CHECK(reads(&t, 0, 1, 2, 6, 7, 8));
}

static void types(void) {
  static const struct {
    uint8_t code, bits;
    rsh_dtype type;
  } rows[] = {
      {0, 8, RSH_I8},         {0, 64, RSH_I64},    {1, 16, RSH_U16},        {2, 16, RSH_F16},
      {2, 32, RSH_F32},       {2, 64, RSH_F64},    {4, 16, RSH_BF16},       {5, 64, RSH_C64},
      {5, 128, RSH_C128},     {6, 8, RSH_BOOL},    {10, 8, RSH_F8E4M3FN},   {11, 8, RSH_F8E4M3FNUZ},
      {12, 8, RSH_F8E5M2},    {14, 8, RSH_F8E8M0}, {13, 8, RSH_F8E5M2FNUZ}, {17, 4, RSH_F4E2M1},
      {0, 4, RSH_I4},         {1, 2, RSH_U2},      {3, 64, RSH_DTYPE_NONE}, {7, 8, RSH_DTYPE_NONE},
      {2, 8, RSH_DTYPE_NONE},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    CHECK(rsh_dtype_of_dlpack((DLDataType){rows[i].code, rows[i].bits, 1}) == rows[i].type);
  for (int t = 0; t < RSH_DTYPE_COUNT; t++) { // there and back
    DLDataType d;
    CHECK(rsh_dtype_to_dlpack((rsh_dtype)t, &d) == (t != RSH_STRING));
    CHECK(t == RSH_STRING ||
          (rsh_dtype_of_dlpack(d) == (rsh_dtype)t && d.bits == rsh_dtype_bits((rsh_dtype)t)));
  }
}

static void refused(void) {
  rsh_shape shape;
  rsh_dtype type;
  void *data;
  DLTensor t = tensor();
  t.dtype.bits = 24;
  CHECK(rsh_dlpack_shape(&t, &type, &shape) == RSH_bad_type);
  t = tensor();
  t.dtype.lanes = 0;
  CHECK(rsh_dlpack_shape(&t, &type, &shape) == RSH_bad_type);
  t = tensor();
  t.ndim = 17;
  CHECK(rsh_dlpack_shape(&t, &type, &shape) == RSH_rank_limit);
  t.ndim = -1;
  CHECK(rsh_dlpack_shape(&t, &type, &shape) == RSH_rank_limit);
  t = tensor();
  t.shape = NULL;
  CHECK(rsh_dlpack_shape(&t, &type, &shape) == RSH_null_pointer);
  t = tensor();
  dims[1] = -1;
  CHECK(rsh_dlpack_shape(&t, &type, &shape) == RSH_bad_dim);
  dims[1] = INT64_MAX;
  CHECK(rsh_dlpack_shape(&t, &type, &shape) == RSH_overflow);
  dims[0] = 0;
  CHECK(rsh_dlpack_shape(&t, &type, &shape) == RSH_ok);
  t = strided(INT64_MIN, 1);
  CHECK(rsh_dlpack_shape(&t, &type, &shape) == RSH_overflow);
  t = strided(INT64_MAX / 2, 1); // counted in bytes it is too far
  CHECK(rsh_dlpack_shape(&t, &type, &shape) == RSH_overflow);
  // Three elements at a stride of -2^62 bytes span 2^63 bytes and one, which does not fit; at one byte less they fit.
  t = strided(INT64_MIN / 2, 1);
  t.dtype = (DLDataType){0, 8, 1};
  t.ndim = 1;
  dims[0] = 3;
  CHECK(rsh_dlpack_shape(&t, &type, &shape) == RSH_overflow);
  steps[0]++;
  CHECK(rsh_dlpack_shape(&t, &type, &shape) == (sizeof(void *) == 8 ? RSH_ok : RSH_overflow));
  t = strided(INT64_MIN, INT64_MIN); // both axes together
  dims[1] = 2;
  CHECK(rsh_dlpack_shape(&t, &type, &shape) == RSH_overflow);
  dims[0] = 3;
  CHECK(rsh_dlpack_shape(&t, &type, &shape) == RSH_overflow);
  t = strided(INT64_MAX, 1);
  t.dtype.lanes = 3;
  CHECK(rsh_dlpack_shape(&t, &type, &shape) == RSH_overflow);
  t = tensor();
  t.device.device_type = (DLDeviceType)2;
  CHECK(rsh_dlpack_data(&t, &data) == RSH_unsupported);
  static const int hosts[] = {3, 11, 13}; // kDLCUDAHost, kDLROCMHost, kDLCUDAManaged
  for (int i = 0; i < 3; i++) {
    t.device.device_type = (DLDeviceType)hosts[i];
    CHECK(rsh_dlpack_data(&t, &data) == RSH_ok && data == memory);
  }
  t = tensor();
  t.data = NULL;
  CHECK(rsh_dlpack_data(&t, &data) == RSH_null_pointer);
  uint32_t out[6];
  t.ndim = -1;
  CHECK(read_six(&t, out) == RSH_rank_limit);
}

// Six elements written to a tensor in order.
static rsh_status write_six(const DLTensor *t, rsh_dtype type, const rsh_shape *shape) {
  static const uint32_t six[6] = {100, 101, 102, 103, 104, 105};
  Room in, out, work;
  void *data = NULL;
  rsh_moves_identity(room(&in), 0, rsh_int(6));
  rsh_status status = rsh_dlpack_place(t, type, shape, &in.moves, room(&out), room(&work));
  if (status == RSH_ok)
    status = rsh_dlpack_data(t, &data);
  const void *sources[1] = {six};
  return status == RSH_ok ? rsh_run_moves(&out.moves, 4, sources, NULL, data) : status;
}

static void placed(void) {
  rsh_shape shape = {2, {{2, 0}, {3, 0}}}, other = {2, {{3, 0}, {2, 0}}};
  DLTensor t = strided(1, 2); // columns, two apart
  t.byte_offset = 160;
  CHECK(write_six(&t, RSH_U32, &shape) == RSH_ok);
  CHECK(memory[39] == 39 && memory[40] == 100 && memory[41] == 103 && memory[42] == 101 &&
        memory[45] == 105 && memory[46] == 46);
  t = strided(-3, -1);
  t.data = memory + 55;
  CHECK(write_six(&t, RSH_U32, &shape) == RSH_ok);
  CHECK(memory[49] == 49 && memory[50] == 105 && memory[55] == 100 && memory[56] == 56);
  CHECK(write_six(&t, RSH_F32, &shape) == RSH_type_mismatch);
  CHECK(write_six(&t, RSH_U32, &other) == RSH_shape_mismatch);
  t = strided(2, 1); // element (0,2) lies on (1,0)
  CHECK(write_six(&t, RSH_U32, &shape) == RSH_unsupported);
  t = strided(0, 1);
  CHECK(write_six(&t, RSH_U32, &shape) == RSH_unsupported);
  t.ndim = -1;
  CHECK(write_six(&t, RSH_U32, &shape) == RSH_rank_limit);
}

static void results(void) {
  rsh_shape shape = {2, {{2, 0}, {3, 0}}};
  int64_t d[2], s[2];
  DLTensor t;
  CHECK(rsh_dlpack_result(RSH_BF16, &shape, memory, d, s, &t) == RSH_ok);
  CHECK(t.ndim == 2 && t.shape == d && d[0] == 2 && d[1] == 3 && t.strides == s && s[0] == 3 &&
        s[1] == 1 && t.dtype.code == 4 && t.dtype.bits == 16 && t.dtype.lanes == 1 &&
        t.data == memory && t.byte_offset == 0 && t.device.device_type == kDLCPU);
  CHECK(rsh_dlpack_result(RSH_BF16, &shape, memory, d, NULL, &t) == RSH_ok && t.strides == NULL);
  rsh_shape unknown = {2, {{2, 0}, {0, 1}}}, large = {2, {{INT64_MAX, 0}, {3, 0}}};
  CHECK(rsh_dlpack_result(RSH_BF16, &unknown, memory, d, s, &t) == RSH_unknown_size);
  CHECK(rsh_dlpack_result(RSH_BF16, &large, memory, d, s, &t) == RSH_overflow);
  CHECK(rsh_dlpack_result(RSH_STRING, &shape, memory, d, s, &t) == RSH_bad_type);
}

// The moves of a value as one view of its source.
static void views(void) {
  rsh_move one = {.axis_count = 2, .src_offset = {4, 0}};
  rsh_axis axis[2] = {{{3, 0}, {4, 0}, {1, 0}, {0, 0}}, {{4, 0}, {1, 0}, {-6, 0}, {0, 0}}};
  rsh_moves m = {&one, axis, 1, 1, 2, 2, 0};
  rsh_shape shape = {3, {{3, 0}, {2, 0}, {2, 0}}}, crossed = {2, {{2, 0}, {6, 0}}};
  int64_t d[3], s[3];
  DLTensor t = tensor(), view;
  t.data = memory + 8;
  t.byte_offset = 80;
  CHECK(rsh_dlpack_view(&t, &shape, &m, d, s, &view) == RSH_ok);
  CHECK(view.data == memory + 8 && view.byte_offset == 96 && d[2] == 2 && s[0] == 1 &&
        s[1] == -12 && s[2] == -6);
  CHECK(rsh_dlpack_view(&t, &crossed, &m, d, s, &view) == RSH_unsupported);
  one.src_offset.n = -25; // before the tensor's first element, and before its data
  CHECK(rsh_dlpack_view(&t, &shape, &m, d, s, &view) == RSH_ok);
  CHECK(view.data == memory + 3 && view.byte_offset == 0);
  rsh_shape unknown = {1, {{0, 1}}};
  CHECK(rsh_dlpack_view(&t, &unknown, &m, d, s, &view) == RSH_unknown_size);
  t.dtype = (DLDataType){1, 4, 1}; // from the middle of a byte
  CHECK(rsh_dlpack_view(&t, &shape, &m, d, s, &view) == RSH_unsupported);
  t = tensor();
  one.map = 1; // a function of the elements
  CHECK(rsh_dlpack_view(&t, &shape, &m, d, s, &view) == RSH_unsupported);
  one.map = 0;
  m.count = 2;
  CHECK(rsh_dlpack_view(&t, &shape, &m, d, s, &view) == RSH_unsupported);
  m.count = 1;
  one.source = -1; // a constant
  CHECK(rsh_dlpack_view(&t, &shape, &m, d, s, &view) == RSH_unsupported);
}

int main(void) {
  for (uint32_t i = 0; i < 64; i++)
    memory[i] = i;
  strides();
  lanes();
  types();
  refused();
  placed();
  results();
  views();
  return wrong;
}
