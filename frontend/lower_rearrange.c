// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// rearrange(x, "b (h d) -> 2 h b d", h=4) as primitive steps; those that would do nothing are left
// out:
//
//   x: f32[8, 64]    reshape [8, 4, 16]        one axis for each name on the left
//                    transpose [1, 0, 2]       in the order of the right
//                    unsqueeze [0]             room for what the right alone has
//                    expand [2, 4, 8, 16]
//                    reshape                   the brackets of the right (none here)
#include "frontend/lower_internal.h"
#include "frontend/pattern.h"

#include <string.h>

// One axis after the brackets are opened.
typedef struct Part {
  const char *name; // NULL: one of those that '...' stands for
  int ellipsis;     // which of those
  int group;        // of its side
  rsh_num size;
  bool has_size;
  uint32_t begin, end;
} Part;

enum { MAX_PARTS = PATTERN_MAX_ITEMS + RSH_MAX_RANK };

typedef struct Rearrange {
  Lower *l;
  const Expr *call;
  const Expr *text; // the pattern as written
  Value *x;
  Span x_span;
  Pattern pattern;
  Part left[MAX_PARTS];
  int left_count;
  Part right[MAX_PARTS]; // size set; without what is 1
  int from[MAX_PARTS];   // right: index of the part of the left, or -1 for a repetition
  int right_count;
  const Arg *size_arg[PATTERN_MAX_ITEMS]; // h=2
  int size_arg_count;
} Rearrange;

// A place inside the pattern, where its text stands in the source as it is.
static Span place(const Rearrange *r, uint32_t begin, uint32_t end) {
  Span span = r->text->span;
  if (span.end - span.begin != r->text->string.length + 2) // it has escapes
    return span;
  return (Span){span.begin + 1 + begin, span.begin + 1 + end};
}

#define FAIL(r, begin, end, kind, ...)                                                             \
  (lower_error((r)->l, place((r), (begin), (end)), (kind), __VA_ARGS__), false)

static const char *text_of(const Rearrange *r, rsh_num n) {
  return num_text(r->l->arena, r->l->graph, n);
}

// --- Arguments

static bool has_axis(const PatternSide *side, const char *name) {
  for (int i = 0; i < side->count; i++)
    if (side->item[i].kind == PATTERN_AXIS && strcmp(side->item[i].name, name) == 0)
      return true;
  return false;
}

static bool keep_size_arg(Rearrange *r, const Arg *arg) {
  const Pattern *p = &r->pattern;
  if (!has_axis(&p->left, arg->name) && !has_axis(&p->right, arg->name)) {
    const char *names[2 * PATTERN_MAX_ITEMS];
    int count = 0;
    for (int i = 0; i < p->left.count + p->right.count; i++) {
      const PatternItem *item =
          i < p->left.count ? &p->left.item[i] : &p->right.item[i - p->left.count];
      if (item->kind == PATTERN_AXIS)
        names[count++] = item->name;
    }
    lower_error(r->l, arg->name_span, "unknown_argument", "the pattern has no axis '%s'%s",
                arg->name, did_you_mean(r->l, arg->name, names, count));
    return false;
  }
  for (int i = 0; i < r->size_arg_count; i++)
    if (strcmp(r->size_arg[i]->name, arg->name) == 0) {
      lower_error(r->l, arg->name_span, "arity", "argument '%s' is given twice", arg->name);
      return false;
    }
  // Distinct names of the pattern, which has no more axes than this on both sides.
  if (r->size_arg_count < PATTERN_MAX_ITEMS)
    r->size_arg[r->size_arg_count++] = arg;
  return true;
}

static bool parse_text(Rearrange *r) {
  PatternError error;
  if (pattern_parse(r->l->arena, r->text->string.text, r->text->string.length, &r->pattern, &error))
    return true;
  return FAIL(r, error.begin, error.end, error.kind, "%s", error.message);
}

// The pattern and the sizes, from argument `next` on. False: reported, or the tensor is poisoned.
static bool take_arguments(Rearrange *r, int next) {
  Lower *l = r->l;
  const Expr *call = r->call;
  int count = call->call.count;
  if (next >= count || call->call.arg[next].name ||
      call->call.arg[next].value->kind != EXPR_STRING) {
    Span span = next < count ? call->call.arg[next].value->span : call->call.callee_span;
    lower_error(l, span, next < count ? "bad_arg" : "arity",
                "'rearrange' takes a tensor and a pattern in quotes, such as \"h w -> w h\"");
    return false;
  }
  r->text = call->call.arg[next++].value;
  if (!parse_text(r))
    return false;
  for (; next < count; next++) {
    const Arg *arg = &call->call.arg[next];
    if (!arg->name) {
      lower_error(l, arg->value->span, "arity",
                  "what follows the pattern are sizes of axes by name, such as h=2");
      return false;
    }
    if (!keep_size_arg(r, arg))
      return false;
  }
  return r->x != NULL;
}

// The size that was given for an axis. False: reported. *has_size says whether there is one.
static bool given_size(Rearrange *r, const char *name, rsh_num *size, bool *has_size) {
  *has_size = false;
  for (int i = 0; i < r->size_arg_count; i++) {
    const Arg *arg = r->size_arg[i];
    Problem p = {0};
    if (strcmp(arg->name, name) != 0)
      continue;
    if (!int_expr(r->l, arg->value, size, &p)) {
      problem_report(r->l, &p);
      return false;
    }
    if (rsh_sign(r->l->graph->symbols, *size) == -1) {
      lower_error(r->l, arg->value->span, "bad_dim", "size %s of axis '%s' is below 0",
                  text_of(r, *size), name);
      return false;
    }
    *has_size = true;
  }
  return true;
}

// --- Left side: parts and their sizes

static bool open_left(Rearrange *r) {
  const PatternSide *side = &r->pattern.left;
  int rank = r->x->shape.rank;
  int named = side->group_count - (side->ellipsis >= 0);
  if (side->ellipsis >= 0 && side->group[side->item[side->ellipsis].group].in_brackets)
    return FAIL(r, side->item[side->ellipsis].begin, side->item[side->ellipsis].end, "bad_pattern",
                "'...' in brackets on the left: how many axes it stands for cannot be known");
  if (named != rank && (side->ellipsis < 0 || named > rank))
    return FAIL(r, side->begin, side->end, "bad_pattern",
                "the pattern has %s%d axes on the left but %s has rank %d",
                side->ellipsis >= 0 ? "at least " : "", named, value_label(r->l, r->x), rank);
  for (int i = 0, axis_shift = 0; i < side->count; i++) {
    const PatternItem *item = &side->item[i];
    Part part = {.name = item->name,
                 .group = item->group + axis_shift,
                 .begin = item->begin,
                 .end = item->end};
    if (item->kind == PATTERN_NUMBER && item->number != 1)
      return FAIL(r, item->begin, item->end, "bad_pattern",
                  "a number on the left can only be 1: other axes need a name");
    if (item->kind == PATTERN_AXIS) {
      if (!given_size(r, item->name, &part.size, &part.has_size))
        return false;
      r->left[r->left_count++] = part;
    }
    for (int k = 0; item->kind == PATTERN_ELLIPSIS && k < rank - named; k++) {
      part.ellipsis = k;
      part.group = item->group + k;
      part.size = r->x->shape.dim[part.group];
      part.has_size = true;
      r->left[r->left_count++] = part;
    }
    if (item->kind == PATTERN_ELLIPSIS)
      axis_shift = rank - named - 1;
  }
  return true;
}

// Where an axis of x stands in the pattern.
static Span group_place(const Rearrange *r, int axis) {
  const PatternSide *side = &r->pattern.left;
  int group = axis;
  if (side->ellipsis >= 0 && axis > side->item[side->ellipsis].group)
    group = axis - (r->x->shape.rank - side->group_count);
  return place(r, side->group[group].begin, side->group[group].end);
}

static bool group_mismatch(Rearrange *r, int axis, rsh_num product) {
  lower_error(r->l, group_place(r, axis), "bad_pattern",
              "axis %d of %s has size %s, the pattern says %s", axis, value_label(r->l, r->x),
              text_of(r, r->x->shape.dim[axis]), text_of(r, product));
  return false;
}

// Axis `axis` of x is the product of its parts; one size may be left to find.
static bool size_group(Rearrange *r, int axis) {
  rsh_symbols *s = r->l->graph->symbols;
  rsh_num whole = r->x->shape.dim[axis], product = rsh_int(1);
  Part *unknown = NULL;
  for (int i = 0; i < r->left_count; i++) {
    Part *part = &r->left[i];
    if (part->group != axis)
      continue;
    if (part->has_size) {
      if (!rsh_mul(s, product, part->size, &product))
        return FAIL(r, part->begin, part->end, "overflow", "the sizes multiply over 64 bits");
    } else if (unknown) {
      return FAIL(r, part->begin, part->end, "bad_pattern",
                  "the sizes of '%s' and '%s' are both open; give one, such as %s=2", unknown->name,
                  part->name, part->name);
    } else {
      unknown = part;
    }
  }
  if (!unknown)
    return sizes_agree(r->l, whole, product) || group_mismatch(r, axis, product);
  if (rsh_is(product, 0))
    return FAIL(r, unknown->begin, unknown->end, "ambiguous_infer",
                "the size of '%s' cannot be found: the other sizes multiply to 0", unknown->name);
  unknown->has_size = true;
  if (rsh_div(s, whole, product, &unknown->size))
    return true;
  lower_error(r->l, group_place(r, axis), "not_divisible",
              "axis %d of %s has size %s, which is no multiple of %s%s", axis,
              value_label(r->l, r->x), text_of(r, whole), text_of(r, product),
              rsh_is_known(whole) ? "" : " whatever the symbols are");
  return false;
}

// --- Right side

static int left_find(const Rearrange *r, const PatternItem *item, int ellipsis) {
  for (int i = 0; i < r->left_count; i++) {
    const Part *part = &r->left[i];
    if (item->kind == PATTERN_AXIS ? part->name && strcmp(part->name, item->name) == 0
                                   : !part->name && part->ellipsis == ellipsis)
      return i;
  }
  return -1;
}

static void push_right(Rearrange *r, Part part, int from) {
  if (from < 0 && rsh_is(part.size, 1)) // repeated once
    return;
  r->from[r->right_count] = from;
  r->right[r->right_count++] = part;
}

// An axis that the right alone has: x repeated.
static bool open_repeat(Rearrange *r, const PatternItem *item, Part part) {
  if (item->kind == PATTERN_NUMBER) {
    if (item->number == 0)
      return FAIL(r, item->begin, item->end, "bad_pattern", "0 repetitions");
    part.size = rsh_int(item->number);
  } else {
    if (!given_size(r, item->name, &part.size, &part.has_size))
      return false;
    if (!part.has_size)
      return FAIL(r, item->begin, item->end, "bad_pattern",
                  "axis '%s' is new on the right; how often to repeat is missing, such as %s=2",
                  item->name, item->name);
  }
  push_right(r, part, -1);
  return true;
}

static bool open_right(Rearrange *r) {
  const PatternSide *side = &r->pattern.right;
  int dots = 0;
  for (int i = 0; i < r->left_count; i++)
    dots += r->left[i].name == NULL;
  if (side->ellipsis >= 0 && r->pattern.left.ellipsis < 0)
    return FAIL(r, side->item[side->ellipsis].begin, side->item[side->ellipsis].end, "bad_pattern",
                "'...' stands on the right alone");
  // An open '...' makes several axes, so groups after it count on from there.
  for (int i = 0, shift = 0; i < side->count; i++) {
    const PatternItem *item = &side->item[i];
    bool in_brackets = side->group[item->group].in_brackets;
    Part part = {
        .name = item->name, .group = item->group + shift, .begin = item->begin, .end = item->end};
    for (int k = 0; item->kind == PATTERN_ELLIPSIS && k < dots; k++) {
      int from = left_find(r, item, k);
      part.size = r->left[from].size;
      part.group = item->group + (in_brackets ? 0 : k);
      push_right(r, part, from);
    }
    if (item->kind == PATTERN_ELLIPSIS) {
      shift = in_brackets ? 0 : dots - 1;
      continue;
    }
    int from = item->kind == PATTERN_AXIS ? left_find(r, item, 0) : -1;
    if (from < 0 && !open_repeat(r, item, part))
      return false;
    if (from >= 0) {
      part.size = r->left[from].size;
      push_right(r, part, from);
    }
  }
  return true;
}

static bool check_complete(Rearrange *r) {
  for (int i = 0; i < r->left_count; i++) {
    bool found = false;
    for (int k = 0; k < r->right_count; k++)
      found = found || r->from[k] == i;
    if (!found)
      return FAIL(r, r->left[i].begin, r->left[i].end, "bad_pattern",
                  "'%s' is missing on the right; 'rearrange' moves elements, it does not reduce",
                  r->left[i].name ? r->left[i].name : "...");
  }
  if (r->left_count > RSH_MAX_RANK || r->right_count > RSH_MAX_RANK)
    return FAIL(r, 0, r->text->string.length, "rank_limit",
                "%d axes inside the brackets; at most %d can be held",
                r->left_count > r->right_count ? r->left_count : r->right_count, RSH_MAX_RANK);
  return true;
}

// --- Steps

static Value *step(Rearrange *r, Value *x, rsh_op op, const rsh_num *list, int count) {
  Binding *b = binding_new(r->l, op, "rearrange", r->call->span);
  b->callee_span = r->call->call.callee_span;
  binding_operand(r->l, b, x, r->x_span);
  binding_list(r->l, b, 0, list, count);
  bool plain = true; // every size is 1 or more, so that no entry can read as "copy"
  for (int i = 0; i < count; i++)
    plain = plain && rsh_is_known(list[i]) && list[i].n > 0;
  if (op == RSH_OP_RESHAPE && !plain)
    binding_int(r->l, b, 1, 1); // allowzero
  Values values = binding_apply(r->l, b);
  return values.count == 1 ? values.item[0] : NULL;
}

static Value *reshape_to(Rearrange *r, Value *x, const rsh_num *dim, int rank) {
  bool same = rank == x->shape.rank;
  for (int i = 0; same && i < rank; i++)
    same = rsh_equal(dim[i], x->shape.dim[i]);
  return same ? x : step(r, x, RSH_OP_RESHAPE, dim, rank);
}

static Value *open_brackets(Rearrange *r, Value *x) {
  rsh_num dim[RSH_MAX_RANK];
  for (int i = 0; i < r->left_count; i++)
    dim[i] = r->left[i].size;
  return reshape_to(r, x, dim, r->left_count);
}

static Value *permute(Rearrange *r, Value *x) {
  rsh_num perm[RSH_MAX_RANK];
  int count = 0;
  bool moves = false;
  for (int i = 0; i < r->right_count; i++)
    if (r->from[i] >= 0) {
      moves = moves || r->from[i] != count;
      perm[count++] = rsh_int(r->from[i]);
    }
  return moves ? step(r, x, RSH_OP_TRANSPOSE, perm, count) : x;
}

static Value *repeat(Rearrange *r, Value *x) {
  rsh_num axis[RSH_MAX_RANK], dim[RSH_MAX_RANK];
  int count = 0;
  for (int i = 0; i < r->right_count; i++) {
    dim[i] = r->right[i].size;
    if (r->from[i] < 0)
      axis[count++] = rsh_int(i);
  }
  if (count == 0)
    return x;
  x = step(r, x, RSH_OP_UNSQUEEZE, axis, count);
  return x ? step(r, x, RSH_OP_EXPAND, dim, r->right_count) : NULL;
}

static bool is_one_reshape(const Rearrange *r) {
  for (int i = 0; i < r->right_count; i++)
    if (r->from[i] != i)
      return false;
  return true;
}

// The sizes of the result: the product of each group of the right.
static Value *close_brackets(Rearrange *r, Value *x) {
  const PatternSide *side = &r->pattern.right;
  rsh_num dim[MAX_PARTS];
  int dots = 0;
  bool open_dots =
      side->ellipsis >= 0 && !side->group[side->item[side->ellipsis].group].in_brackets;
  for (int i = 0; i < r->left_count; i++)
    dots += r->left[i].name == NULL;
  int rank = side->group_count + (open_dots ? dots - 1 : 0);
  for (int i = 0; i < rank; i++)
    dim[i] = rsh_int(1);
  for (int i = 0; i < r->right_count; i++) {
    rsh_num *d = &dim[r->right[i].group];
    if (!rsh_mul(r->l->graph->symbols, *d, r->right[i].size, d)) {
      lower_error(r->l, place(r, side->begin, side->end), "overflow",
                  "the sizes multiply over 64 bits");
      return NULL;
    }
  }
  return reshape_to(r, x, dim, rank);
}

static Value *rearrange(Rearrange *r, int next) {
  if (!take_arguments(r, next) || !open_left(r))
    return NULL;
  for (int axis = 0; axis < r->x->shape.rank; axis++)
    if (!size_group(r, axis))
      return NULL;
  if (!open_right(r) || !check_complete(r))
    return NULL;
  Value *x = r->x;
  if (!is_one_reshape(r)) {
    x = open_brackets(r, x);
    x = x ? permute(r, x) : NULL;
    x = x ? repeat(r, x) : NULL;
  }
  return x ? close_brackets(r, x) : NULL;
}

// With its operand, so that what is large below is on the stack once however deep calls nest.
static Value *rearrange_operand(Lower *l, const Expr *call, Value *x, Span x_span, int next) {
  Rearrange r;
  memset(&r, 0, sizeof r);
  r.l = l;
  r.call = call;
  r.x = x;
  r.x_span = x_span;
  return rearrange(&r, next);
}

Values call_rearrange(Lower *l, const Expr *call, const Piped *piped) {
  Values values = {0};
  Value *x = piped ? piped->value : NULL;
  Span x_span = piped ? piped->span : call->span;
  int next = 0;
  if (!piped && call->call.count > 0 && !call->call.arg[0].name) {
    x = lower_value(l, call->call.arg[next].value);
    x_span = call->call.arg[next++].value->span;
  }
  x = rearrange_operand(l, call, x, x_span, next);
  if (!x)
    return values;
  values.item = ARENA_NEW(l->arena, Value *);
  values.item[values.count++] = x;
  return values;
}
