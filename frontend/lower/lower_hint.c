// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Suggestions for unknown names: the nearest name, or the equivalent of another system's name.
//
//   np.moveaxis(x, 0, 1)   write 'transpose(x, [1, 0])'
//   x.reshape([3, 2])      'x' is a tensor, which has no methods; write 'reshape(x, ...)'
//   uint8_t                did you mean 'u8'?
#include "frontend/lower/lower_internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct OtherName {
  const char *name, *hint; // no hint: the operator computes
} OtherName;

static const OtherName other_names[] = {
#define OTHER(name, hint) {name, hint},
#define COMPUTES(name) {name, NULL},
#define TYPE(name, dtype)
#include "frontend/lower/other_names.def"
#undef OTHER
#undef COMPUTES
#undef TYPE
};

const char *did_you_mean(Lower *l, const char *name, const char *const *among, int count) {
  if (l->library->suggestions <= 0)
    return "";
  l->library->suggestions--;
  const char *nearest = diag_nearest(name, among, count);
  return nearest ? arena_printf(l->arena, "; did you mean '%s'?", nearest) : "";
}

const char *names_hint(Lower *l, const char *name, bool symbols) {
  VEC(const char *) names = {0};
  if (l->library->suggestions > 0)
    for (const Name *n = l->names; n; n = n->hh.next)
      if ((n->kind == NAME_SYMBOL) == symbols)
        VEC_PUSH(l->arena, names, n->text);
  return did_you_mean(l, name, names.item, names.count);
}

const char *hint_of_others(Arena *arena, const char *name) {
  for (size_t i = 0; i < sizeof other_names / sizeof *other_names; i++) {
    const char *hint = other_names[i].hint;
    if (strcmp(other_names[i].name, name) == 0)
      return hint ? arena_printf(arena, "; write '%s'", hint)
                  : "; operators that combine elements are out of scope";
  }
  return "";
}

// Returns whether names differ only in case and underscores: DepthToSpace, depth_to_space.
static bool are_alike(const char *a, const char *b) {
  for (;; a++, b++) {
    a += strspn(a, "_");
    b += strspn(b, "_");
    if (tolower((unsigned char)*a) != tolower((unsigned char)*b))
      return false;
    if (*a == '\0')
      return true;
  }
}

static const char *operator_like(const Lower *l, const char *name) {
  for (const OpEntry *op = l->library->ops; op; op = op->hh.next)
    if (are_alike(op->name, name))
      return op->name;
  return are_alike("rearrange", name) ? "rearrange" : NULL;
}

static const char *nearest_callee(Lower *l, const char *name) {
  VEC(const char *) names = {0};
  if (l->library->suggestions > 0) {
    for (const OpEntry *op = l->library->ops; op; op = op->hh.next)
      VEC_PUSH(l->arena, names, op->name);
    for (const Callee *c = l->library->callees; c; c = c->hh.next)
      VEC_PUSH(l->arena, names, c->name);
    VEC_PUSH(l->arena, names, "rearrange");
  }
  return did_you_mean(l, name, names.item, names.count);
}

// "; write 'concat(x, y, axis=0)'", or "" if the name has no known meaning.
static const char *meaning_of(Lower *l, const char *name, bool is_method) {
  const char *op = operator_like(l, name);
  if (op)
    return arena_printf(l->arena, is_method ? "; write '%s(x, ...)'" : "; did you mean '%s'?", op);
  return hint_of_others(l->arena, name);
}

const char *callee_hint(Lower *l, const char *name, bool is_method) {
  const char *dot = strrchr(name, '.'), *hint = meaning_of(l, dot ? dot + 1 : name, is_method);
  return *hint || is_method ? hint : nearest_callee(l, name);
}

const char *dtype_of_others(Arena *arena, const char *name) {
  static const struct {
    const char *name, *dtype;
  } types[] = {
#define OTHER(name, hint)
#define COMPUTES(name)
#define TYPE(name, dtype) {name, dtype},
#include "frontend/lower/other_names.def"
#undef OTHER
#undef COMPUTES
#undef TYPE
  };
  size_t length = strcspn(name, "0123456789");
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    if (strcmp(types[i].name, name) == 0)
      return types[i].dtype;
    // float32: our letter for float, and the number
    if (strlen(types[i].name) == length && strncmp(types[i].name, name, length) == 0) {
      const char *own = types[i].dtype;
      const char *made = arena_printf(arena, "%.*s%.*s", (int)strcspn(own, "0123456789"), own,
                                      (int)strspn(name + length, "0123456789"), name + length);
      if (rsh_dtype_find(made, strlen(made)) != RSH_DTYPE_NONE)
        return made;
    }
  }
  for (int i = 0; i < RSH_DTYPE_COUNT; i++)
    if (are_alike(rsh_dtype_name((rsh_dtype)i), name))
      return rsh_dtype_name((rsh_dtype)i);
  return NULL;
}

const char *dtype_hint(Lower *l, const char *name) {
  const char *own = dtype_of_others(l->arena, name);
  if (own)
    return arena_printf(l->arena, "; did you mean '%s'?", own);
  const char *names[RSH_DTYPE_COUNT];
  for (int i = 0; i < RSH_DTYPE_COUNT; i++)
    names[i] = rsh_dtype_name((rsh_dtype)i);
  const char *hint = did_you_mean(l, name, names, RSH_DTYPE_COUNT);
  return *hint ? hint : "; examples are f32, f16, u8, i64, bool";
}
