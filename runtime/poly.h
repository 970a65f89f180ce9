// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The slow path of num.h: arithmetic with a symbol on at least one side.
#ifndef RSH_POLY_H
#define RSH_POLY_H

#include "runtime/num.h"

enum { RSH_MAX_PREMISES = 8, RSH_MAX_PROOFS = 512, RSH_MAX_EXAMPLES = 8 };

// Values, small and large, of all atoms, and of the facts for them. If a number is below 0 for a possible example, it
// is not always at least 0. If it is below 0 only for others, it may be, but the proof needs a fact.
typedef enum {
  RSH_POSSIBLE, // satisfies all facts
  RSH_BOUNDED,  // is within the bounds of the atoms
  RSH_EXAMPLE_KINDS
} rsh_example_kind;

typedef struct rsh_example {
  int64_t value[RSH_MAX_SYMBOLS];
  int64_t fact[RSH_MAX_FACTS];
  uint64_t fits; // bit i: fact[i] fits
} rsh_example;

// They are computed on demand: one or two refute most false claims.
typedef struct rsh_examples {
  int made, count; // examples made, of RSH_MAX_EXAMPLES, and the possible ones among them
  rsh_example example[RSH_EXAMPLE_KINDS][RSH_MAX_EXAMPLES];
} rsh_examples;

// Everything that a proof depends on: its answer is valid as long as the premises are the same.
typedef struct rsh_premises {
  int64_t id;
  int32_t symbol_count, fact_count, quotient_count;
  int64_t least[RSH_MAX_SYMBOLS], most[RSH_MAX_SYMBOLS];
  rsh_num fact[RSH_MAX_FACTS];
  rsh_floor quotient[RSH_MAX_FACTS];
  rsh_examples examples; // of these premises
} rsh_premises;

// Whether a <= b, or, if b is unknown, the sign of a.
typedef struct rsh_proof {
  int64_t premises; // their id; 0: this entry is empty
  rsh_num a, b;
  int answer;
} rsh_proof;

// A cache of answers under recent premises, because the same assumptions are made and dropped repeatedly.
typedef struct rsh_proofs {
  int64_t last_id;
  int32_t count, oldest; // of the premises
  rsh_premises premises[RSH_MAX_PREMISES];
  rsh_proof proof[RSH_MAX_PROOFS];
} rsh_proofs;

// An empty cache in storage of any content: of its 170 KB, only what is used is written.
void rsh_init_proofs(rsh_proofs *proofs);
// Empties the cache, because ids of polynomials have changed.
void rsh_forget_proofs(rsh_symbols *s);

bool rsh_poly_add(rsh_symbols *s, rsh_num a, rsh_num b, rsh_num *out);
bool rsh_poly_mul(rsh_symbols *s, rsh_num a, rsh_num b, rsh_num *out);
// Neither is 0.
bool rsh_poly_div(rsh_symbols *s, rsh_num a, rsh_num b, rsh_num *out);
// The terms of a divided by the first term of b > 0; coefficients are rounded down, or toward 0, and terms that do not
// divide dropped.
bool rsh_poly_quotient(rsh_symbols *s, rsh_num a, rsh_num b, bool rounds_down, rsh_num *out);
rsh_num rsh_poly_reduce(rsh_symbols *s, rsh_num a);
int rsh_poly_sign(const rsh_symbols *s, rsh_num a);
rsh_interval rsh_poly_bounds(const rsh_symbols *s, rsh_num a);
bool rsh_poly_at_most(const rsh_symbols *s, rsh_num a, rsh_num b);

#endif
