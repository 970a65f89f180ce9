// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces a name wherever it has the same meaning, in all files: the name of a graph or of its input, in its own file
// and in those that import it, open or in the editor's folders. The result is compiled before it is returned: a rename
// that changes the meaning of the text or causes an error is refused.
#include "driver/lsp/lsp.h"

#include "driver/script/script.h"
#include "frontend/text/uri.h"
#include "frontend/text/words.h"

#include <string.h>

static bool is_identifier(const char *text, size_t length) {
  size_t n = 0;
  while (is_word_byte(text[n]))
    n++;
  return length > 0 && n == length && !is_digit(*text);
}

static bool is_word_of_language(const char *name) {
  return script_is_word(name) || has_word("graph where for", name);
}

// The entity that has the name in the same scope; NULL: none.
static const Entity *owner_of(const Analysis *a, const Entity *entity, const char *name) {
  for (int i = 0; i < a->names.entity.count; i++) {
    const Entity *other = &a->names.entity.item[i];
    bool is_graph = entity->kind == ENTITY_GRAPH, other_is = other->kind == ENTITY_GRAPH;
    if (other != entity && is_graph == other_is && (is_graph || other->graph == entity->graph) &&
        strcmp(other->name, name) == 0)
      return other;
  }
  return NULL;
}

// True: the entity may have this name.
static bool may_rename(Request *r, const Entity *entity, const char *name, size_t length) {
  if (!is_identifier(name, length))
    return lsp_refuse(r, LSP_INVALID_PARAMS,
                      "'%s' is not a name: a name has letters, digits and underscores, and does "
                      "not begin with a digit",
                      name);
  if (strcmp(name, "_") == 0)
    return lsp_refuse(r, LSP_INVALID_PARAMS, "'_' is not a name: it discards a value");
  if (is_word_of_language(name))
    return lsp_refuse(r, LSP_INVALID_PARAMS, "'%s' is a keyword", name);
  if (entity->kind == ENTITY_GRAPH && is_operator(name))
    return lsp_refuse(r, LSP_INVALID_PARAMS, "'%s' is an operator", name);
  if (entity->kind == ENTITY_GRAPH && script_function(name))
    return lsp_refuse(r, LSP_INVALID_PARAMS, "'%s' is a function of scripts", name);
  const Entity *owner = owner_of(r->analysis, entity, name);
  if (owner)
    return lsp_refuse(r, LSP_INVALID_PARAMS, "'%s' is already the name of %s", name,
                      entity_words(owner->kind));
  return true;
}

// ---- edits

// The entity at the same place of the same file, in the analysis of another text; -1: none.
static int same_entity(const Analysis *a, const char *file, uint32_t byte, const Entity *entity) {
  for (int i = 0; i < a->names.entity.count; i++) {
    const Entity *other = &a->names.entity.item[i];
    const Source *source = source_at(a->p.diag.source, other->span.begin);
    if (other->kind == entity->kind && strcmp(other->name, entity->name) == 0 &&
        strcmp(source->name, file) == 0 && other->span.begin - source->begin == byte)
      return i;
  }
  return -1;
}

static bool has_edit(const json_t *edits, const json_t *edit) {
  const json_t *other;
  size_t i;
  json_array_foreach(edits, i, other) {
    if (json_equal(other, edit))
      return true;
  }
  return false;
}

// Adds the edits of a text named `uri`, and of the files that it imports, except open ones, which are
// handled separately.
static void add_edits(Request *r, json_t *changes, const Analysis *a, const char *uri, int entity,
                      const char *name) {
  const Source *last = a->source;
  Lines lines = a->lines;
  bool is_known = json_object_get(changes, uri) != NULL; // from a text that imports it
  for (int i = 0; i < a->names.mention.count; i++) {
    const Mention *m = &a->names.mention.item[i];
    if (m->entity != entity)
      continue;
    const Source *source = source_at(a->p.diag.source, m->span.begin);
    bool is_own = source == a->source;
    if (!is_own && document_of_path(r->server, source->name))
      continue;
    if (source != last)
      lines = lines_of(r->arena, source);
    last = source;
    const char *file = is_own ? uri : uri_of_path(r->arena, source->name);
    json_t *edits = json_object_get(changes, file), *edit = edit_of(&lines, m->span, name);
    if (!edits) {
      edits = json_array();
      json_object_set_new(changes, file, edits);
    }
    if ((!is_own || is_known) && has_edit(edits, edit))
      json_decref(edit);
    else
      json_array_append_new(edits, edit);
  }
}

// Adds the edits of a text that may refer to the entity. False: refused, since the name is in use there.
static bool add_known(Request *r, json_t *changes, const Analysis *a, const char *uri, int entity,
                      const char *name) {
  const Entity *owner = entity < 0 ? NULL : owner_of(a, &a->names.entity.item[entity], name);
  if (owner)
    return lsp_refuse(r, LSP_INVALID_PARAMS, "'%s' is already the name of %s in '%s'", name,
                      entity_words(owner->kind), a->source->name);
  if (entity >= 0)
    add_edits(r, changes, a, uri, entity, name);
  return true;
}

// Of files that are not open, considers those that contain the old name and import something. False: refused.
static bool add_unopened(Request *r, json_t *changes, const Source *of, uint32_t byte,
                         const Entity *entity, const char *name) {
  FileList files = files_of(r->server, r->arena);
  bool good = true;
  for (int i = 0; i < files.count && good; i++) {
    const char *path = files.item[i], *why, *uri = uri_of_path(r->arena, path);
    Source *source = document_of_path(r->server, path) ? NULL : source_read(r->arena, path, &why);
    if (!source || !strstr(source->text, "import") || !strstr(source->text, entity->name))
      continue;
    Analysis *a =
        analysis_new(r->server->options, &r->server->reader, path, source->text, source->length);
    good = add_known(r, changes, a, uri, same_entity(a, of->name, byte, entity), name);
    analysis_free(a);
  }
  return good;
}

// The text with the new name at each place in it.
static char *renamed_text(Request *r, int entity, const char *name, size_t *length) {
  const Analysis *a = r->analysis;
  const Source *source = a->source;
  size_t count = 0, at = 0, bytes = strlen(name);
  for (int i = 0; i < a->names.mention.count; i++)
    count += a->names.mention.item[i].entity == entity;
  char *text = arena_alloc(r->arena, source->length + count * bytes + 1), *to = text;
  for (int i = 0; i < a->names.mention.count; i++) {
    const Mention *m = &a->names.mention.item[i];
    if (m->entity != entity || !analysis_is_own(a, m->span))
      continue;
    memcpy(to, source->text + at, m->span.begin - at);
    to += m->span.begin - at;
    memcpy(to, name, bytes);
    to += bytes;
    at = m->span.end;
  }
  memcpy(to, source->text + at, source->length - at);
  *length = (size_t)(to - text) + source->length - at;
  return text;
}

// False: refused, with the compiler's message. Not checked for a graph of an imported file: that changes several texts.
static bool check_meaning(Request *r, int entity, const char *name) {
  const Analysis *a = r->analysis;
  size_t length;
  if (!analysis_is_own(a, a->names.entity.item[entity].span))
    return true;
  const char *text = renamed_text(r, entity, name, &length);
  Analysis *after =
      analysis_new(r->server->options, &r->server->reader, a->source->name, text, length);
  const Diag *was = &a->p.diag, *now = &after->p.diag;
  bool is_same = now->errors <= was->errors && after->names.entity.count == a->names.entity.count &&
                 after->names.mention.count == a->names.mention.count;
  const char *what = "the text would change its meaning";
  for (int i = now->list.count - 1; i >= 0 && now->errors > was->errors; i--)
    if (now->list.item[i].severity == SEVERITY_ERROR)
      what = arena_text(r->arena, now->list.item[i].message, strlen(now->list.item[i].message));
  analysis_free(after);
  return is_same || lsp_refuse(r, LSP_REQUEST_FAILED, "the new name '%s': %s", name, what);
}

// NULL: refused.
static const Mention *mention_of(Request *r) {
  const Analysis *a = r->analysis;
  const Mention *mention = names_at(&a->names, r->at);
  if (!mention || !analysis_is_own(a, mention->span))
    lsp_refuse(r, LSP_REQUEST_FAILED, "there is no name that can be changed here");
  return mention && analysis_is_own(a, mention->span) ? mention : NULL;
}

json_t *lsp_prepare_rename(Request *r) {
  const Mention *mention = mention_of(r);
  if (!mention)
    return NULL;
  return json_pack("{s:o, s:s}", "range", lines_range(&r->analysis->lines, mention->span),
                   "placeholder", r->analysis->names.entity.item[mention->entity].name);
}

json_t *lsp_rename(Request *r) {
  const Analysis *a = r->analysis;
  const json_t *new_name = json_object_get(r->params, "newName");
  const Mention *mention = mention_of(r);
  const char *name = json_string_value(new_name);
  if (!mention)
    return NULL;
  if (!name)
    return lsp_refuse(r, LSP_INVALID_PARAMS, "params.newName is not a string");
  const Entity *entity = &a->names.entity.item[mention->entity];
  if (strcmp(entity->name, name) == 0)
    return json_pack("{s:{}}", "changes");
  if (!may_rename(r, entity, name, json_string_length(new_name)) ||
      !check_meaning(r, mention->entity, name))
    return NULL;
  const Source *source = source_at(a->p.diag.source, entity->span.begin);
  uint32_t byte = entity->span.begin - source->begin;
  json_t *changes = json_object();
  bool good = true;
  for (Document *d = r->server->documents; d && good; d = d->hh.next) {
    const Analysis *other = document_analysis(r->server, d);
    int known = other == a ? mention->entity : same_entity(other, source->name, byte, entity);
    good = add_known(r, changes, other, d->uri, known, name);
  }
  if (entity->kind == ENTITY_GRAPH ||
      entity->kind == ENTITY_INPUT) // calls in other files may use the name
    good = good && add_unopened(r, changes, source, byte, entity, name);
  if (!good)
    json_decref(changes);
  return good ? json_pack("{s:o}", "changes", changes) : NULL;
}
