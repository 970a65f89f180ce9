// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The texts that are open in the editor. They take precedence over files on disk, also if another text imports them.
#include "driver/lsp/lsp.h"

#include "frontend/text/uri.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// ---- the table

Document *document_find(Server *server, const char *uri) {
  Document *document;
  HASH_FIND_STR(server->documents, uri, document);
  return document;
}

Document *document_of_path(Server *server, const char *path) {
  for (Document *d = server->documents; d; d = d->hh.next)
    if (d->path && strcmp(d->path, path) == 0)
      return d;
  return NULL;
}

static char *bytes_copy(const char *bytes, size_t length) {
  char *copy = memory_of(malloc(length + 1));
  memcpy(copy, bytes, length);
  copy[length] = '\0';
  return copy;
}

static void document_free(Document *document) {
  analysis_free(document->analysis);
  free(document->uri);
  free(document->path);
  free(document->text);
  free(document);
}

void documents_free(Server *server) {
  Document *document, *next;
  HASH_ITER(hh, server->documents, document, next) {
    HASH_DEL(server->documents, document);
    document_free(document);
  }
}

Analysis *document_analysis(Server *server, Document *document) {
  if (!document->analysis)
    document->analysis = analysis_new(server->options, &server->reader,
                                      document->path ? document->path : document->uri,
                                      document->text, document->length);
  return document->analysis;
}

static bool imports(const Analysis *a, const char *path) {
  for (const Source *source = a->source->next; source; source = source->next)
    if (strcmp(source->name, path) == 0)
      return true;
  return false;
}

static void forget_analysis(Document *document) {
  analysis_free(document->analysis);
  document->analysis = NULL;
  document->is_told = false;
}

// After a change of a text: discards the analyses of texts that import it, and of those that have imports and errors.
static void forget_users(Server *server, const char *path) {
  for (Document *d = server->documents; d; d = d->hh.next) {
    bool has_imports = d->analysis && d->analysis->p.ast && d->analysis->p.ast->import_count > 0;
    if (has_imports && (!path || imports(d->analysis, path) || d->analysis->p.diag.errors > 0))
      forget_analysis(d);
  }
}

// ---- files that other texts import

// Only for existing files: the importer identifies files by their inodes. Editors use the plain path.
static Source *read_open(void *user, Arena *arena, const char *path, const char **why) {
  struct stat as_asked, as_plain;
  const char *plain = path_plain(arena, path);
  bool is_same = stat(path, &as_asked) == 0 && stat(plain, &as_plain) == 0 &&
                 as_asked.st_ino == as_plain.st_ino && as_asked.st_dev == as_plain.st_dev;
  const Document *document = is_same ? document_of_path(user, plain) : NULL;
  if (document)
    return source_from_text(arena, plain, document->text, document->length);
  Source *source = source_read_text(arena, path, why);
  if (source && is_same)
    source->name = plain;
  return source;
}

SourceReader documents_reader(Server *server) { return (SourceReader){read_open, server}; }

// The URI of a source of an analysis, as the editor spells it.
static const char *source_uri(Request *r, const Analysis *a, const Source *source) {
  if (source == a->source && r->document)
    return r->document->uri;
  const Document *document = document_of_path(r->server, source->name);
  return document ? document->uri : uri_of_path(r->arena, source->name);
}

json_t *location_of(Request *r, const Analysis *a, Span span) {
  const Source *source = source_at(a->p.diag.source, span.begin);
  Lines lines = source == a->source ? a->lines : lines_of(r->arena, source);
  return json_pack("{s:o, s:o}", "uri", text_json(source_uri(r, a, source)), "range",
                   lines_range(&lines, span));
}

// ---- notifications

// The document named by textDocument in the params; NULL: there is none, or it is not open.
static Document *document_named(Request *r) {
  const json_t *of = json_object_get(r->params, "textDocument");
  const char *uri = json_string_value(json_object_get(of, "uri"));
  return uri ? document_find(r->server, uri) : NULL;
}

static void set_text(Request *r, Document *document, const json_t *text) {
  free(document->text);
  document->length = json_string_length(text);
  document->text = bytes_copy(json_string_value(text), document->length);
  forget_analysis(document);
  if (document->path)
    forget_users(r->server, document->path);
}

json_t *lsp_did_open(Request *r) {
  const json_t *item = json_object_get(r->params, "textDocument"),
               *text = json_object_get(item, "text");
  const char *uri = json_string_value(json_object_get(item, "uri"));
  if (!uri || !json_is_string(text))
    return NULL;
  Document *document = document_find(r->server, uri);
  if (!document) {
    const char *path = path_of_uri(r->arena, uri);
    document = memory_of(calloc(1, sizeof *document));
    document->uri = bytes_copy(uri, strlen(uri));
    if (path) {
      path = path_plain(r->arena, path);
      document->path = bytes_copy(path, strlen(path));
    }
    HASH_ADD_KEYPTR(hh, r->server->documents, document->uri, strlen(document->uri), document);
  }
  document->version = json_integer_value(json_object_get(item, "version"));
  set_text(r, document, text);
  return NULL;
}

// Full synchronization: the last change has the full text.
json_t *lsp_did_change(Request *r) {
  const json_t *changes = json_object_get(r->params, "contentChanges"),
               *of = json_object_get(r->params, "textDocument");
  Document *document = document_named(r);
  size_t count = json_array_size(changes);
  const json_t *text =
      count > 0 ? json_object_get(json_array_get(changes, count - 1), "text") : NULL;
  if (!document || !json_is_string(text))
    return NULL;
  document->version = json_integer_value(json_object_get(of, "version"));
  set_text(r, document, text);
  return NULL;
}

// Files on disk may have changed.
json_t *lsp_did_save(Request *r) {
  forget_users(r->server, NULL);
  return NULL;
}

void diagnostics_publish(Server *server, const char *uri, const json_int_t *version,
                         json_t *diagnostics) {
  json_t *params = json_pack("{s:s, s:o}", "uri", uri, "diagnostics", diagnostics);
  if (version)
    json_object_set_new(params, "version", json_integer(*version));
  json_t *message = json_pack("{s:s, s:s, s:o}", "jsonrpc", "2.0", "method",
                              "textDocument/publishDiagnostics", "params", params);
  if (server->state != LSP_ENDED && !wire_write(&server->wire, message))
    server->state = LSP_ENDED;
}

json_t *lsp_did_close(Request *r) {
  Document *document = document_named(r);
  if (!document)
    return NULL;
  diagnostics_publish(r->server, document->uri, NULL, json_array());
  HASH_DEL(r->server->documents, document);
  if (document->path)
    forget_users(r->server, document->path);
  document_free(document);
  return NULL;
}
