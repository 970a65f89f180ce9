// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The slow path of num.h: arithmetic where at least one side has a symbol in it.
#ifndef RSH_POLY_H
#define RSH_POLY_H

#include "runtime/num.h"

enum { RSH_MAX_PREMISES = 4, RSH_MAX_PROOFS = 512, RSH_MAX_EXAMPLES = 8 };

// Values of all atoms, small and large ones. What is below 0 for a possible one is not at least 0; what is so for another
// one may be, which then takes a fact to see.
// They are made when they are asked for: one or two refute most of what is not so.
typedef struct rsh_examples {
  int made, count; // of RSH_MAX_EXAMPLES, and those of them that are possible
  int64_t possible[RSH_MAX_EXAMPLES][RSH_MAX_SYMBOLS]; // all facts hold
  int64_t bounded[RSH_MAX_EXAMPLES][RSH_MAX_SYMBOLS];  // the bounds of atoms hold
} rsh_examples;

// All that a proof makes use of: an answer holds under the same premises.
typedef struct rsh_premises {
  int64_t id;
  int32_t symbol_count, fact_count, quotient_count;
  int64_t least[RSH_MAX_SYMBOLS], most[RSH_MAX_SYMBOLS];
  rsh_num fact[RSH_MAX_FACTS];
  rsh_floor quotient[RSH_MAX_FACTS];
  rsh_examples examples; // of these premises
} rsh_premises;

// Whether a <= b, or the sign of a where b is unknown.
typedef struct rsh_proof {
  int64_t premises; // their id; 0: nothing is kept here
  rsh_num a, b;
  int answer;
} rsh_proof;

// Answers under the premises of late: what is supposed for a while and forgotten comes again.
typedef struct rsh_proofs {
  int64_t last_id;
  int32_t count, oldest; // of the premises
  rsh_premises premises[RSH_MAX_PREMISES];
  rsh_proof proof[RSH_MAX_PROOFS];
} rsh_proofs;

// Polynomials are numbered anew.
void rsh_forget_proofs(rsh_symbols *s);

bool rsh_poly_add(rsh_symbols *s, rsh_num a, rsh_num b, rsh_num *out);
bool rsh_poly_mul(rsh_symbols *s, rsh_num a, rsh_num b, rsh_num *out);
// Neither is 0.
bool rsh_poly_div(rsh_symbols *s, rsh_num a, rsh_num b, rsh_num *out);
// The terms of a over the first term of b > 0, rounded down where only the factor is left over.
bool rsh_poly_quotient(rsh_symbols *s, rsh_num a, rsh_num b, rsh_num *out);
int rsh_poly_sign(const rsh_symbols *s, rsh_num a);
rsh_interval rsh_poly_bounds(const rsh_symbols *s, rsh_num a);
bool rsh_poly_at_most(const rsh_symbols *s, rsh_num a, rsh_num b);

#endif
