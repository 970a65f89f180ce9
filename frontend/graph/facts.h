// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Facts: what the conditions of a graph make of its sizes, so that all that is proven later sees them in
// the numbers themselves.
//
//   W % 16 == 0         W is the number 16*w, the atom w being W / 16
//   N == B*S, C == 64   N is the number B*S, C is 64
//   S >= 2, S <= 9      the atom of S is 2 to 9
#ifndef FRONTEND_FACTS_H
#define FRONTEND_FACTS_H

#include "frontend/graph/graph.h"

typedef struct Facts {
  rsh_symbols *symbols;          // polynomials over atoms: one for each symbol, of the same index
  rsh_symbols *raw;              // over the symbols themselves: those of guards
  rsh_num atom[RSH_MAX_SYMBOLS]; // each atom as a number of `symbols`
  rsh_num num[RSH_MAX_SYMBOLS];  // each symbol as a number of `symbols`
  rsh_num raw_num[RSH_MAX_SYMBOLS];  // each symbol as a number of `raw`
  int64_t divisor[RSH_MAX_SYMBOLS];  // atom i is symbol i over this
  uint32_t made_of[RSH_MAX_SYMBOLS]; // bit k: symbol i is worked out from symbol k
} Facts;

// Without symbols, in new storage.
void facts_init(Facts *facts, Arena *arena);
// Forgets all facts and the polynomials over atoms; the symbols and the raw polynomials stay.
void facts_forget(Facts *facts);
// Makes symbol i, unless it is there, once there are i. False: there are too many.
bool facts_symbol(Facts *facts, int i);

// A guard over atoms, or over the symbols themselves, as one of the other kind. False: it does not fit.
bool facts_to_raw(Facts *facts, const Guard *guard, Guard *raw);
bool facts_from_raw(Facts *facts, const Guard *raw, Guard *guard);
// A condition of the compiler's, over symbols, as a user would write it: 4*N % 6 == 0 is N % 3 == 0.
void facts_simplify(Guard *raw);

// Symbol i is n: for compiling a variant. Before any other fact.
void facts_bind(Facts *facts, int i, int64_t n);
// The same of any number over other atoms, at any time.
bool facts_replace(Facts *facts, int i, rsh_num by);
// Takes a condition over atoms, none that always or never holds, for a fact. False: it is none of the
// kinds above, and nothing changed.
bool facts_take(Facts *facts, const Guard *guard);

// n with a number for each atom: 2*B + S with B = 3, S = N is N + 6. False: it does not fit.
bool num_substitute(rsh_symbols *to, const rsh_symbols *from, rsh_num n, const rsh_num *atom,
                    rsh_num *out);

#endif
