// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Facts about the sizes of a graph, derived from its conditions and substituted into the numbers, so that
// every later proof uses them.
//
//   W % 16 == 0         W is the number 16*w, the atom w being W / 16
//   N == B*S, C == 64   N is the number B*S, C is 64
//   S >= 2, S <= 9      the atom of S is 2 to 9
#ifndef FRONTEND_FACTS_H
#define FRONTEND_FACTS_H

#include "frontend/graph/graph.h"

typedef struct Facts {
  rsh_symbols *symbols;              // polynomials over atoms: one for each symbol, with its index
  rsh_symbols *raw;                  // over the symbols themselves, for guards
  Arena *arena;                      // for the lists of guards
  rsh_num atom[RSH_MAX_SYMBOLS];     // each atom as a number of `symbols`
  rsh_num num[RSH_MAX_SYMBOLS];      // each symbol as a number of `symbols`
  rsh_num raw_num[RSH_MAX_SYMBOLS];  // each symbol as a number of `raw`
  int64_t divisor[RSH_MAX_SYMBOLS];  // atom i is symbol i divided by this
  uint32_t made_of[RSH_MAX_SYMBOLS]; // bit k: symbol i is computed from symbol k
} Facts;

// Starts without symbols, in new storage.
void facts_init(Facts *facts, Arena *arena);
// Discards all facts and the polynomials over atoms; the symbols and the raw polynomials stay.
void facts_forget(Facts *facts);
// Adds symbol i unless it exists; symbols below i must exist. False: there are too many.
bool facts_symbol(Facts *facts, int i);

// Converts a guard over atoms to one over symbols, and back. False: overflow.
bool facts_to_raw(Facts *facts, const Guard *guard, Guard *raw);
bool facts_from_raw(Facts *facts, const Guard *raw, Guard *guard);
// Simplifies a compiler condition, over symbols, to what a user would write: 4*N % 6 == 0 is N % 3 == 0.
void facts_simplify(Guard *raw);

// Sets symbol i to n, for compiling a variant. Must precede any other fact.
void facts_bind(Facts *facts, int i, int64_t n);
// Replaces atom i by any number over other atoms, at any time.
bool facts_replace(Facts *facts, int i, rsh_num by);
// Turns a condition over atoms into a fact; it must not be always true or always false. False: it is of
// none of the kinds above, and nothing changed.
bool facts_take(Facts *facts, const Guard *guard);

// Substitutes a number for each atom of n: 2*B + S with B = 3, S = N is N + 6. False: it does not fit.
bool num_substitute(rsh_symbols *to, const rsh_symbols *from, rsh_num n, const rsh_num *atom,
                    rsh_num *out);

#endif
