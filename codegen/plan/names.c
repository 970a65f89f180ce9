// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes C names. Reserved words are listed in reserved.def.
#include "codegen/plan/names.h"

#include "frontend/text/words.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  const char *word;
  size_t length;
} reserved[] = {
#define RESERVED(word) {#word, sizeof #word - 1},
#include "codegen/plan/reserved.def"
#undef RESERVED
};

static bool is_listed(const char *name, size_t length) {
  for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
    if (reserved[i].length == length && memcmp(reserved[i].word, name, length) == 0)
      return true;
  return false;
}

static bool ends_with(const char *name, const char *end) {
  size_t n = strlen(name), e = strlen(end);
  return n >= e && strcmp(name + n - e, end) == 0;
}

// Types and macros of <stdint.h>, and the macros that the header defines itself.
static bool is_header_name(const char *name) {
  static const char *const own[] = {"_RANK",    "_DIMS",    "_BYTES", "_IS_ALIAS", "_OFFSET",
                                    "_STRIDES", "_LOD",     "_ALIGN", "_H",        "_VERSION",
                                    "_TARGET",  "_OPTIONS", "_SHA256"};
  for (size_t i = 0; i < sizeof own / sizeof *own; i++)
    if (ends_with(name, own[i]))
      return true;
  if (begins(name, "int") || begins(name, "uint"))
    return ends_with(name, "_t");
  if (ends_with(name, "_MAX") || ends_with(name, "_MIN") || ends_with(name, "_C"))
    return begins(name, "INT") || begins(name, "UINT") || begins(name, "SIZE") ||
           begins(name, "PTRDIFF") || begins(name, "W") || begins(name, "SIG");
  return false;
}

// Names reserved for compilers, such as __LINE__ and _Pragma, and for the runtime.
static bool is_taken(const char *name) {
  return begins(name, "__") || (name[0] == '_' && name[1] >= 'A' && name[1] <= 'Z') ||
         begins(name, "rsh_") || begins(name, "RSH_");
}

// cosf and cosl are reserved like cos.
static bool is_reserved(const char *name) {
  size_t n = strlen(name);
  return is_header_name(name) || is_taken(name) || is_listed(name, n) ||
         (n > 1 && (name[n - 1] == 'f' || name[n - 1] == 'l') && is_listed(name, n - 1));
}

static uint64_t hash_of(const char *text) {
  uint64_t hash = 14695981039346656037u; // FNV-1a
  for (; *text; text++)
    hash = (hash ^ (unsigned char)*text) * 1099511628211u;
  return hash;
}

static char *cleaned(Arena *arena, const char *name) {
  const char *prefix = is_letter(*name) || *name == '_' ? "" : "_";
  char *text = strlen(name) <= C_NAME_MOST ? arena_printf(arena, "%s%s", prefix, name)
                                           : arena_printf(arena, "%s%.*s_%016" PRIx64, prefix,
                                                          C_NAME_MOST, name, hash_of(name));
  for (char *c = text; *c; c++)
    if (!is_word_byte(*c))
      *c = '_';
  return text;
}

const char *c_identifier(Arena *arena, const char *name) {
  char *text = cleaned(arena, name);
  return is_reserved(text) ? arena_printf(arena, "%s_", text) : text;
}

bool is_prefix(const char *text) {
  bool good = is_letter(*text);
  for (; *text && good; text++)
    good = is_word_byte(*text);
  return good;
}

bool can_include(const char *name) { return name[strcspn(name, "\"\n\r")] == '\0'; }

const char *graph_identifier(Arena *arena, const Graph *graph) {
  const char *prefix = graph->prefix ? graph->prefix : "";
  return c_identifier(arena, arena_printf(arena, "%s%s", prefix, graph->name));
}

const char *c_macro_part(Arena *arena, const char *name) {
  char *text = cleaned(arena, name);
  for (char *c = text; *c; c++)
    if (*c >= 'a' && *c <= 'z')
      *c = (char)(*c - 'a' + 'A');
  return text;
}

static struct NameSlot *slot_of(const NameSet *set, const char *name) {
  size_t mask = (size_t)set->capacity - 1, at = (size_t)hash_of(name) & mask;
  while (set->slot[at].name && strcmp(set->slot[at].name, name) != 0)
    at = (at + 1) & mask;
  return &set->slot[at];
}

static void grow_names(NameSet *set) {
  const NameSet old = *set;
  set->capacity = old.capacity ? old.capacity * 2 : 64;
  set->slot = ARENA_ARRAY(set->arena, struct NameSlot, set->capacity);
  for (int i = 0; i < old.capacity; i++)
    if (old.slot[i].name)
      *slot_of(set, old.slot[i].name) = old.slot[i];
}

const char *name_unique(NameSet *set, const char *name) {
  if (set->count * 2 >= set->capacity)
    grow_names(set);
  struct NameSlot *wanted = slot_of(set, name), *slot = wanted;
  const char *candidate = name;
  while (slot->name) {
    candidate = arena_printf(set->arena, "%s_%d", name, wanted->next++);
    slot = slot_of(set, candidate);
  }
  *slot = (struct NameSlot){candidate, 2};
  set->count++;
  return candidate;
}

static const char *name_after(NameSet *set, const GraphNames *names, const char *end) {
  return name_unique(set, arena_printf(set->arena, "%s_%s", names->entry[ENTRY_WHOLE], end));
}

GraphNames *graph_names(Arena *arena, const Plan *const *plans, int count, bool has_tasks) {
  NameSet set = {.arena = arena};
  GraphNames *names = ARENA_ARRAY(arena, GraphNames, count + 1);
  for (int i = 0; i < count; i++)
    names[i].entry[ENTRY_WHOLE] = name_unique(&set, graph_identifier(arena, plans[i]->graph));
  for (int i = 0; i < count; i++)
    if (plans[i]->signature.returns_status)
      names[i].entry[ENTRY_SHAPE] = name_after(&set, &names[i], "shape");
  for (int i = 0; i < count && has_tasks; i++) {
    if (plans[i]->tape)
      continue;
    names[i].entry[ENTRY_TASK_COUNT] = name_after(&set, &names[i], "tasks");
    names[i].entry[ENTRY_TASK] = name_after(&set, &names[i], "task");
    names[i].parallel = name_after(&set, &names[i], "parallel");
  }
  return names;
}

void names_take(NameSet *set, const GraphNames *names) {
  for (EntryPoint e = 0; e < ENTRY_POINTS; e++)
    if (names->entry[e])
      name_unique(set, names->entry[e]);
  if (names->parallel)
    name_unique(set, names->parallel);
}

Signature signature_of_entry(Arena *arena, const Plan *plan, EntryPoint entry) {
  switch (entry) {
  case ENTRY_WHOLE:
    break;
  case ENTRY_SHAPE:
    return plan->shape_signature;
  case ENTRY_TASK_COUNT:
    return signature_of_task_count(arena, &plan->signature);
  case ENTRY_TASK:
    return signature_of_task(arena, &plan->signature);
  case ENTRY_POINTS:
    break;
  }
  return plan->signature;
}
