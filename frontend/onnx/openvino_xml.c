// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The XML of OpenVINO IR: layers with their ports, and the edges between them.
//
//   <edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
//
// Expat reads the text. IR has no DOCTYPE, so a file with one is rejected before any entity can expand.
#include "frontend/onnx/openvino_internal.h"

#include <errno.h>
#include <expat.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LAYERS = 1 << 16, MAX_PORTS = 1 << 18 };
enum { DIM_DEPTH = 6 }; // net, layers, layer, output, port, dim

typedef struct Element Element;
struct Element {
  const char *name;
  unsigned line;
  VEC(IrAttribute) attribute;
  VEC(char) text; // of a <dim>, without its final NUL; no other text is read
  Element *parent, *first, *last, *next;
};

// ---- Messages

// The span of a line without its prefix.
static Span line_span(const Source *source, unsigned line) {
  uint32_t at = 0;
  for (; line > 1 && at < source->length; at++)
    line -= source->text[at] == '\n';
  while (at < source->length && (source->text[at] == ' ' || source->text[at] == '\t'))
    at++;
  Span span = {at, at};
  while (span.end < source->length && source->text[span.end] != '\n')
    span.end++;
  return span;
}

bool ir_error(Ir *ir, unsigned line, const char *kind, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const char *text = arena_vprintf(ir->arena, format, arguments);
  va_end(arguments);
  diag_error(ir->diag, line_span(ir->source, line), kind, "%s", text);
  return false;
}

// ---- Words and numbers

static bool is_called(const Element *element, const char *name) {
  return strcmp(element->name, name) == 0;
}

static const Element *child_of(const Element *element, const char *name) {
  const Element *child = element->first;
  while (child && !is_called(child, name))
    child = child->next;
  return child;
}

static const char *text_of(const Element *element, const char *name) {
  for (int i = 0; i < element->attribute.count; i++)
    if (strcmp(element->attribute.item[i].name, name) == 0)
      return element->attribute.item[i].value;
  return NULL;
}

bool ir_integer(const char *text, int64_t *out) {
  char *end;
  errno = 0;
  long long number = strtoll(text, &end, 10);
  *out = number;
  return end != text && end[strspn(end, " \t\r\n")] == '\0' && errno == 0;
}

bool ir_integers(Arena *arena, const char *text, int64_t **out, int *count) {
  VEC(int64_t) list = {0};
  bool good = true;
  while (good && *text) {
    text += strspn(text, " ,\t\r\n");
    if (!*text)
      break;
    char *end;
    errno = 0;
    int64_t number = strtoll(text, &end, 10);
    good = end != text && errno == 0 && (*end == '\0' || strchr(" ,\t\r\n", *end));
    VEC_PUSH(arena, list, number);
    text = end;
  }
  *out = list.item;
  *count = list.count;
  return good;
}

static bool number_of(Ir *ir, const Element *node, const char *name, int64_t *out) {
  const char *text = text_of(node, name);
  if (text && ir_integer(text, out))
    return true;
  if (text)
    ir_error(ir, node->line, "bad_file", "'%s' of <%s> is '%s', which is not an integer", name,
             node->name, text);
  else
    ir_error(ir, node->line, "bad_file", "<%s> has no '%s'", node->name, name);
  return false;
}

const char *ir_attribute(const IrLayer *layer, const char *name) {
  for (int i = 0; i < layer->attribute.count; i++)
    if (strcmp(layer->attribute.item[i].name, name) == 0)
      return layer->attribute.item[i].value;
  return NULL;
}

// ---- Layers

static bool read_port(Ir *ir, const Element *node, IrPort *port) {
  VEC(int64_t) dim = {0};
  *port = (IrPort){.line = node->line};
  if (!number_of(ir, node, "id", &port->id))
    return false;
  port->precision = text_of(node, "precision");
  port->names = text_of(node, "names");
  for (const Element *child = node->first; child; child = child->next) {
    if (!is_called(child, "dim"))
      continue;
    const char *text = arena_text(ir->arena, child->text.item, (size_t)child->text.count);
    int64_t size;
    if (!ir_integer(text, &size) || size < -1)
      return ir_error(ir, child->line, "bad_file", "a size is '%s'; it must be an integer, or -1",
                      text);
    VEC_PUSH(ir->arena, dim, size);
  }
  port->dim = dim.item;
  port->rank = dim.count;
  return true;
}

static bool read_ports(Ir *ir, const Element *node, IrLayer *layer, bool is_in) {
  const Element *list = child_of(node, is_in ? "input" : "output");
  bool is_ascending = true; // as OpenVINO writes ids, so that none is there twice
  for (const Element *child = list ? list->first : NULL; child; child = child->next) {
    IrPort port;
    if (!is_called(child, "port"))
      continue;
    if (!read_port(ir, child, &port))
      return false;
    if (layer->in.count + layer->out.count >= MAX_PORTS)
      return ir_error(ir, port.line, "limit", "more than %d ports", MAX_PORTS);
    const IrPort *others = is_in ? layer->in.item : layer->out.item;
    int count = is_in ? layer->in.count : layer->out.count;
    if (count > 0 && port.id > others[count - 1].id && is_ascending)
      count = 0;
    else
      is_ascending = is_ascending && count == 0;
    for (int i = 0; i < count; i++)
      if (others[i].id == port.id)
        return ir_error(ir, port.line, "redefined",
                        "%s port %" PRId64 " of layer %" PRId64 " is already defined in line %u",
                        is_in ? "input" : "output", port.id, layer->id, others[i].line);
    if (is_in)
      VEC_PUSH(ir->arena, layer->in, port);
    else
      VEC_PUSH(ir->arena, layer->out, port);
  }
  return true;
}

static bool read_layer(Ir *ir, const Element *node) {
  IrLayer *layer = ARENA_NEW(ir->arena, IrLayer), *other;
  layer->line = node->line;
  if (!number_of(ir, node, "id", &layer->id))
    return false;
  const char *version = text_of(node, "version"), *name = text_of(node, "name");
  const char *output_names = text_of(node, "output_names");
  layer->type = text_of(node, "type");
  if (!layer->type || !*layer->type)
    return ir_error(ir, layer->line, "bad_file", "<layer> has no 'type'");
  layer->name = name ? name : "";
  layer->version = version ? version : "";
  layer->output_names = output_names ? output_names : "";
  layer->label = arena_printf(ir->arena, "layer %" PRId64 " '%s' (%s), line %u", layer->id,
                              layer->name, layer->type, layer->line);
  HASH_FIND(hh, ir->by_id, &layer->id, sizeof layer->id, other);
  if (other)
    return ir_error(ir, layer->line, "redefined", "layer %" PRId64 " is already defined in line %u",
                    layer->id, other->line);
  HASH_ADD(hh, ir->by_id, id, sizeof layer->id, layer);
  if (ir->layer.count >= MAX_LAYERS)
    return ir_error(ir, layer->line, "limit", "more than %d layers", MAX_LAYERS);
  VEC_PUSH(ir->arena, ir->layer, layer);
  const Element *data = child_of(node, "data");
  for (int i = 0; data && i < data->attribute.count; i++)
    VEC_PUSH(ir->arena, layer->attribute, data->attribute.item[i]);
  return read_ports(ir, node, layer, true) && read_ports(ir, node, layer, false);
}

// ---- Edges

static IrLayer *layer_at(Ir *ir, const Element *node, const char *name) {
  IrLayer *layer = NULL;
  int64_t id;
  if (!number_of(ir, node, name, &id))
    return NULL;
  HASH_FIND(hh, ir->by_id, &id, sizeof id, layer);
  if (!layer)
    ir_error(ir, node->line, "unknown_name", "'%s' is %" PRId64 "; there is no such layer", name,
             id);
  return layer;
}

static bool read_edge(Ir *ir, const Element *node) {
  IrLayer *from = layer_at(ir, node, "from-layer");
  IrLayer *to = from ? layer_at(ir, node, "to-layer") : NULL;
  int64_t from_port, to_port;
  int output = 0, input = 0;
  if (!to || !number_of(ir, node, "from-port", &from_port) ||
      !number_of(ir, node, "to-port", &to_port))
    return false;
  while (output < from->out.count && from->out.item[output].id != from_port)
    output++;
  while (input < to->in.count && to->in.item[input].id != to_port)
    input++;
  if (output == from->out.count)
    return ir_error(ir, node->line, "unknown_name", "layer %" PRId64 " has no output port %" PRId64,
                    from->id, from_port);
  if (input == to->in.count)
    return ir_error(ir, node->line, "unknown_name", "layer %" PRId64 " has no input port %" PRId64,
                    to->id, to_port);
  if (to->in.item[input].from)
    return ir_error(ir, node->line, "redefined",
                    "input port %" PRId64 " of layer %" PRId64 " already has an edge", to_port,
                    to->id);
  to->in.item[input].from = from;
  to->in.item[input].from_port = output;
  return true;
}

// ---- Topological order

// Puts the inputs of a layer before it; layers already in order keep it. No recursion: a chain may be long.
static bool order_from(Ir *ir, IrLayer *start) {
  VEC(IrLayer *) stack = {0};
  if (start->visit == IR_DONE)
    return true;
  start->visit = IR_OPEN;
  VEC_PUSH(ir->arena, stack, start);
  while (stack.count > 0) {
    IrLayer *top = stack.item[stack.count - 1];
    if (top->next_input == top->in.count) {
      top->visit = IR_DONE;
      VEC_PUSH(ir->arena, ir->order, top);
      stack.count--;
      continue;
    }
    const IrPort *port = &top->in.item[top->next_input++];
    if (!port->from)
      return ir_error(ir, port->line, "bad_file",
                      "no edge leads to input port %" PRId64 " of layer %" PRId64, port->id,
                      top->id);
    if (port->from->visit == IR_OPEN)
      return ir_error(ir, top->line, "recursion", "layer %" PRId64 " needs its own result",
                      top->id);
    if (port->from->visit == IR_NEW) {
      port->from->visit = IR_OPEN;
      VEC_PUSH(ir->arena, stack, port->from);
    }
  }
  return true;
}

// ---- The file

static bool read_net(Ir *ir, const Element *net) {
  int64_t version;
  if (!is_called(net, "net"))
    return ir_error(ir, net->line, "bad_file", "is not OpenVINO IR: its element is <%s>, not <net>",
                    net->name);
  if (!number_of(ir, net, "version", &version))
    return false;
  if (version != 11)
    return ir_error(ir, net->line, "unsupported",
                    "IR version %" PRId64 " is not supported; it must be 11", version);
  const Element *layers = child_of(net, "layers"), *edges = child_of(net, "edges");
  if (!layers)
    return ir_error(ir, net->line, "bad_file", "<net> has no <layers>");
  for (const Element *node = layers->first; node; node = node->next)
    if (is_called(node, "layer") && !read_layer(ir, node))
      return false;
  for (const Element *node = edges ? edges->first : NULL; node; node = node->next)
    if (is_called(node, "edge") && !read_edge(ir, node))
      return false;
  for (int i = 0; i < ir->layer.count; i++)
    if (!order_from(ir, ir->layer.item[i]))
      return false;
  return true;
}

// The elements, as Expat reports them.
typedef struct Reading {
  Arena *arena;
  XML_Parser parser;
  Element *root, *open; // the document's element; the innermost open one that is kept
  int depth;            // of all open elements
  bool has_doctype;
} Reading;

static const char *copy(Reading *r, const char *text) {
  return arena_text(r->arena, text, strlen(text));
}

static void XMLCALL begin_element(void *data, const char *name, const char **pairs) {
  Reading *r = data;
  if (++r->depth > DIM_DEPTH)
    return;
  Element *element = ARENA_NEW(r->arena, Element);
  element->name = copy(r, name);
  element->line = (unsigned)XML_GetCurrentLineNumber(r->parser);
  for (; *pairs; pairs += 2) {
    IrAttribute given = {copy(r, pairs[0]), copy(r, pairs[1])};
    VEC_PUSH(r->arena, element->attribute, given);
  }
  element->parent = r->open;
  if (!r->open)
    r->root = element;
  else if (r->open->last)
    r->open->last->next = element;
  else
    r->open->first = element;
  if (r->open)
    r->open->last = element;
  r->open = element;
}

static void XMLCALL end_element(void *data, const char *name) {
  Reading *r = data;
  (void)name;
  if (r->depth-- <= DIM_DEPTH)
    r->open = r->open->parent;
}

static void XMLCALL add_text(void *data, const char *text, int length) {
  Reading *r = data;
  if (r->depth == DIM_DEPTH && is_called(r->open, "dim"))
    for (int i = 0; i < length; i++)
      VEC_PUSH(r->arena, r->open->text, text[i]);
}

static void XMLCALL begin_doctype(void *data, const char *name, const char *system,
                                  const char *public, int has_subset) {
  Reading *r = data;
  (void)name, (void)system, (void)public, (void)has_subset;
  r->has_doctype = true;
  XML_StopParser(r->parser, XML_FALSE);
}

// Null: reported.
static const Element *read_elements(Ir *ir, XML_Parser parser) {
  Reading reading = {.arena = ir->arena, .parser = parser};
  XML_SetUserData(parser, &reading);
  XML_SetElementHandler(parser, begin_element, end_element);
  XML_SetCharacterDataHandler(parser, add_text);
  XML_SetStartDoctypeDeclHandler(parser, begin_doctype);
  if (XML_Parse(parser, ir->source->text, (int)ir->source->length, XML_TRUE) == XML_STATUS_OK)
    return reading.root;
  unsigned line = (unsigned)XML_GetCurrentLineNumber(parser);
  enum XML_Error error = XML_GetErrorCode(parser);
  if (reading.has_doctype)
    ir_error(ir, line, "bad_file", "has a DOCTYPE, which OpenVINO IR does not have");
  else
    ir_error(ir, line, "syntax", "is not XML: %s%s",
             reading.open && error == XML_ERROR_NO_ELEMENTS ? "the file ends too early"
                                                            : XML_ErrorString(error),
             reading.open ? arena_printf(ir->arena, ", in <%s> of line %u", reading.open->name,
                                         reading.open->line)
                          : "");
  return NULL;
}

bool ir_parse(Ir *ir) {
  // A jump out of a handler frees what Expat holds.
  static const XML_Memory_Handling_Suite memory = {rescue_malloc, rescue_realloc, rescue_free};
  XML_Parser parser = memory_of(XML_ParserCreate_MM(NULL, &memory, NULL));
  const Element *net = read_elements(ir, parser);
  XML_ParserFree(parser);
  return net && read_net(ir, net);
}

void ir_free(Ir *ir) {
  HASH_CLEAR(hh, ir->by_id);
  HASH_CLEAR(hh, ir->names);
}
