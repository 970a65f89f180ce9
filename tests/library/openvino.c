// RUN: %{cc} %{cflags} %s -o %t %{libs} && %t
//
// OpenVINO IR in memory: the weights are passed with it, errors have the line of a layer, and each call returns all of
// its memory if memory runs out.
#include "include/reshapec.h"
#include "../support/refusing.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// y = Transpose(x, order), and the order is in the weights.
static const char xml[] =
    "<?xml version='1.0'?>\n<net version='11'><layers>\n"
    "<layer id='0' name='x' type='Parameter' version='opset1'><data shape='2,3' "
    "element_type='f32'/><output><port id='0' precision='FP32'/></output></layer>\n"
    "<layer id='1' name='order' type='Const' version='opset1'><data element_type='i64' shape='2' "
    "offset='8' size='16'/><output><port id='0' precision='I64'/></output></layer>\n"
    "<layer id='2' name='y' type='Transpose' version='opset1'><input><port id='0'/><port id='1'/>"
    "</input><output><port id='2' precision='FP32'/></output></layer>\n"
    "<layer id='3' name='r' type='Result' version='opset1'><input><port id='0'/></input></layer>\n"
    "</layers><edges><edge from-layer='0' from-port='0' to-layer='2' to-port='0'/>"
    "<edge from-layer='1' from-port='0' to-layer='2' to-port='1'/>"
    "<edge from-layer='2' from-port='2' to-layer='3' to-port='0'/></edges></net>\n";
static const unsigned char bin[24] = {[8] = 1}; // at 8: 1, 0

static void runs(void) {
  static const float x[] = {0, 1, 2, 3, 4, 5}, wanted[] = {0, 3, 1, 4, 2, 5};
  float y[6];
  reshapec *r;
  reshapec_graph graph;
  reshapec_kernel *kernel;
  assert(reshapec_open(NULL, NULL, &r) == RESHAPEC_OK);
  unsigned char weights[sizeof bin]; // not read after the call
  memcpy(weights, bin, sizeof bin);
  assert(reshapec_read_openvino(r, "dir/turn.xml", xml, strlen(xml), weights, sizeof weights) ==
         RESHAPEC_OK);
  memset(weights, 7, sizeof weights);
  assert(reshapec_get_graph(r, 0, &graph) == RESHAPEC_OK && strcmp(graph.name, "turn") == 0);
  assert(reshapec_load(r, 0, &kernel) == RESHAPEC_OK);
  reshapec_argument argument[2] = {{.input = x}, {.output = y}};
  assert(kernel(argument) == 0 && memcmp(y, wanted, sizeof y) == 0);
  assert(reshapec_read_openvino(r, "b.xml", xml, strlen(xml), bin, sizeof bin) == RESHAPEC_USAGE);
  reshapec_close(r);
}

static void refuse(const char *text, size_t size, const char *wanted, unsigned line) {
  reshapec *r;
  reshapec_message message;
  assert(reshapec_open(NULL, NULL, &r) == RESHAPEC_OK);
  assert(reshapec_read_openvino(r, "m.xml", text, strlen(text), size ? bin : NULL, size) ==
         RESHAPEC_INPUT);
  assert(reshapec_get_message(r, 0, &message) == RESHAPEC_OK);
  assert(strcmp(message.text, wanted) == 0 && strcmp(message.file, "m.xml") == 0);
  assert(message.line == line);
  reshapec_close(r);
}

static void refuses(void) {
  refuse(xml, 0, "the weights of layer 1 are in a .bin file, which is missing or empty", 4);
  refuse(xml, 23,
         "the weights of layer 1 are 16 bytes at 8, past the end of the .bin file, which has 23",
         4);
  refuse("<net", 0, "is not XML: unclosed token", 1);
  refuse("", 0, "is not XML: no element found", 1);
}

static void runs_out(void) {
  reshapec_status status = RESHAPEC_MEMORY;
  for (long n = 0; status == RESHAPEC_MEMORY; n++) {
    Count count = {.until = n};
    reshapec *r;
    const reshapec_allocator allocator = {allocate, release, &count};
    status = reshapec_open(NULL, &allocator, &r);
    if (status == RESHAPEC_OK)
      status = reshapec_read_openvino(r, "m.xml", xml, strlen(xml), bin, sizeof bin);
    reshapec_close(r);
    assert(count.open == 0);
  }
  assert(status == RESHAPEC_OK);
}

int main(void) {
  runs();
  refuses();
  runs_out();
}
