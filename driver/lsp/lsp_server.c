// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The main loop: messages in, replies out. "Lifecycle Messages" of the specification defines the states and the
// calls allowed in each.
#include "driver/lsp/lsp.h"

#include "codegen/machine/target.h"
#include "driver/base/commands.h"
#include "frontend/text/uri.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { READ_AHEAD = 256 };

// Messages that were read but not answered yet, in order.
typedef struct Queue {
  struct Waiting {
    json_t *message; // if `error` is not 0: a string with the reason
    int error;
    uint64_t length;
  } item[READ_AHEAD];
  int count;
  uint64_t length; // of all
} Queue;

// ---- answers

static void send(Server *server, json_t *message) {
  if (server->state != LSP_ENDED && !wire_write(&server->wire, message))
    server->state = LSP_ENDED; // the client has closed the stream
}

// `id` NULL: the message could not be read.
static void send_error(Server *server, const json_t *id, int code, const char *message) {
  json_t *of = id ? json_deep_copy(id) : json_null();
  send(server, json_pack("{s:s, s:o, s:{s:i, s:o}}", "jsonrpc", "2.0", "id", of, "error", "code",
                         code, "message", text_json(message)));
}

static void send_result(Server *server, const json_t *id, json_t *result) {
  send(server,
       json_pack("{s:s, s:o, s:o}", "jsonrpc", "2.0", "id", json_deep_copy(id), "result", result));
}

// ---- initialize

static bool capability(const json_t *params, const char *part, const char *method,
                       const char *name) {
  const json_t *of = json_object_get(json_object_get(params, "capabilities"), part);
  return json_is_true(json_object_get(json_object_get(of, method), name)) ||
         json_is_object(json_object_get(json_object_get(of, method), name));
}

static Client client_of(const json_t *params) {
  static const char document[] = "textDocument", publish[] = "publishDiagnostics";
  Client client = {.has_related = capability(params, document, publish, "relatedInformation"),
                   .has_tags = capability(params, document, publish, "tagSupport")};
  const json_t *of = json_object_get(json_object_get(params, "capabilities"), document), *format;
  size_t i;
  json_array_foreach(json_object_get(json_object_get(of, "hover"), "contentFormat"), i, format) {
    if (json_is_string(format) && strcmp(json_string_value(format), "markdown") == 0)
      client.has_markdown = true;
  }
  return client;
}

static void add_folder(Server *server, const json_t *uri) {
  Arena *arena = server->options->arena;
  const char *text = json_string_value(uri), *path = text ? path_of_uri(arena, text) : NULL;
  if (path)
    VEC_PUSH(arena, server->folders, path_plain(arena, path));
}

static void read_folders(Server *server, const json_t *params) {
  const json_t *folders = json_object_get(params, "workspaceFolders"), *folder;
  size_t i;
  if (json_array_size(folders) == 0)
    add_folder(server, json_object_get(params, "rootUri"));
  json_array_foreach(folders, i, folder) { add_folder(server, json_object_get(folder, "uri")); }
}

static json_t *initialize(Server *server, const json_t *params) {
  server->client = client_of(params);
  read_folders(server, params);
  server->state = LSP_RUNNING;
  json_t *capabilities = json_pack(
      "{s:s, s:{s:b, s:i, s:{s:b}}, s:b, s:{s:[s, s, s, s]}, s:{s:[s, s]}, s:b, s:b, s:b, s:b, "
      "s:{s:b}, s:b, s:b, s:{s:[s, s]}}",
      "positionEncoding", "utf-16",                                              //
      "textDocumentSync", "openClose", 1, "change", 1, "save", "includeText", 0, //
      "hoverProvider", 1,                                                        //
      "completionProvider", "triggerCharacters", ".", ":", ">", "(",             //
      "signatureHelpProvider", "triggerCharacters", "(", ",",                    //
      "definitionProvider", 1,                                                   //
      "referencesProvider", 1,                                                   //
      "documentHighlightProvider", 1,                                            //
      "documentSymbolProvider", 1,                                               //
      "renameProvider", "prepareProvider", 1,                                    //
      "documentFormattingProvider", 1,                                           //
      "inlayHintProvider", 1,                                                    //
      "codeActionProvider", "codeActionKinds", "quickfix", "refactor.rewrite");
  return json_pack("{s:o, s:{s:s, s:s}}", "capabilities", capabilities, "serverInfo", "name",
                   "reshapec", "version", RESHAPEC_VERSION);
}

// ---- methods

typedef enum MethodKind { NOTICE, TEXT, PLACE } MethodKind;

typedef struct Method {
  const char *name;
  LspMethod *function;
  MethodKind kind;
} Method;

static const Method *method_find(const char *name) {
  static const Method all[] = {
#define METHOD(name, function, kind) {name, function, kind},
#include "driver/lsp/lsp_methods.def"
#undef METHOD
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (strcmp(all[i].name, name) == 0)
      return &all[i];
  return NULL;
}

// Resolves params.textDocument and params.position. False: refused.
static bool find_place(Request *r, const Method *method) {
  if (method->kind < TEXT)
    return true;
  const json_t *of = json_object_get(r->params, "textDocument");
  const char *uri = json_string_value(json_object_get(of, "uri"));
  if (!uri)
    return lsp_refuse(r, LSP_INVALID_PARAMS, "params.textDocument.uri is not a string");
  r->document = document_find(r->server, uri);
  if (!r->document)
    return lsp_refuse(r, LSP_INVALID_PARAMS, "'%s' is not open", uri);
  r->analysis = document_analysis(r->server, r->document);
  if (method->kind == PLACE &&
      !lines_byte(&r->analysis->lines, json_object_get(r->params, "position"), &r->at))
    return lsp_refuse(r, LSP_INVALID_PARAMS, "params.position has no line and character");
  return true;
}

static void call(Server *server, const Method *method, const json_t *id, const json_t *params) {
  Request r = {.server = server, .arena = arena_new(), .params = params};
  json_t *result = find_place(&r, method) ? method->function(&r) : NULL;
  if (!id)
    json_decref(result);
  else if (result)
    send_result(server, id, result);
  else
    send_error(server, id, r.error, r.message);
  arena_free(r.arena);
}

// ---- messages

static void end(Server *server) {
  server->status = server->state == LSP_SHUT_DOWN ? EXIT_DONE : EXIT_INPUT;
  server->state = LSP_ENDED;
}

static void notice(Server *server, const char *name, const json_t *params) {
  const Method *method = method_find(name);
  if (strcmp(name, "exit") == 0)
    end(server);
  else if (server->state == LSP_RUNNING && method && method->kind == NOTICE)
    call(server, method, NULL, params);
}

static void ask(Server *server, const char *name, const json_t *id, const json_t *params) {
  const Method *method = method_find(name);
  bool is_first = strcmp(name, "initialize") == 0;
  if (server->state == LSP_STARTED && is_first)
    send_result(server, id, initialize(server, params));
  else if (server->state == LSP_STARTED)
    send_error(server, id, LSP_SERVER_NOT_INITIALIZED, "the server is not initialized");
  else if (server->state == LSP_SHUT_DOWN)
    send_error(server, id, LSP_INVALID_REQUEST, "the server is shut down");
  else if (is_first)
    send_error(server, id, LSP_INVALID_REQUEST, "the server is initialized already");
  else if (strcmp(name, "shutdown") == 0) {
    server->state = LSP_SHUT_DOWN;
    send_result(server, id, json_null());
  } else if (!method || method->kind == NOTICE)
    send_error(server, id, LSP_METHOD_NOT_FOUND, "there is no such method");
  else
    call(server, method, id, params);
}

static bool is_id(const json_t *id) { return json_is_integer(id) || json_is_string(id); }

static void answer(Server *server, const json_t *message) {
  const json_t *id = json_object_get(message, "id"), *params = json_object_get(message, "params");
  const char *name = json_string_value(json_object_get(message, "method"));
  const char *version = json_string_value(json_object_get(message, "jsonrpc"));
  if (!json_is_object(message) || !version || strcmp(version, "2.0") != 0)
    send_error(server, is_id(id) ? id : NULL, LSP_INVALID_REQUEST,
               "this is not a JSON-RPC 2.0 message");
  else if (!json_object_get(message, "method") &&
           (json_object_get(message, "result") || json_object_get(message, "error")))
    return; // the server sends no requests, so it expects no response
  else if (!name || (id && !is_id(id)))
    send_error(server, is_id(id) ? id : NULL, LSP_INVALID_REQUEST,
               "a message has a method, and a request an id that is a string or an integer");
  else if (params && !json_is_object(params) && !json_is_array(params) && !json_is_null(params)) {
    if (id)
      send_error(server, id, LSP_INVALID_PARAMS, "params is not an object");
  } else if (id)
    ask(server, name, id, params);
  else
    notice(server, name, params);
}

// ---- the loop

static struct Waiting take(Queue *queue, int i) {
  struct Waiting taken = queue->item[i];
  queue->count--;
  queue->length -= taken.length;
  memmove(&queue->item[i], &queue->item[i + 1], (size_t)(queue->count - i) * sizeof taken);
  return taken;
}

static void add(Queue *queue, json_t *message, int error, uint64_t length) {
  queue->item[queue->count++] = (struct Waiting){message, error, length};
  queue->length += length;
}

// $/cancelRequest: cancels a waiting request. An answered request cannot be canceled.
static void cancel(Server *server, Queue *queue, const json_t *message) {
  const json_t *id = json_object_get(json_object_get(message, "params"), "id");
  for (int i = 0; i < queue->count && is_id(id); i++) {
    const json_t *waiting = queue->item[i].message;
    if (!json_object_get(waiting, "method") || !json_equal(json_object_get(waiting, "id"), id))
      continue;
    send_error(server, id, LSP_REQUEST_CANCELLED, "the request was canceled");
    json_decref(take(queue, i).message);
    return;
  }
}

static void enqueue(Server *server, Queue *queue, json_t *message) {
  const char *name = json_string_value(json_object_get(message, "method"));
  if (name && strcmp(name, "$/cancelRequest") == 0 && !json_object_get(message, "id")) {
    cancel(server, queue, message);
    json_decref(message);
  } else {
    add(queue, message, 0, server->wire.length);
  }
}

// Reads available messages; if the queue is empty, waits for one. False: end of input.
static bool read_ahead(Server *server, Queue *queue) {
  while (queue->count < READ_AHEAD && queue->length <= WIRE_MAX_BODY &&
         server->state != LSP_ENDED) {
    json_t *message = NULL;
    char why[JSON_ERROR_TEXT_LENGTH];
    switch (wire_read(&server->wire, queue->count == 0, &message, why)) {
    case WIRE_MESSAGE:
      enqueue(server, queue, message);
      break;
    case WIRE_NOTHING:
      return true;
    case WIRE_NO_JSON:
      add(queue, text_json(why), LSP_PARSE_ERROR, 0);
      break;
    case WIRE_TOO_LARGE:
      add(queue, json_string("the message is larger than 128 MiB"), LSP_INVALID_REQUEST, 0);
      break;
    case WIRE_NO_HEADER:
      add(queue, json_string("the header of a message has no length"), LSP_INVALID_REQUEST, 0);
      return false;
    case WIRE_FAILED:
      input_error("cannot read standard input: %s", strerror(errno));
      return false;
    case WIRE_END:
      return false;
    }
  }
  return true;
}

// Requests take precedence, since the editor waits for them; diagnostics are sent when idle.
static void serve(Server *server) {
  Queue queue = {.count = 0};
  bool goes_on = true;
  while (server->state != LSP_ENDED && (goes_on || queue.count > 0)) {
    goes_on = goes_on && read_ahead(server, &queue);
    if (queue.count > 0) {
      struct Waiting next = take(&queue, 0);
      if (next.error)
        send_error(server, NULL, next.error, json_string_value(next.message));
      else
        answer(server, next.message);
      json_decref(next.message);
    }
    if (queue.count == 0 && server->state == LSP_RUNNING)
      diagnostics_send(server);
  }
  while (queue.count > 0)
    json_decref(take(&queue, 0).message);
}

// Checks the target once, instead of reporting it later in each text.
static bool has_target(const Options *options) {
  Diag diag = {.arena = options->arena, .file = "reshapec"};
  bool good = emit_has_target(options->arena, &options->code, &diag);
  diag_print(&diag, stderr, false);
  return good;
}

Exit command_lsp(const Options *options) {
  if (!has_target(options))
    return EXIT_INPUT;
  Server server = {.options = options,
                   .wire = {.in = STDIN_FILENO, .out = stdout},
                   .status = EXIT_INPUT}; // an end without `exit` is an error
  server.reader = documents_reader(&server);
  serve(&server);
  documents_free(&server);
  wire_free(&server.wire);
  return server.status;
}
