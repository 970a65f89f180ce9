// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers for sizes, strides and offsets: a checked 64-bit integer, or such an integer times a polynomial in the
// symbols of a graph. resolve and fold do all arithmetic with them, so both are written once for known and symbolic
// sizes.
//
//   768*B*S   is {768, id of "B*S"}      12      is {12, 0}
//   2*P + 2   is {2,   id of "P+1"}      0       is {0, 0}
//
//   a size that depends on data   is {7, RSH_UNKNOWN}: unknown number 7
//
// A polynomial is primitive (no common integer factor, first coefficient positive) and interned, so two numbers are
// equal exactly if both fields are.
// Symbols are sizes, which are at least 0. Polynomials are in atoms, integers from `least` to `most`. An atom is
// usually a symbol, but if W % 16 == 0 is known, W is the number 16*w, and w is the atom. Unknown numbers are equal if
// their ids are; apart from its id, only the interval of such a number is known.
#ifndef RSH_NUM_H
#define RSH_NUM_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// A library built with RSH_ONLY_KNOWN supports only integers, and needs half the stack and half the code: for firmware,
// whose sizes are all known when it runs.
#ifdef RSH_ONLY_KNOWN
enum { RSH_HAS_SYMBOLS = 0 };
typedef struct rsh_num {
  int64_t n;
} rsh_num;
#else
enum { RSH_HAS_SYMBOLS = 1 };
typedef struct rsh_num {
  int64_t n; // factor; if it is 0, so is poly
  intptr_t
      poly; // 0: the number is n itself; RSH_UNKNOWN: it is the unknown number with id n. As wide as a
            // register: a load wider than the store before it would stall
} rsh_num;
#endif

enum { RSH_MAX_SYMBOLS = 32, RSH_MAX_FACTS = 64, RSH_UNKNOWN = -1 };

// The bounds of an unknown number, inclusive. INT64_MIN and INT64_MAX mean that there is no bound.
typedef struct rsh_interval {
  int64_t least, most;
} rsh_interval;

// One term of a polynomial: coef * product of atom[i]^exp[i].
typedef struct rsh_term {
  int64_t coef;
  union {
    uint8_t exp[RSH_MAX_SYMBOLS];
    uint64_t exps[RSH_MAX_SYMBOLS / 8]; // eight at a time: most are 0
  };
} rsh_term;

typedef struct rsh_poly {
  int32_t first, count; // its terms, in descending order of exp
  int32_t next;         // an older one with the same hash; 0: none
} rsh_poly;

enum { RSH_POLY_CHAINS = 128 };

// A quotient, rounded down, with a new number: `floor` is of / by, with of >= 0 and by > 0. (S + 1) / 2 is q.
typedef struct rsh_floor {
  rsh_num of, by, floor;
  bool is_exact; // the remainder is 0
} rsh_floor;

// Interned polynomials of one graph, in the caller's storage. NULL if every size is known.
typedef struct rsh_symbols {
  int32_t symbol_count;
  int32_t poly_count, poly_capacity; // entry 0 is unused
  int32_t newest[RSH_POLY_CHAINS];   // by hash; without meaning while there are none
  int32_t term_count, term_capacity;
  rsh_poly *poly;
  rsh_term *term;
  int64_t least[RSH_MAX_SYMBOLS], most[RSH_MAX_SYMBOLS]; // of each atom: 0 to INT64_MAX when new
  rsh_num fact[RSH_MAX_FACTS]; // numbers that are at least 0, used by proofs
  int32_t fact_count;
  rsh_num zero[RSH_MAX_FACTS]; // numbers that are 0, used by divisions: N*M - 2*q
  int32_t zero_count;
  rsh_floor quotient[RSH_MAX_FACTS]; // used by rsh_div and rsh_div_part
  int32_t quotient_count;
  // Unknown numbers. Without room for any, a result that depends on an unknown size is RSH_unknown_size; with room,
  // resolve continues with unknown sizes and sets `undecided`.
  rsh_interval *unknown; // by id; ids from unknown_capacity on have no bounds
  int64_t unknown_count; // ids in use
  int64_t unknown_capacity;
  bool undecided; // resolve assumed something that only the runtime can check; the caller clears it
  // Requirements that resolve could not decide (rsh_require), in the order of the rule, each once. The caller empties
  // the list; requirements without room set `undecided`.
  struct rsh_condition *condition;
  int32_t condition_count, condition_capacity;
  struct rsh_proofs *proofs; // a cache of answers (poly.h); NULL: none
} rsh_symbols;

#ifdef RSH_ONLY_KNOWN
static inline rsh_num rsh_int(int64_t n) {
  rsh_num v = {n};
  return v;
}
static inline void rsh_forget_poly(rsh_num *a) { (void)a; }
static inline bool rsh_are_known(rsh_num a, rsh_num b) { return (void)a, (void)b, true; }
static inline bool rsh_is_unknown(rsh_num a) { return (void)a, false; }
static inline bool rsh_equal(rsh_num a, rsh_num b) { return a.n == b.n; }
// Callers and the library must agree on RSH_ONLY_KNOWN; otherwise they do not link.
#define rsh_resolve rsh_resolve_known
#define rsh_fold rsh_fold_known
#else
static inline rsh_num rsh_int(int64_t n) {
  rsh_num v = {n, 0};
  return v;
}
static inline void rsh_forget_poly(rsh_num *a) { a->poly = 0; }
static inline bool rsh_are_known(rsh_num a, rsh_num b) { return (a.poly | b.poly) == 0; }
static inline bool rsh_is_unknown(rsh_num a) { return a.poly == RSH_UNKNOWN; }
static inline bool rsh_equal(rsh_num a, rsh_num b) { return a.n == b.n && a.poly == b.poly; }
#endif
static inline bool rsh_is_known(rsh_num a) { return rsh_are_known(a, a); }
static inline bool rsh_is(rsh_num a, int64_t n) { return rsh_is_known(a) && a.n == n; }

// Division of integers by b >= 1, rounded down and up.
static inline int64_t rsh_floor_div(int64_t a, int64_t b) { return a / b - (a % b < 0); }
static inline int64_t rsh_ceil_div(int64_t a, int64_t b) { return a / b + (a % b > 0); }

// A new atom, as a number. False: RSH_MAX_SYMBOLS reached, or the storage is full.
bool rsh_symbol(rsh_symbols *s, rsh_num *out);
// The existing atom i, as a number. False: the storage is full.
bool rsh_atom(rsh_symbols *s, int i, rsh_num *out);

// Iterates over a number as a sum: its terms in descending order of exponents, and the factors of each.
// 2*N*N*M - 4 is 2: N N M, then -4.
//   rsh_terms t = rsh_terms_of(s, n);
//   while (rsh_next_term(&t))
//     for (int atom; (atom = rsh_next_atom(&t)) >= 0;)
typedef struct rsh_terms {
  const rsh_term *term, *next;
  int32_t left;   // number of terms from `next` on
  int64_t common; // factor of all terms
  int64_t coef;   // of this term; if it does not fit, its low 64 bits
  bool fits;
  int atom, power; // the last factor, and how many more times it occurs
} rsh_terms;
rsh_terms rsh_terms_of(const rsh_symbols *s, rsh_num a); // 0 and unknown numbers have no terms
bool rsh_next_term(rsh_terms *t);
int rsh_next_atom(rsh_terms *t);          // the next factor of this term; -1: there are no more
uint32_t rsh_atoms_of_term(rsh_terms *t); // bit i: atom i is one of the factors that are left
int rsh_degree(const rsh_terms *t);       // the number of factors of this term
int32_t rsh_term_count(const rsh_symbols *s, rsh_num a);
uint32_t rsh_atoms_of(const rsh_symbols *s, rsh_num a); // bit i: atom i occurs in it

// Records that low <= high. If there is no room, the fact is dropped.
void rsh_fact(rsh_symbols *s, rsh_num high, rsh_num low);
// Records that a == b, for proofs in both directions and for divisions. False: it was known, or there is no room.
//   N*M == 2*q    ->    6*N*M / 4 is 3*q
bool rsh_fact_equal(rsh_symbols *s, rsh_num a, rsh_num b);
// Records that q.floor is q.of / q.by, rounded down, for proofs, for rsh_div_part, and, if it is exact, for rsh_div.
// False: a product or sum does not fit, the exact equality was known, or there is no room.
bool rsh_fact_quotient(rsh_symbols *s, rsh_floor q);
// What rsh_suppose_positive added.
typedef struct rsh_supposed {
  int32_t fact_count; // facts from this one on
  int32_t zero_count; // equalities from this one on
  uint32_t atoms;     // bit i: atom i was assumed to be at least 1
} rsh_supposed;
static inline rsh_supposed rsh_suppose_nothing(const rsh_symbols *s) {
  rsh_supposed none = {s ? s->fact_count : 0, s ? s->zero_count : 0, 0};
  return none;
}
// Assumes a >= 1 and its consequences for the factors, as no atom is below 0.
//   A*B - B  ->  B >= 1, A - 1 >= 1
void rsh_suppose_positive(rsh_symbols *s, rsh_num a, rsh_supposed *added);
void rsh_forget_supposed(rsh_symbols *s, const rsh_supposed *added);

// A new unknown number with this interval; if least == most, that number itself.
rsh_num rsh_unknown(rsh_symbols *s, int64_t least, int64_t most);
// The bounds of any number.
rsh_interval rsh_bounds(const rsh_symbols *s, rsh_num a);
#ifdef RSH_ONLY_KNOWN // every size is known, so these are never reached
#define rsh_unknown(s, least, most) ((void)(s), (void)(most), rsh_int(least))
#define rsh_bounds(s, a) ((void)(s), (rsh_interval){(a).n, (a).n})
#endif

// The greatest common divisor of the magnitudes; gcd(n, 0) is the magnitude of n. Neither is INT64_MIN.
int64_t rsh_gcd(int64_t a, int64_t b);

// The out-of-line versions of the functions below. The inline versions compute known numbers, the common case in
// resolve and fold, in registers, and do not pass on the address of `out`, so that it can be a register too; when
// optimizing for size, they only call these.
bool rsh_add_any(rsh_symbols *s, rsh_num a, rsh_num b, rsh_num *out);
bool rsh_sub_any(rsh_symbols *s, rsh_num a, rsh_num b, rsh_num *out);
bool rsh_mul_any(rsh_symbols *s, rsh_num a, rsh_num b, rsh_num *out);
bool rsh_div_any(rsh_symbols *s, rsh_num a, rsh_num b, rsh_num *out);
int rsh_sign_any(const rsh_symbols *s, rsh_num a);
// a * b, unsigned. False: it does not fit.
bool rsh_multiply_magnitudes(uint64_t a, uint64_t b, uint64_t *out);
static inline uint64_t rsh_magnitude(int64_t n) { return n < 0 ? 0 - (uint64_t)n : (uint64_t)n; }
bool rsh_at_most_any(const rsh_symbols *s, rsh_num a, rsh_num b);

#define RSH_INLINE static inline __attribute__((always_inline))

// A function that is not inlined when optimizing for size, so that its frame is freed before its caller's next call.
#ifdef __OPTIMIZE_SIZE__
#define RSH_APART __attribute__((noinline))
enum { RSH_FOR_SIZE = 1 };
RSH_INLINE bool rsh_in_registers(rsh_num a, rsh_num b) { return (void)a, (void)b, false; }
#else
#define RSH_APART
enum { RSH_FOR_SIZE = 0 };
RSH_INLINE bool rsh_in_registers(rsh_num a, rsh_num b) { return rsh_are_known(a, b); }
#endif
#ifdef RSH_ONLY_KNOWN // a comparison is smaller than a call
RSH_INLINE bool rsh_can_compare(rsh_num a, rsh_num b) { return (void)a, (void)b, true; }
#else
RSH_INLINE bool rsh_can_compare(rsh_num a, rsh_num b) { return rsh_in_registers(a, b); }
#endif

// Passes `out` itself only if that saves stack; otherwise passes a copy, so that `out` stays in registers.
#ifdef __OPTIMIZE_SIZE__
#define RSH_ANY(function, s, a, b, out) function(s, a, b, out)
#else
#define RSH_ANY(function, s, a, b, out) rsh_by_copy(function, s, a, b, out)
RSH_INLINE bool rsh_by_copy(bool (*function)(rsh_symbols *, rsh_num, rsh_num, rsh_num *),
                            rsh_symbols *s, rsh_num a, rsh_num b, rsh_num *out) {
  rsh_num any;
  if (!function(s, a, b, &any))
    return false;
  *out = any;
  return true;
}
#endif

// Sum, difference and product. False: it does not fit (or the storage for polynomials is full). With an unknown number
// the result is unknown too, except for a + 0, a - a, a * 1 and a * 0.
RSH_INLINE bool rsh_add(rsh_symbols *s, rsh_num a, rsh_num b, rsh_num *out) {
  if (!rsh_in_registers(a, b))
    return RSH_ANY(rsh_add_any, s, a, b, out);
  rsh_forget_poly(out);
  return !__builtin_add_overflow(a.n, b.n, &out->n);
}
RSH_INLINE bool rsh_sub(rsh_symbols *s, rsh_num a, rsh_num b, rsh_num *out) {
  if (!rsh_in_registers(a, b))
    return RSH_ANY(rsh_sub_any, s, a, b, out);
  rsh_forget_poly(out);
  return !__builtin_sub_overflow(a.n, b.n, &out->n);
}
RSH_INLINE bool rsh_mul(rsh_symbols *s, rsh_num a, rsh_num b, rsh_num *out) {
  if (!rsh_in_registers(a, b))
    return RSH_ANY(rsh_mul_any, s, a, b, out);
  rsh_forget_poly(out);
  return !__builtin_mul_overflow(a.n, b.n, &out->n);
}

// a / b, if b divides a exactly for all values of the symbols; false if it does not (or b is 0), or if that cannot be
// proved.
RSH_INLINE bool rsh_div(rsh_symbols *s, rsh_num a, rsh_num b, rsh_num *out) {
  if (!rsh_in_registers(a, b) || b.n <= 0)
    return RSH_ANY(rsh_div_any, s, a, b, out);
  if (a.n % b.n != 0)
    return false;
  *out = rsh_int(a.n / b.n);
  return true;
}

// The same number, with the factors that known equalities leave: with B*q == B*e and B >= 1, 12*q is 12*e.
rsh_num rsh_reduce(rsh_symbols *s, rsh_num a);

// Division with remainder: a = b * quotient + rest with 0 <= rest < b. False: no such numbers can be proved; nothing is
// written.   (3*S + 2) / S  ->  3 and 2, with S > 2
bool rsh_div_part(rsh_symbols *s, rsh_num a, rsh_num b, rsh_num *quotient, rsh_num *rest);
// The same by terms, without a proof: the caller shows that this is the quotient. False: it does not fit.
//   16*W*h + 4*w by 16*W  ->  h and 4*w
bool rsh_div_terms(rsh_symbols *s, rsh_num a, rsh_num b, rsh_num *quotient, rsh_num *rest);

// Sign of a: 1 if a > 0 for all values of the symbols, -1 if a < 0, 0 if a is 0, 2 if it depends on them or cannot be
// proved.
RSH_INLINE int rsh_sign(const rsh_symbols *s, rsh_num a) {
  return rsh_can_compare(a, a) ? (a.n > 0) - (a.n < 0) : rsh_sign_any(s, a);
}

// True if a <= b can be proved for all values of the symbols; false does not mean a > b.
RSH_INLINE bool rsh_at_most(const rsh_symbols *s, rsh_num a, rsh_num b) {
  return rsh_can_compare(a, b) ? a.n <= b.n : rsh_at_most_any(s, a, b);
}

// True if it can be proved that a is never a multiple of n >= 0; for n = 0, that a is never 0.
//   2*N + 1 and 4    true        16*W - 6 and 0    true        N and 4    false
bool rsh_never_multiple(const rsh_symbols *s, rsh_num a, int64_t n);

// The value of a if atom i has value[i]. False: it does not fit, or is unknown.
bool rsh_eval(const rsh_symbols *s, rsh_num a, const int64_t *value, int64_t *out);

#undef RSH_ANY
#undef RSH_INLINE

#ifdef __cplusplus
}
#endif
#endif
