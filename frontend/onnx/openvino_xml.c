// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The XML of OpenVINO IR: layers with their ports, and the edges between them.
//
//   <edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
//
// libxml2 reads it without network access, without files that the text refers to, and within its limits on
// depth and on the size of texts. IR has no DOCTYPE, so a file with one is rejected before its entities
// matter.
#include "frontend/onnx/openvino_internal.h"

#include <errno.h>
#include <inttypes.h>
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LAYERS = 1 << 16, MAX_PORTS = 1 << 18 };

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

static unsigned line_of(const xmlNode *node) {
  long line = xmlGetLineNo(node);
  return line > 0 ? (unsigned)line : 1;
}

// ---- Words and numbers

static bool is_called(const xmlNode *node, const char *name) {
  return node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, name) == 0;
}

static const xmlNode *child_of(const xmlNode *node, const char *name) {
  const xmlNode *child = node->children;
  while (child && !is_called(child, name))
    child = child->next;
  return child;
}

static const char *keep(Ir *ir, xmlChar *text) {
  const char *kept =
      text ? arena_text(ir->arena, (const char *)text, strlen((const char *)text)) : NULL;
  xmlFree(text);
  return kept;
}

static const char *text_of(Ir *ir, const xmlNode *node, const char *name) {
  return keep(ir, xmlGetNoNsProp(node, (const xmlChar *)name));
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

static bool number_of(Ir *ir, const xmlNode *node, const char *name, int64_t *out) {
  const char *text = text_of(ir, node, name);
  if (!text)
    return ir_error(ir, line_of(node), "bad_file", "<%s> has no '%s'", (const char *)node->name,
                    name);
  return ir_integer(text, out) ||
         ir_error(ir, line_of(node), "bad_file", "'%s' of <%s> is '%s', which is not an integer",
                  name, (const char *)node->name, text);
}

const char *ir_attribute(const IrLayer *layer, const char *name) {
  for (int i = 0; i < layer->attribute.count; i++)
    if (strcmp(layer->attribute.item[i].name, name) == 0)
      return layer->attribute.item[i].value;
  return NULL;
}

// ---- Layers

static bool read_port(Ir *ir, const xmlNode *node, IrPort *port) {
  VEC(int64_t) dim = {0};
  *port = (IrPort){.line = line_of(node)};
  if (!number_of(ir, node, "id", &port->id))
    return false;
  port->precision = text_of(ir, node, "precision");
  port->names = text_of(ir, node, "names");
  for (const xmlNode *child = node->children; child; child = child->next) {
    if (!is_called(child, "dim"))
      continue;
    const char *text = keep(ir, xmlNodeGetContent(child));
    int64_t size;
    if (!text || !ir_integer(text, &size) || size < -1)
      return ir_error(ir, line_of(child), "bad_file",
                      "a size is '%s'; it must be an integer, or -1", text ? text : "");
    VEC_PUSH(ir->arena, dim, size);
  }
  port->dim = dim.item;
  port->rank = dim.count;
  return true;
}

static bool read_ports(Ir *ir, const xmlNode *node, IrLayer *layer, bool is_in) {
  const xmlNode *list = child_of(node, is_in ? "input" : "output");
  for (const xmlNode *child = list ? list->children : NULL; child; child = child->next) {
    IrPort port;
    if (!is_called(child, "port"))
      continue;
    if (!read_port(ir, child, &port))
      return false;
    if (layer->in.count + layer->out.count >= MAX_PORTS)
      return ir_error(ir, port.line, "limit", "more than %d ports", MAX_PORTS);
    if (is_in)
      VEC_PUSH(ir->arena, layer->in, port);
    else
      VEC_PUSH(ir->arena, layer->out, port);
  }
  return true;
}

static void read_attributes(Ir *ir, const xmlNode *node, IrLayer *layer) {
  const xmlNode *data = child_of(node, "data");
  for (const xmlAttr *a = data ? data->properties : NULL; a; a = a->next) {
    const char *name = (const char *)a->name, *value = text_of(ir, data, name);
    IrAttribute given = {arena_text(ir->arena, name, strlen(name)), value ? value : ""};
    VEC_PUSH(ir->arena, layer->attribute, given);
  }
}

static bool read_layer(Ir *ir, const xmlNode *node) {
  IrLayer *layer = ARENA_NEW(ir->arena, IrLayer), *other;
  layer->line = line_of(node);
  if (!number_of(ir, node, "id", &layer->id))
    return false;
  const char *version = text_of(ir, node, "version"), *name = text_of(ir, node, "name");
  const char *output_names = text_of(ir, node, "output_names");
  layer->type = text_of(ir, node, "type");
  if (!layer->type || !*layer->type)
    return ir_error(ir, layer->line, "bad_file", "<layer> has no 'type'");
  layer->name = name ? name : "";
  layer->version = version ? version : "";
  layer->output_names = output_names ? output_names : "";
  layer->label = arena_printf(ir->arena, "layer %" PRId64 " '%s' (%s), line %u", layer->id,
                              layer->name, layer->type, layer->line);
  HASH_FIND(hh, ir->by_id, &layer->id, sizeof layer->id, other);
  if (other)
    return ir_error(ir, layer->line, "redefined", "layer %" PRId64 " is in line %u already",
                    layer->id, other->line);
  HASH_ADD(hh, ir->by_id, id, sizeof layer->id, layer);
  if (ir->layer.count >= MAX_LAYERS)
    return ir_error(ir, layer->line, "limit", "more than %d layers", MAX_LAYERS);
  VEC_PUSH(ir->arena, ir->layer, layer);
  read_attributes(ir, node, layer);
  return read_ports(ir, node, layer, true) && read_ports(ir, node, layer, false);
}

// ---- Edges

static IrLayer *layer_at(Ir *ir, const xmlNode *node, const char *name) {
  IrLayer *layer = NULL;
  int64_t id;
  if (!number_of(ir, node, name, &id))
    return NULL;
  HASH_FIND(hh, ir->by_id, &id, sizeof id, layer);
  if (!layer)
    ir_error(ir, line_of(node), "unknown_name", "'%s' is %" PRId64 "; there is no such layer", name,
             id);
  return layer;
}

static bool read_edge(Ir *ir, const xmlNode *node) {
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
    return ir_error(ir, line_of(node), "unknown_name",
                    "layer %" PRId64 " has no output port %" PRId64, from->id, from_port);
  if (input == to->in.count)
    return ir_error(ir, line_of(node), "unknown_name",
                    "layer %" PRId64 " has no input port %" PRId64, to->id, to_port);
  if (to->in.item[input].from)
    return ir_error(ir, line_of(node), "redefined",
                    "input port %" PRId64 " of layer %" PRId64 " has an edge already", to_port,
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

static bool read_net(Ir *ir, const xmlNode *net) {
  int64_t version;
  if (!is_called(net, "net"))
    return ir_error(ir, line_of(net), "bad_file",
                    "is not OpenVINO IR: its element is <%s>, not <net>", (const char *)net->name);
  if (!number_of(ir, net, "version", &version))
    return false;
  if (version != 11)
    return ir_error(ir, line_of(net), "unsupported",
                    "IR version %" PRId64 " is not supported; it must be 11", version);
  const xmlNode *layers = child_of(net, "layers"), *edges = child_of(net, "edges");
  if (!layers)
    return ir_error(ir, line_of(net), "bad_file", "<net> has no <layers>");
  for (const xmlNode *node = layers->children; node; node = node->next)
    if (is_called(node, "layer") && !read_layer(ir, node))
      return false;
  for (const xmlNode *node = edges ? edges->children : NULL; node; node = node->next)
    if (is_called(node, "edge") && !read_edge(ir, node))
      return false;
  for (int i = 0; i < ir->layer.count; i++)
    if (!order_from(ir, ir->layer.item[i]))
      return false;
  return true;
}

static bool refuse_syntax(Ir *ir, xmlParserCtxt *context) {
  const xmlError *error = xmlCtxtGetLastError(context);
  const char *text = error && error->message ? error->message : "it cannot be read";
  size_t length = strcspn(text, "\n");
  return ir_error(ir, error && error->line > 0 ? (unsigned)error->line : 1, "syntax",
                  "is not XML: %.*s", (int)length, text);
}

bool ir_parse(Ir *ir) {
  xmlParserCtxt *context = xmlNewParserCtxt();
  const int options = XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING |
                      XML_PARSE_BIG_LINES | XML_PARSE_NOCDATA;
  xmlDoc *document = context ? xmlCtxtReadMemory(context, ir->source->text, (int)ir->source->length,
                                                 NULL, NULL, options)
                             : NULL;
  const xmlNode *net = document ? xmlDocGetRootElement(document) : NULL;
  bool good;
  if (!context)
    good = ir_error(ir, 1, "limit", "not enough memory to read it");
  else if (!net)
    good = refuse_syntax(ir, context);
  else if (document->intSubset)
    good = ir_error(ir, 1, "bad_file", "has a DOCTYPE, which OpenVINO IR does not have");
  else
    good = read_net(ir, net);
  xmlFreeDoc(document);
  xmlFreeParserCtxt(context);
  return good;
}

void ir_free(Ir *ir) {
  HASH_CLEAR(hh, ir->by_id);
  HASH_CLEAR(hh, ir->names);
}
