// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The text of .npy headers: what is read from it, and the one message for each mistake.
// RUN: %{cc} %{cflags} %s -o %t %{libs} && %t
#include "frontend/data/npy_header.h"

#include <stdio.h>
#include <string.h>

typedef struct Case {
  const char *text, *result; // "order kind size [f] (sizes)", or "kind: message"
} Case;

#define HEAD "{'descr': '<f4', 'fortran_order': False, 'shape': "
#define TAIL ", 'fortran_order': False, 'shape': ()}"
#define TEN "1,1,1,1,1,1,1,1,1,1,"

static const Case cases[] = {
    // What NumPy writes.
    {HEAD "(2, 3), }   \n", "< f 4 (2 3)"},
    {HEAD "(), }", "< f 4 ()"},
    {HEAD "(3,), }", "< f 4 (3)"},
    {HEAD "(0,), }", "< f 4 (0)"},
    {HEAD "(0, 9223372036854775807), }", "< f 4 (0 9223372036854775807)"},
    {HEAD "(5L, 4294967296L), }", "< f 4 (5 4294967296)"}, // Python 2
    {"{'descr': '|b1', 'fortran_order': True, 'shape': (2, 3), }", "| b 1 f (2 3)"},
    {"{'descr': '>c16', 'fortran_order': False, 'shape': (1,), }", "> c 16 (1)"},
    {"{'descr': '<V2', 'fortran_order': False, 'shape': (1,), }", "< V 2 (1)"},
    {"{'descr': '<U5', 'fortran_order': False, 'shape': (1,), }", "< U 5 (1)"},
    {"{'descr': '|S70000', 'fortran_order': False, 'shape': (1,), }", "| S 70000 (1)"},
    {"{'descr': '|a3', 'fortran_order': False, 'shape': (1,), }", "| S 3 (1)"}, // before NumPy 2
    // What other writers do.
    {"{\"shape\":(2,3,),\"fortran_order\":True,\"descr\":\"=i8\"}", "= i 8 f (2 3)"},
    {" { 'shape' : ( 2 , 3 ) ,\n\t'descr' : 'f4' , 'fortran_order' : True } \n", "= f 4 f (2 3)"},
    {HEAD "(" TEN "2,3,4,5,6,7)}", "< f 4 (1 1 1 1 1 1 1 1 1 1 2 3 4 5 6 7)"},
    {HEAD "(" TEN TEN TEN TEN TEN TEN TEN ")}", "< f 4 rank 70"},

    {"", "bad_file: the header ends where '{' is expected"},
    {"[]", "bad_file: byte 0 of the header: expected '{', found '['"},
    {"{}", "bad_file: the header has no key 'descr'"},
    {"{'descr': '<f4', 'shape': (), }", "bad_file: the header has no key 'fortran_order'"},
    {"{'descr': '<f4', 'fortran_order': False}", "bad_file: the header has no key 'shape'"},
    {"{'descr': '<f4', 'descr': '<f4'}", "bad_file: the header has the key 'descr' twice"},
    {"{'descr': '<f4', 'extra': 1}", "bad_file: the header has an unknown key 'extra'"},
    {"{'des\033[31mcr': '<f4'}", "bad_file: the header has an unknown key 'des?[31mcr'"},
    {"{'descr\\x00': '<f4'}",
     "bad_file: byte 7 of the header: expected the end of a string, found '\\'"},
    {"{'descr", "bad_file: the header ends where the end of a string is expected"},
    {"{descr: '<f4'}", "bad_file: byte 1 of the header: expected a key, found 'd'"},
    {"{'descr' '<f4'}", "bad_file: byte 9 of the header: expected ':', found '''"},
    {"{'descr': '<f4' 'shape': ()}",
     "bad_file: byte 16 of the header: expected ',' or '}', found '''"},
    {"{,}", "bad_file: byte 1 of the header: expected a key, found ','"},
    {"{'descr': 4}", "bad_file: byte 10 of the header: expected a string for 'descr', found '4'"},
    {"{'fortran_order': 1}",
     "bad_file: byte 18 of the header: expected True or False for 'fortran_order', found '1'"},
    {"{'fortran_order': Falsehood}",
     "bad_file: byte 23 of the header: expected ',' or '}', found 'h'"},
    {HEAD "()} ()",
     "bad_file: byte 54 of the header: expected the end of the header after '}', found '('"},

    {"{'descr': '|O'" TAIL, "bad_type: descr '|O' contains Python objects"},
    {"{'descr': '|T16'" TAIL, "bad_type: descr '|T16' contains text of no fixed width"},
    {"{'descr': '<U0'" TAIL, "bad_type: descr '<U0' is not an element type"},
    {"{'descr': '<U'" TAIL, "bad_type: descr '<U' is not an element type"},
    {"{'descr': '|S1000000000'" TAIL, "bad_type: descr '|S1000000000' is not an element type"},
    {"{'descr': '<M8[ns]'" TAIL, "bad_type: descr '<M8[ns]' contains dates or time spans"},
    {"{'descr': [('a', '<f4'), ('b', '<i2')]}",
     "bad_type: descr [('a', '<f4'), ('b', '<i2')]} is a record of several fields, not an element "
     "type"},
    {"{'descr': ''" TAIL, "bad_type: descr '' is not an element type"},
    {"{'descr': '<f'" TAIL, "bad_type: descr '<f' is not an element type"},
    {"{'descr': '<f0'" TAIL, "bad_type: descr '<f0' is not an element type"},
    {"{'descr': '<f99999999999999999999'" TAIL,
     "bad_type: descr '<f99999999999999999999' is not an element type"},
    {"{'descr': '<f4 '" TAIL, "bad_type: descr '<f4 ' is not an element type"},

    {HEAD "3}", "bad_file: byte 50 of the header: expected a tuple for 'shape', found '3'"},
    {HEAD "[2, 3]}", "bad_file: byte 50 of the header: expected a tuple for 'shape', found '['"},
    {HEAD "(3)}", "bad_file: the shape is not a tuple: one size needs a ',' after it"},
    {HEAD "(,)}", "bad_file: byte 51 of the header: expected a size or ')', found ','"},
    {HEAD "(2 3)}", "bad_file: byte 53 of the header: expected ',' or ')', found '3'"},
    {HEAD "(2, 3", "bad_file: the header ends where ',' or ')' is expected"},
    {HEAD "(2, ", "bad_file: the header ends where a size or ')' is expected"},
    {HEAD "(2, -3)}", "bad_file: size -3 in the shape is negative"},
    {HEAD "(2, -)}", "bad_file: byte 55 of the header: expected a size or ')', found ')'"},
    {HEAD "(2.5,)}", "bad_file: byte 52 of the header: expected ',' or ')', found '.'"},
    {HEAD "(0x10,)}", "bad_file: byte 52 of the header: expected ',' or ')', found 'x'"},
    {HEAD "(010,)}", "bad_file: byte 52 of the header: expected ',' or ')', found '1'"},
    {HEAD "((2,),)}", "bad_file: byte 51 of the header: expected a size or ')', found '('"},
    {HEAD "(9223372036854775808,)}",
     "overflow: size 9223372036854775808 in the shape does not fit 64 bits"},
    {HEAD "(1000000000000000000000000000000000000000000,)}",
     "overflow: size 1000000000000000000000000000000000000000... in the shape does not fit 64 "
     "bits"},
};

static void describe(const char *text, size_t length, char *out, size_t size) {
  NpyHeader h;
  NpyError error;
  if (!npy_header_parse(text, length, &h, &error)) {
    snprintf(out, size, "%s: %s", error.kind, error.text);
    return;
  }
  int n = snprintf(out, size, "%c %c %d%s ", h.order, h.kind, h.size, h.fortran ? " f" : "");
  if (h.rank > NPY_HEADER_RANK) {
    snprintf(out + n, size - (size_t)n, "rank %d", h.rank);
    return;
  }
  n += snprintf(out + n, size - (size_t)n, "(");
  for (int i = 0; i < h.rank; i++)
    n += snprintf(out + n, size - (size_t)n, "%s%lld", i ? " " : "", (long long)h.dim[i]);
  snprintf(out + n, size - (size_t)n, ")");
}

int main(void) {
  int wrong = 0;
  char found[1024];
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    describe(cases[i].text, strlen(cases[i].text), found, sizeof found);
    if (strcmp(found, cases[i].result) != 0) {
      printf("%s\n  expected  %s\n  found     %s\n", cases[i].text, cases[i].result, found);
      wrong++;
    }
  }

  // A NUL is not an end, nor a byte order.
  static const char nul[] = "{'descr': '\0f4'" TAIL;
  describe(nul, sizeof nul - 1, found, sizeof found);
  if (strcmp(found, "bad_type: descr '?f4' is not an element type") != 0) {
    printf("NUL in descr: %s\n", found);
    wrong++;
  }

  // No prefix of a valid header is a valid header.
  static const char whole[] = HEAD "(2, 3), }";
  for (size_t length = 0; length < sizeof whole - 1; length++) {
    describe(whole, length, found, sizeof found);
    if (strncmp(found, "bad_", 4) != 0) {
      printf("prefix of %zu bytes: %s\n", length, found);
      wrong++;
    }
  }
  return wrong != 0;
}
