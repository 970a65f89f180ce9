// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loop and Scan in a whole model. Their iterations are visited one after another, so their number must be known.
//
//   Loop(3, true, x) of a body x -> x[1:]     x[1:][1:][1:]
//   Scan(x) of a body of rows                 the body of x[0], of x[1], and so on, and their results stacked
#include "frontend/onnx/onnx_internal.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>

typedef VEC(Value *) Stacked; // one tensor of each iteration

typedef struct Repeat {
  const Onnx__GraphProto *body;
  bool is_scan;
  size_t lead, state,
      scanned;    // inputs of the body: those before its state, its state, and elements of tensors
  size_t results; // of the body, before its state
  int64_t trips;
  int32_t axis[RSH_MAX_RANK]; // of each tensor whose elements are scanned
  Stacked *stacked;
} Repeat;

enum { MOST_TRIPS = 1 << 12 };

bool repeat_is_op(const Visit *v) {
  return !*node_domain(v->node->domain) &&
         (strcmp(v->op, "Loop") == 0 || strcmp(v->op, "Scan") == 0);
}

static int64_t entry_of(const Visit *v, const char *list, size_t i) {
  const Onnx__AttributeProto *a = attribute_of(v, list);
  return a && i < a->n_ints ? a->ints[i] : 0;
}

static bool too_many_trips(Visit *v) {
  return onnx_error(v, "limit", "'%s' of more than %d iterations", v->op, MOST_TRIPS);
}

// A number known when the model is compiled, such as a limit of iterations.
static bool number_of(Visit *v, const Item *item, const char *what, int64_t *out) {
  bool is_one = item->known && item->known->count == 1 && rsh_is_known(item->known->item[0]);
  *out = is_one ? item->known->item[0].n : 0;
  return is_one || onnx_error(v, "unsupported",
                              "%s of '%s' must be known when the model is compiled", what, v->op);
}

static bool find_trips(Visit *v, Repeat *p) {
  int64_t goes_on = 1;
  p->trips = MOST_TRIPS + 1;
  if (!p->is_scan)
    return (!v->in[0] || number_of(v, v->in[0], "the number of iterations", &p->trips)) &&
           (!v->in[1] || number_of(v, v->in[1], "the condition", &goes_on)) &&
           (p->trips = goes_on ? p->trips : 0, true);
  for (size_t i = 0; i < p->scanned; i++) {
    Value *x = step_operand(v, p->state + i);
    int64_t written = entry_of(v, "scan_input_axes", i);
    if (!x)
      return false;
    if (!rsh_axis_index(written, x->shape.rank, &p->axis[i]))
      return onnx_error(v, "bad_axis", "entry %zu of 'scan_input_axes' is not an axis", i);
    rsh_num size = x->shape.dim[p->axis[i]];
    if (!rsh_is_known(size))
      return onnx_error(v, "unsupported",
                        "size %d of %s must be known when the model is compiled, since 'Scan' "
                        "iterates over it",
                        (int)p->axis[i], input_label(v, p->state + i));
    if (i > 0 && size.n != p->trips)
      return onnx_error(v, "shape_mismatch", "'Scan' of %" PRId64 " and %" PRId64 " elements",
                        p->trips, size.n);
    p->trips = size.n;
  }
  return true;
}

static bool read_repeat(Visit *v, Repeat *p) {
  const Onnx__AttributeProto *body = attribute_of(v, "body");
  bool is_scan = strcmp(v->op, "Scan") == 0;
  int64_t scanned = is_scan ? attribute_int(v, "num_scan_inputs", 0) : 0;
  size_t lead = is_scan ? 0 : 2, count = v->node->n_input;
  if (is_scan && v->frame->opset < 9)
    return onnx_error(v, "unsupported", "'Scan' before opset 9 is not supported");
  if (!body || !body->g || scanned < is_scan || scanned > RSH_MAX_RANK ||
      count < lead + (size_t)scanned || body->g->n_input != count)
    return onnx_error(v, "arity", "'%s' needs a body with the same inputs", v->op);
  *p = (Repeat){.body = body->g,
                .is_scan = is_scan,
                .lead = lead,
                .state = count - lead - (size_t)scanned,
                .scanned = (size_t)scanned,
                .results = is_scan ? 0 : 1};
  for (size_t i = lead; i < count; i++)
    if (!v->in[i])
      return onnx_error(v, "arity", "input %zu is left out", i);
  if (body->g->n_output < p->results + p->state ||
      v->node->n_output > body->g->n_output - p->results)
    return onnx_error(v, "arity", "the body of '%s' has %zu outputs", v->op, body->g->n_output);
  p->stacked = ARENA_ARRAY(v->r->arena, Stacked, body->g->n_output);
  return find_trips(v, p);
}

// The inputs of an iteration that are not state: its number and the condition, or elements. False: reported.
static bool give_iteration(Visit *v, const Repeat *p, int64_t n, Item *given) {
  const rsh_shape scalar = {0};
  for (size_t i = 0; i < p->lead; i++) {
    Numbers *number = numbers_new(v->r, i == 0 ? RSH_I64 : RSH_BOOL, &scalar);
    if (!number)
      return too_many_trips(v);
    number->item[0] = rsh_int(i == 0 ? n : 1);
    given[i] = (Item){.span = v->span, .known = number};
  }
  for (size_t i = 0; i < p->scanned; i++) {
    Value *x = step_operand(v, p->state + i);
    int64_t at = entry_of(v, "scan_input_directions", i) ? p->trips - 1 - n : n;
    x = step_slice(v, x, rsh_int(at), rsh_int(at + 1), p->axis[i]);
    x = x ? step_squeeze(v, x, p->axis[i]) : NULL;
    if (!x)
      return false;
    given[p->state + i] = (Item){.span = v->span, .value = x};
  }
  return true;
}

// Visits the body once more. False: an error was reported, or the graph is lowered again.
static bool visit_iteration(Visit *v, Repeat *p, int64_t n, Item *given, Item *made) {
  Reader *r = v->r;
  int errors = r->data.diag->errors;
  int64_t goes_on = 1;
  if (r->visits++ >= MAX_VISITS) // of loops in loops
    return onnx_error(v, "limit", "more than %d nodes and iterations", MAX_VISITS);
  if (!give_iteration(v, p, n, given))
    return false;
  visit_body(v, p->body, given, made);
  if (r->data.diag->errors > errors || reader_is_again(r))
    return false;
  if (p->results > 0 && !number_of(v, &made[0], "the condition", &goes_on))
    return false;
  for (size_t i = p->results + p->state; i < p->body->n_output; i++) {
    Value *value = masks_value(v, &made[i]) ? item_value(r, &made[i], v->span) : NULL;
    if (!value)
      return false;
    VEC_PUSH(r->arena, p->stacked[i], value);
  }
  for (size_t i = 0; i < p->state; i++)
    given[p->lead + i] = made[p->results + i];
  p->trips = goes_on ? p->trips : n + 1;
  return true;
}

static Value *stack(Visit *v, const Repeat *p, size_t result) {
  const Stacked *all = &p->stacked[result];
  size_t i = result - p->results - p->state;
  bool is_reversed = entry_of(v, "scan_output_directions", i) != 0;
  if (all->count == 0) {
    onnx_error(v, "unsupported", "'%s' without iterations does not tell the shape of '%s'", v->op,
               p->body->output[result]->name);
    return NULL;
  }
  Value **value = ARENA_ARRAY(v->r->arena, Value *, all->count);
  for (int k = 0; k < all->count; k++)
    value[k] = all->item[is_reversed ? all->count - 1 - k : k];
  return step_join_all(v, value, all->count, true, entry_of(v, "scan_output_axes", i));
}

bool repeat_visit(Visit *v) {
  Repeat p;
  if (!read_repeat(v, &p))
    return false;
  Item *given = ARENA_ARRAY(v->r->arena, Item, p.body->n_input),
       *made = ARENA_ARRAY(v->r->arena, Item, p.body->n_output);
  for (size_t i = 0; i < p.state; i++)
    given[p.lead + i] = *v->in[p.lead + i];
  for (int64_t n = 0; n < p.trips; n++)
    if (n == MOST_TRIPS ? !too_many_trips(v) : !visit_iteration(v, &p, n, given, made))
      return false;
  for (size_t i = 0; i < v->node->n_output; i++) {
    Item result = {0};
    if (!*v->node->output[i])
      continue;
    if (i >= p.state)
      result.value = stack(v, &p, p.results + i);
    if (i >= p.state && !result.value)
      return false;
    visit_result(v, i, i < p.state ? &given[p.lead + i] : &result, INT_MAX);
  }
  return true;
}
