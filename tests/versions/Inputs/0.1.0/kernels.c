/* Made by reshapec from kernels.rsh: C99.
 * reshapec 0.1.0 for x86_64-pc-linux-gnu: -O2 --parallel, source sha256 e7f82d41e0f6646c81db9f2f7281f5c1b30ed64e89a6b415b88f8be0e76a465b */
#include "kernels.h"

#include <stddef.h>
#include <stdint.h>

#if defined __GNUC__ && defined __OPTIMIZE__
#if defined __ARM_FEATURE_UNALIGNED || defined __riscv_misaligned_fast || defined __x86_64__ || \
    defined __i386__ || defined __powerpc__ || defined __s390x__
#define WORDS_ANYWHERE 1
typedef struct word_at {
  uint64_t word;
} __attribute__((packed, may_alias)) word_at;
#else
#define WORDS_ANYWHERE 0
typedef struct word_at {
  uint64_t word;
} __attribute__((may_alias)) word_at;
#endif
#endif

/* Copies 3 bytes. */
static inline void copy_3(void *restrict to, const void *restrict from) {
#if defined __GNUC__ && defined __OPTIMIZE__ && defined __arm__ && WORDS_ANYWHERE
  (void)__builtin_memcpy(to, from, 3);
#else
  uint8_t *at = to;
  const uint8_t *source = from;
  for (size_t i = 0; i < 3U; i++) {
    at[i] = source[i];
  }
#endif
}

static _Bool past_times(uint64_t a, uint64_t b) {
  return b != 0U && a > UINT64_MAX / b;
}

static size_t minimum(size_t a, size_t b) {
  return (a < b) ? a : b;
}

static size_t maximum(size_t a, size_t b) {
  return (a > b) ? a : b;
}

static size_t part_of(size_t units, size_t task, size_t tasks) {
  return (size_t)(((uint64_t)units * task) / tasks);
}

/* ---- librsh_runtime ---- */

struct rsh_call;
struct rsh_shape;
struct rsh_fault;
struct rsh_fold_state;
struct rsh_step;

/* A function of one element other than a cast, in place. The compiler supplies it, as the runtime has no floating-point */
/* arithmetic. */
struct rsh_element_function {
  int32_t op;
  int32_t dtype;
  uint64_t constant[3];
  uint64_t tables; /* bit k: constant[k] is the number of a table, which `run` knows */
  void (*run)(void *element, int64_t entry); /* of its tables */
};

/* What the library has for an operator. The object of a graph has a table of those that the graph uses, and so an */
/* image has no others. */
struct rsh_operator {
  int32_t op;
  rsh_status (*rule)(const struct rsh_call *call, struct rsh_shape *out, struct rsh_fault *fault);
  void (*fold)(
      struct rsh_fold_state *fold); /* NULL: nothing is folded, or no result needs this operator */
  rsh_status (*element)(const struct rsh_step *step,
                        void *element); /* of a cast, in place; else NULL */
};

/* Tensors that are DLTensor *. */
extern const struct rsh_program_tensors rsh_program_dlpack;

/* Sizes that are edges, and guards. */
extern const struct rsh_program_check rsh_program_edges;
extern const struct rsh_program_check rsh_program_guards;

/* What tensors of indices pick. */
extern const struct rsh_program_picker rsh_program_picks;

/* How elements come to the results: by folding, which any graph may need; or each result is an input as it lies in */
/* memory, of reshapes and nothing else. */
extern const struct rsh_program_mover rsh_program_moves;
extern const struct rsh_program_mover rsh_program_copies;

/* What a function of an object needs of the library, as constants of the object. */
struct rsh_program_parts {
  const struct rsh_operator *operators; /* each that the tape names */
  const struct rsh_element_function *functions;
  int32_t function_count;
  const struct rsh_program_tensors *tensors; /* NULL: the words of addresses are all there is */
  const struct rsh_program_check *edges; /* where sizes are edges; else NULL */
  const struct rsh_program_check *guards; /* where there are any; else NULL */
  const struct rsh_program_picker
      *picks; /* of rsh_program_run, where tensors of indices pick; else NULL */
  const struct rsh_program_mover *mover; /* of rsh_program_run; else NULL */
};

/* One call. Lists are in the order of the graph's text. */
struct rsh_program_call {
  const int64_t *sizes; /* of the symbols */
  const void *const *inputs; /* elements, or DLTensor *; constants follow the graph's inputs */
  void *const *outputs; /* likewise */
  int64_t *const *dims; /* for each output: receives its dims, or NULL; the list may be NULL */
  int32_t *const *ranks; /* likewise */
  const struct rsh_program_parts *parts;
  void *memory; /* rsh_program_run: a plan; rsh_program_shape: anything. Aligned to 8 bytes */
};


/* The dims and ranks of all outputs. Only inputs that are read as targets need memory. RSH_unsupported: the object was */
/* compiled for a library of another version. */
rsh_status rsh_program_shape(const int64_t *tape, const struct rsh_program_call *call);

/* The outputs. Unless the status is ok, nothing but the plan is written. Also RSH_unsupported, as above. */
rsh_status rsh_program_run(const int64_t *tape, const struct rsh_program_call *call);


static const int64_t as_asked_tape[75] = {
    10, 75, 0, 1, 2, 1, 4, 7, 2, 0, 0, 1,
    2, 1, 0, 2, 17, 36, 1, 0, 0, 27, 30, 48,
    48, 70, 75, 1, -1, 0, 5, 2, -1, 0, 1, 1,
    1, 1, 0, 0, 6, 4, 1, 0, 0, 0, 0, 2,
    9, 1, 1, 0, 0, 0, 17, 1, 0, 1, 1, 0,
    1, 2, 17, 1, 4, 1, 2, 0, 0, 0, 3, 3,
    -2, 0, -1
};
rsh_status rsh_rule_transpose(const struct rsh_call *call, struct rsh_shape *out, struct rsh_fault *fault);
rsh_status rsh_rule_reshape(const struct rsh_call *call, struct rsh_shape *out, struct rsh_fault *fault);
void rsh_fold_transpose(struct rsh_fold_state *fold);
void rsh_fold_reshape(struct rsh_fold_state *fold);

/*
 * graph planes(x: u8[2, 3]) -> (y: u8[3, 2], row: u8[3]) {
 *     y = transpose(x)
 *     v2 = slice(x, starts=[1], ends=[2], axes=[0], steps=[1])
 *     view row = squeeze(v2, axes=[0])
 * }
 * y: transpose moves axes 0 and 1: 3 x 2 elements
 *   y[2*i + j] = x[i + 3*j]  for i < 3, j < 2
 * row: a contiguous slice of x, from element 3
 *   row[i] = x[3 + i]  for i < 3
 */
void planes(const uint8_t *x, uint8_t *restrict y, uint8_t *row) {
  for (size_t i = 0; i < 3U; i++) {
    y[2U * i] = x[i];
    y[2U * i + 1U] = x[i + 3U];
  }
  if ((const void *)row != (const void *)&x[3U]) {
    copy_3(row, &x[3U]);
  }
}

int32_t planes_tasks(void) {
  return 1;
}

void planes_task(int32_t task, const uint8_t *x, uint8_t *restrict y, uint8_t *row) {
  (void)task;
  planes(x, y, row);
}

/*
 * graph swap(x: f32[N, 4]) -> y where N >= 1 {
 *     v1 = reshape(x, shape=[-1, 2, 2])
 *     y = transpose(v1, perm=[0, 2, 1])
 * }
 * y: transpose moves axes 1 and 2, with sizes known only at run time
 *   y[4*i + 2*j + k] = x[4*i + j + 2*k]  for i < N, j < 2, k < 2
 */
static void swap_kernel(size_t N, const float *restrict x, float *restrict y) {
  for (size_t i = 0; i < N; i++) {
    for (size_t j = 0; j < 2U; j++) {
      y[4U * i + 2U * j] = x[4U * i + j];
      y[4U * i + 2U * j + 1U] = x[4U * i + j + 2U];
    }
  }
}

rsh_status swap(int64_t N, const float *restrict x, float *restrict y) {
  if (N < 0) {
    return RSH_bad_dim;
  }
  /* N >= 1 */
  if (N < 1) {
    return RSH_guard_failed;
  }
  const uint64_t count = (uint64_t)N * 4U;
  if (past_times((uint64_t)N, 4U) || count > (uint64_t)INT64_MAX) {
    return RSH_overflow;
  }
  if (count > UINT64_C(2305843009213693951)) {
    return RSH_overflow;
  }
  if (x == NULL || y == NULL) {
    return RSH_null_pointer;
  }
  swap_kernel((size_t)N, x, y);
  return RSH_ok;
}

static size_t swap_tasks_count(size_t N) {
  return maximum(minimum((N + 3U) / 4U, 64U), 1U);
}

static void swap_task_part(size_t task, size_t N, const float *restrict x, float *restrict y) {
  const size_t tasks = maximum(minimum((N + 3U) / 4U, 64U), 1U);
  const size_t units = (N + 3U) / 4U;
  {
    const size_t begin = minimum(part_of(units, task, tasks) * 4U, N);
    const size_t end = minimum(part_of(units, task + 1U, tasks) * 4U, N);
    for (size_t j = begin; j < end; j++) {
      for (size_t k = 0; k < 2U; k++) {
        y[4U * j + 2U * k] = x[4U * j + k];
        y[4U * j + 2U * k + 1U] = x[4U * j + k + 2U];
      }
    }
  }
}

int32_t swap_tasks(int64_t N) {
  return (int32_t)swap_tasks_count((size_t)N);
}

rsh_status swap_task(int32_t task, int64_t N, const float *restrict x, float *restrict y) {
  if (N < 0) {
    return RSH_bad_dim;
  }
  /* N >= 1 */
  if (N < 1) {
    return RSH_guard_failed;
  }
  const uint64_t count = (uint64_t)N * 4U;
  if (past_times((uint64_t)N, 4U) || count > (uint64_t)INT64_MAX) {
    return RSH_overflow;
  }
  if (count > UINT64_C(2305843009213693951)) {
    return RSH_overflow;
  }
  if (x == NULL || y == NULL) {
    return RSH_null_pointer;
  }
  swap_task_part((size_t)task, (size_t)N, x, y);
  return RSH_ok;
}

rsh_status swap_shape(int64_t N, int64_t *y_dims) {
  if (N < 0) {
    return RSH_bad_dim;
  }
  /* N >= 1 */
  if (N < 1) {
    return RSH_guard_failed;
  }
  const uint64_t count = (uint64_t)N * 4U;
  if (past_times((uint64_t)N, 4U) || count > (uint64_t)INT64_MAX) {
    return RSH_overflow;
  }
  if (count > UINT64_C(2305843009213693951)) {
    return RSH_overflow;
  }
  if (y_dims != NULL) {
    y_dims[0] = N;
    y_dims[1] = 2;
    y_dims[2] = 2;
  }
  return RSH_ok;
}

/*
 * graph as_asked(x: u8[B, 6], s: i64[2]) -> y {
 *     v2 = transpose(x)
 *     y = reshape(v2, shape=s)
 * }
 * y: the target shape of reshape is data
 */
static const struct rsh_operator as_asked_shape_operators[2] = {
    {9, rsh_rule_transpose, NULL, NULL},
    {0, rsh_rule_reshape, NULL, NULL}};

static const struct rsh_program_parts as_asked_shape_parts = {as_asked_shape_operators, NULL, 0, NULL, NULL, NULL, NULL, NULL};

rsh_status as_asked_shape(int64_t B, const int64_t *restrict s, int64_t *y_dims) {
  const int64_t sizes[1] = {B};
  const void *const inputs[2] = {NULL, s};
  int64_t *const dims[1] = {y_dims};
  int64_t memory[94];
  const struct rsh_program_call call = {sizes, inputs, NULL, dims, NULL, &as_asked_shape_parts, memory};
  return rsh_program_shape(as_asked_tape, &call);
}

static const struct rsh_operator as_asked_operators[2] = {
    {9, rsh_rule_transpose, rsh_fold_transpose, NULL},
    {0, rsh_rule_reshape, rsh_fold_reshape, NULL}};

static const struct rsh_program_parts as_asked_parts = {as_asked_operators, NULL, 0, NULL, NULL, NULL, NULL, &rsh_program_moves};

rsh_status as_asked(int64_t B, const uint8_t *restrict x, const int64_t *restrict s, uint8_t *restrict y, int64_t *y_dims, void *plan) {
  const int64_t sizes[1] = {B};
  const void *const inputs[2] = {x, s};
  void *const outputs[1] = {y};
  int64_t *const dims[1] = {y_dims};
  const struct rsh_program_call call = {sizes, inputs, outputs, dims, NULL, &as_asked_parts, plan};
  return rsh_program_run(as_asked_tape, &call);
}
