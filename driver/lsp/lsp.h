// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reshapec lsp: a server of the Language Server Protocol 3.17 for one client.
//
//   lsp_wire.c         bytes <-> JSON messages
//   lsp_server.c       the life cycle: initialize, requests, cancellation, shutdown, exit
//   lsp_request.c      parts of replies
//   lsp_document.c     the texts that are open in the editor; lsp_files.c: the others in its folders
//   lsp_analysis.c     compiles a text; lsp_names.c: name resolution; lsp_place.c: UTF-16
//   lsp_diagnostics.c, lsp_hover.c, lsp_hints.c, lsp_complete.c, lsp_navigate.c, lsp_rename.c, lsp_actions.c,
//   lsp_format.c, lsp_call.c (signatures)
//                      requests about it: one function per method of lsp_methods.def
//
// Messages are handled sequentially, but read ahead into a queue, so that a waiting request can be canceled, and a text
// is compiled once after a burst of changes.
#ifndef DRIVER_LSP_H
#define DRIVER_LSP_H

#include "driver/lsp/lsp_analysis.h"
#include "driver/lsp/lsp_wire.h"
#include "frontend/text/hash.h"

// Error codes of JSON-RPC and LSP.
enum {
  LSP_PARSE_ERROR = -32700,
  LSP_INVALID_REQUEST = -32600,
  LSP_METHOD_NOT_FOUND = -32601,
  LSP_INVALID_PARAMS = -32602,
  LSP_SERVER_NOT_INITIALIZED = -32002,
  LSP_REQUEST_FAILED = -32803,
  LSP_REQUEST_CANCELLED = -32800
};

typedef struct Document {
  char *uri;
  char *path; // of its file; NULL: none (untitled:)
  char *text;
  size_t length;
  json_int_t version;
  bool is_told;       // its diagnostics were sent
  Analysis *analysis; // of this text; NULL: not analyzed yet
  UT_hash_handle hh;
} Document;

// The capabilities that the client announced.
typedef struct Client {
  bool has_related; // locations of notes
  bool has_tags;
  bool has_markdown; // in a hover
} Client;

typedef VEC(const char *) FileList;

typedef struct Server {
  const Options *options;
  Wire wire;
  Client client;
  Document *documents; // by uri
  SourceReader reader;
  FileList folders; // opened in the editor
  enum { LSP_STARTED, LSP_RUNNING, LSP_SHUT_DOWN, LSP_ENDED } state;
  Exit status;
} Server;

// A message that is being handled.
typedef struct Request {
  Server *server;
  Arena *arena;
  const json_t *params;
  Document *document; // of params.textDocument
  Analysis *analysis; // of the document
  uint32_t at;        // offset of params.position, if there is one
  int error;          // the reason that the request is refused; 0: it is not
  const char *message;
} Request;

// Always returns NULL.
json_t *lsp_refuse(Request *r, int error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// A method: returns the result of a request, which may be a JSON null; NULL: refused.
typedef json_t *LspMethod(Request *r);
#define METHOD(name, function, kind) LspMethod function;
#include "driver/lsp/lsp_methods.def"
#undef METHOD

// ---- lsp_document.c
Document *document_find(Server *server, const char *uri);
Document *document_of_path(Server *server, const char *path); // NULL: it is not open
Analysis *document_analysis(Server *server, Document *document);
void documents_free(Server *server);
SourceReader documents_reader(Server *server);
// {"uri", "range"} of a span in any source.
json_t *location_of(Request *r, const Analysis *a, Span span);
// `version` NULL: the text is closed.
void diagnostics_publish(Server *server, const char *uri, const json_int_t *version,
                         json_t *diagnostics);

// ---- lsp_files.c
// The paths of all texts in the editor's folders.
FileList files_of(const Server *server, Arena *arena);

// ---- lsp_diagnostics.c
// Sends the diagnostics of texts that changed, or that import one that did.
void diagnostics_send(Server *server);

// ---- lsp_request.c
// A JSON string; bytes that are not UTF-8 become U+FFFD.
json_t *text_json(const char *text);
// {"range", "newText"}
json_t *edit_of(const Lines *lines, Span span, const char *text);

#endif
