// Copies between DLPack tensors; called by dlpack_numpy.py.
#include "runtime/dlpack.h"
#include "runtime/move.h"

typedef struct Room {
  rsh_move move[8];
  rsh_axis axis[128];
  rsh_moves moves;
} Room;

static rsh_moves *room(Room *r) {
  r->moves = (rsh_moves){r->move, r->axis, 0, 8, 0, 128, 0};
  return &r->moves;
}

int copy(const DLTensor *from, const DLTensor *to) {
  Room in, out, work;
  rsh_dtype type;
  rsh_shape shape;
  void *src = 0, *dst = 0;
  rsh_status status = rsh_dlpack_shape(from, &type, &shape);
  if (status == RSH_ok)
    status = rsh_dlpack_moves(from, 0, room(&in));
  if (status == RSH_ok)
    status = rsh_dlpack_place(to, type, &shape, &in.moves, room(&out), room(&work));
  if (status == RSH_ok)
    status = rsh_dlpack_data(from, &src);
  if (status == RSH_ok)
    status = rsh_dlpack_data(to, &dst);
  const void *sources[1] = {src};
  return status == RSH_ok
             ? rsh_run_moves(&out.moves, (uint32_t)rsh_dtype_bits(type) / 8, sources, 0, dst)
             : status;
}

// The same tensor, as a view made from its moves.
int view(const DLTensor *from, int64_t *dims, int64_t *strides, DLTensor *out) {
  Room in;
  rsh_dtype type;
  rsh_shape shape;
  rsh_status status = rsh_dlpack_shape(from, &type, &shape);
  if (status == RSH_ok)
    status = rsh_dlpack_moves(from, 0, room(&in));
  return status == RSH_ok ? rsh_dlpack_view(from, &shape, &in.moves, dims, strides, out) : status;
}
