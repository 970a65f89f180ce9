// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers that sizes, strides and offsets are made of: a checked 64-bit integer, or such an integer
// times a polynomial in the symbols of a graph. All arithmetic of resolve and fold goes through
// here, so both are written once for known and for symbolic sizes.
//
//   768*B*S   is {768, id of "B*S"}      12      is {12, 0}
//   2*P + 2   is {2,   id of "P+1"}      0       is {0, 0}
//
//   a size that data decides   is {7, RSH_UNKNOWN}: unknown number 7
//
// A polynomial is kept primitive (no common integer factor, first coefficient positive) and is
// interned, so two numbers are equal exactly when both fields are.
// Symbols stand for sizes, which begin at 0. What polynomials are made of are atoms, numbers least to most: mostly the symbols themselves, but where W % 16 == 0 is known W is
// the number 16*w, and w the atom.
// An unknown number is the same as another when the ids are; of the rest only its interval is known.
#ifndef RSH_NUM_H
#define RSH_NUM_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// A library that is built with RSH_ONLY_KNOWN knows integers alone, which takes half of the stack and of the
// code: for firmware, whose sizes are all known once it runs.
#ifdef RSH_ONLY_KNOWN
enum { RSH_HAS_SYMBOLS = 0 };
typedef struct rsh_num {
  int64_t n;
} rsh_num;
#else
enum { RSH_HAS_SYMBOLS = 1 };
typedef struct rsh_num {
  int64_t n; // factor; 0 only together with poly 0
  intptr_t
      poly; // 0: the number is n itself; RSH_UNKNOWN: it is the unknown number of id n. As wide as a
            // register: stored in part and loaded whole it would wait
} rsh_num;
#endif

enum { RSH_MAX_SYMBOLS = 16, RSH_MAX_FACTS = 32, RSH_UNKNOWN = -1 };

// What an unknown number can be: least to most. INT64_MIN and INT64_MAX stand for no bound.
typedef struct rsh_interval {
  int64_t least, most;
} rsh_interval;

// One term of a polynomial: coef * product of atom[i]^exp[i].
typedef struct rsh_term {
  int64_t coef;
  uint8_t exp[RSH_MAX_SYMBOLS];
} rsh_term;

typedef struct rsh_poly {
  int32_t first, count; // its terms, in descending order of exp
} rsh_poly;

// How often `by` > 0 goes into `of` >= 0 as a number of its own: (S + 1) / 2 is q.
typedef struct rsh_floor {
  rsh_num of, by, floor;
  bool is_exact; // nothing is left
} rsh_floor;

// Interned polynomials of one graph. The storage is the caller's; NULL wherever every size is known.
typedef struct rsh_symbols {
  int32_t symbol_count;
  int32_t poly_count, poly_capacity; // entry 0 is not used
  int32_t term_count, term_capacity;
  rsh_poly *poly;
  rsh_term *term;
  int64_t least[RSH_MAX_SYMBOLS], most[RSH_MAX_SYMBOLS]; // of each atom: 0 to INT64_MAX when new
  rsh_num fact[RSH_MAX_FACTS]; // numbers that are at least 0, which proofs make use of
  int32_t fact_count;
  rsh_num zero[RSH_MAX_FACTS]; // numbers that are 0, which quotients make use of: N*M - 2*q
  int32_t zero_count;
  rsh_floor quotient[RSH_MAX_FACTS]; // that rsh_div and rsh_div_part make use of
  int32_t quotient_count;
  // Unknown numbers. Without room for any, what depends on a size that is not known is
  // RSH_unknown_size; with it, resolve goes on with unknown sizes and says so in `undecided`.
  rsh_interval *unknown; // by id; ids from unknown_capacity on have no bounds
  int64_t unknown_count; // ids given out
  int64_t unknown_capacity;
  bool undecided; // resolve took for granted what only the program can see; the caller clears it
  // What resolve required of sizes without being able to see it (rsh_require), in the order of the rule. The
  // caller empties it; what there is no room for is undecided.
  struct rsh_condition *condition;
  int32_t condition_count, condition_capacity;
  struct rsh_proofs *proofs; // answers that are kept (poly.h); NULL: none
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
// Callers and the library have to be of one mind, else they do not link.
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

// A new atom, as a number. False: RSH_MAX_SYMBOLS reached, or the storage is full.
bool rsh_symbol(rsh_symbols *s, rsh_num *out);
// Atom i once more, as a number. False: the storage is full.
bool rsh_atom(rsh_symbols *s, int i, rsh_num *out);

// A number as a sum: its terms from the largest degree down, of each the factors. 2*N*N*M - 4 is 2: N N M, then -4.
//   rsh_terms t = rsh_terms_of(s, n);
//   while (rsh_next_term(&t))
//     for (int atom; (atom = rsh_next_atom(&t)) >= 0;)
typedef struct rsh_terms {
  const rsh_term *term, *next;
  int32_t left;   // from the next one on
  int64_t common; // what all of them are multiplied by
  int64_t coef;   // of this one; where it does not fit, what is left of it in 64 bits
  bool fits;
  int atom, power; // the last factor, and how often it is to come again
} rsh_terms;
rsh_terms rsh_terms_of(const rsh_symbols *s, rsh_num a); // 0 has none, and so has what is unknown
bool rsh_next_term(rsh_terms *t);
int rsh_next_atom(rsh_terms *t);    // of this term; -1: there are no more
int rsh_degree(const rsh_terms *t); // how many there are
int32_t rsh_term_count(const rsh_symbols *s, rsh_num a);
uint32_t rsh_atoms_of(const rsh_symbols *s, rsh_num a); // bit i: atom i stands in it

// From now on low <= high is known; there is an end to what is remembered.
void rsh_fact(rsh_symbols *s, rsh_num high, rsh_num low);
// From now on a == b is known: to proofs from both sides, and to quotients. False: it was known, or there is no room.
//   N*M == 2*q    ->    6*N*M / 4 is 3*q
bool rsh_fact_equal(rsh_symbols *s, rsh_num a, rsh_num b);
// From now on it is known that q.floor is q.of / q.by, rounded down: to proofs, to rsh_div_part, and to rsh_div where
// it is exact. False: it was known, or there is no room.
bool rsh_fact_quotient(rsh_symbols *s, rsh_floor q);
// What rsh_suppose_positive has added to what is known.
typedef struct rsh_supposed {
  int32_t fact_count; // facts from this one on
  uint32_t atoms;     // bit i: atom i was told to be at least 1
} rsh_supposed;
// From now on a >= 1 is known, and with it what follows for its factors, as no atom is below 0.
//   A*B - B  ->  B >= 1, A - 1 >= 1
void rsh_suppose_positive(rsh_symbols *s, rsh_num a, rsh_supposed *added);
void rsh_forget_supposed(rsh_symbols *s, const rsh_supposed *added);

// A new unknown number of this interval. Of a single number that is the number itself.
rsh_num rsh_unknown(rsh_symbols *s, int64_t least, int64_t most);
// What is known of any number.
rsh_interval rsh_bounds(const rsh_symbols *s, rsh_num a);
#ifdef RSH_ONLY_KNOWN // nothing is left open, so nobody gets here
#define rsh_unknown(s, least, most) ((void)(s), (void)(most), rsh_int(least))
#define rsh_bounds(s, a) ((void)(s), (rsh_interval){(a).n, (a).n})
#endif

// The greatest common divisor of the magnitudes; of n and 0 it is that of n. Neither is INT64_MIN.
int64_t rsh_gcd(int64_t a, int64_t b);

// Arithmetic on any numbers, as the functions below do it. These have known numbers in registers, which is
// most of what resolve and fold take, and hand `out` to nobody, so that it may be one as well; for size they
// are calls alone.
bool rsh_add_any(rsh_symbols *s, rsh_num a, rsh_num b, rsh_num *out);
bool rsh_sub_any(rsh_symbols *s, rsh_num a, rsh_num b, rsh_num *out);
bool rsh_mul_any(rsh_symbols *s, rsh_num a, rsh_num b, rsh_num *out);
bool rsh_div_any(rsh_symbols *s, rsh_num a, rsh_num b, rsh_num *out);
int rsh_sign_any(const rsh_symbols *s, rsh_num a);
// a * b of numbers without a sign. False: it does not fit.
bool rsh_multiply_magnitudes(uint64_t a, uint64_t b, uint64_t *out);
static inline uint64_t rsh_magnitude(int64_t n) { return n < 0 ? 0 - (uint64_t)n : (uint64_t)n; }
bool rsh_at_most_any(const rsh_symbols *s, rsh_num a, rsh_num b);

#define RSH_INLINE static inline __attribute__((always_inline))

// A function that is done before its caller calls the next: for size its frame is gone by then, too.
#ifdef __OPTIMIZE_SIZE__
#define RSH_APART __attribute__((noinline))
enum { RSH_FOR_SIZE = 1 };
RSH_INLINE bool rsh_in_registers(rsh_num a, rsh_num b) { return (void)a, (void)b, false; }
#else
#define RSH_APART
enum { RSH_FOR_SIZE = 0 };
RSH_INLINE bool rsh_in_registers(rsh_num a, rsh_num b) { return rsh_are_known(a, b); }
#endif
#ifdef RSH_ONLY_KNOWN // comparing is less than to call for it
RSH_INLINE bool rsh_can_compare(rsh_num a, rsh_num b) { return (void)a, (void)b, true; }
#else
RSH_INLINE bool rsh_can_compare(rsh_num a, rsh_num b) { return rsh_in_registers(a, b); }
#endif

// `out` is the caller's own only where that saves stack: else it stays in registers.
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

// The sum, difference, product. False: it does not fit (or the storage for polynomials is full). With
// an unknown number they are unknown too, but for a + 0, a - a, a * 1 and a * 0.
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

// a / b where b divides a exactly, for all values of the symbols; false where it does not (or b is 0),
// or where that cannot be seen.
RSH_INLINE bool rsh_div(rsh_symbols *s, rsh_num a, rsh_num b, rsh_num *out) {
  if (!rsh_in_registers(a, b) || b.n <= 0)
    return RSH_ANY(rsh_div_any, s, a, b, out);
  if (a.n % b.n != 0)
    return false;
  *out = rsh_int(a.n / b.n);
  return true;
}

// The part of a that b divides: a = b * quotient + rest with 0 <= rest < b, as far as can be seen. False:
// that is not seen; nothing is written.   (3*S + 2) / S  ->  3 and 2, with S > 2
bool rsh_div_part(rsh_symbols *s, rsh_num a, rsh_num b, rsh_num *quotient, rsh_num *rest);

// Sign of a: 1 when a > 0 for all values of the symbols, -1 when a < 0, 0 when a is 0, 2 when it depends (or when
// that cannot be seen).
RSH_INLINE int rsh_sign(const rsh_symbols *s, rsh_num a) {
  return rsh_can_compare(a, a) ? (a.n > 0) - (a.n < 0) : rsh_sign_any(s, a);
}

// True when a <= b for all values of the symbols, as far as can be seen; false does not mean a > b.
RSH_INLINE bool rsh_at_most(const rsh_symbols *s, rsh_num a, rsh_num b) {
  return rsh_can_compare(a, b) ? a.n <= b.n : rsh_at_most_any(s, a, b);
}

// Whether a is a multiple of n >= 0 for no sizes, as far as can be seen; of 0: whether it never is 0.
//   2*N + 1 and 4    true        16*W - 6 and 0    true        N and 4    false
bool rsh_never_multiple(const rsh_symbols *s, rsh_num a, int64_t n);

// The value of a where atom i is bound to value[i]. False: it does not fit, or is unknown.
bool rsh_eval(const rsh_symbols *s, rsh_num a, const int64_t *value, int64_t *out);

#undef RSH_ANY
#undef RSH_INLINE

#ifdef __cplusplus
}
#endif
#endif
