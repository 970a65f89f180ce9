// RUN: %{cc} %{cflags} %s -o %t %{libs} && %t
//
// Known bug D11: names that are not C identifiers, as other front ends may have them. The output is an identifier,
// differs for different graphs, and cannot end a comment of the header.
#include "codegen/emit.h"
#include "codegen/plan/names.h"

#include <stdio.h>
#include <string.h>

static int failures;

static void check(bool good, const char *what) {
  if (!good) {
    fprintf(stderr, "wrong: %s\n", what);
    failures++;
  }
}

static bool is_identifier(const char *name) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
  return *name && !strchr("0123456789", *name) && strspn(name, letters) == strlen(name);
}

static void single_names(Arena *arena) {
  char all[257];
  for (int i = 0; i < 255; i++)
    all[i] = (char)(i + 1);
  all[255] = '\0';
  const char *const names[] = {"",          "int",     "a-b",      "x*/",        "\"",
                               "\n",        "3d",      "\xc3\xa9", "a//b",       "?\?/",
                               "namespace", "uint8_t", "and",      "memmove",    "_",
                               all,         "a.b.c",   "sinl",     "INTMAX_MAX", "x_RANK"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    check(is_identifier(c_identifier(arena, names[i])), names[i]);
  check(strcmp(c_identifier(arena, "a-b"), "a_b") == 0, "a-b is a_b");
  check(strcmp(c_identifier(arena, "int"), "int_") == 0, "int is int_");
  check(strcmp(c_identifier(arena, "x_t"), "x_t") == 0, "x_t stays");
  check(strcmp(c_identifier(arena, "self"), "self") == 0, "self stays");
  check(strcmp(c_macro_part(arena, "a-b"), "A_B") == 0, "A_B");
}

static void long_names(Arena *arena) {
  enum { LENGTH = 1 << 20 };
  char *a = arena_alloc(arena, LENGTH + 1), *b = arena_alloc(arena, LENGTH + 1);
  memset(a, 'x', LENGTH);
  memset(b, 'x', LENGTH);
  b[LENGTH - 1] = 'y';
  const char *short_a = c_identifier(arena, a), *short_b = c_identifier(arena, b);
  check(strlen(short_a) < 256 && strlen(short_b) < 256, "long names are cut");
  check(strcmp(short_a, short_b) != 0, "long names stay different");
}

// A graph with these names that returns its input.
static Plan *make_plan(Arena *arena, const char *graph_name, const char *x, const char *y,
                       Diag *diag) {
  Graph *graph = ARENA_NEW(arena, Graph);
  Value *value = ARENA_NEW(arena, Value);
  *value = (Value){.name = x, .dtype = RSH_U8, .shape = {.rank = 1, .dim = {{4, 0}}}};
  graph->name = graph_name;
  graph->input_count = graph->output_count = 1;
  VEC_PUSH(arena, graph->value, value);
  graph->output = ARENA_NEW(arena, Output);
  *graph->output = (Output){.name = y, .value = value};
  return plan_graph(arena, graph, processor_find(NULL), NULL, diag);
}

static int count(const char *text, const char *what) {
  int n = 0;
  for (const char *at = text; (at = strstr(at, what)); at += strlen(what))
    n++;
  return n;
}

static void whole_header(Arena *arena) {
  Diag diag = {.arena = arena, .file = "x*/y.rsh"};
  const char *bad = "*/ int evil; /*";
  const Plan *plans[] = {make_plan(arena, bad, bad, bad, &diag),
                         make_plan(arena, "a-b", "x", "x", &diag),
                         make_plan(arena, "a.b", "p\n#define", "q\\\n", &diag)};
  Source source = {.name = "x*/y.rsh"};
  Bytes header = emit_header(arena, plans, 3, &source, "../in c*lude.h", sizeof(void *),
                             &(Machine){0}, &(EmitOptions){0});
  const char *text = arena_text(arena, header.data, header.size);
  check(count(text, "/*") == count(text, "*/"), "comments are balanced");
  check(count(text, "int evil;") == count(text, "? int evil; "), "no text outside of a comment");
  check(strstr(text, "#ifndef IN_C_LUDE_H\n"), "guard");
  check(strstr(text, "void a_b(") && strstr(text, "void a_b_2("), "names that meet");
  check(!strstr(text, "\n#define\n"), "no line is broken");
  Bytes object;
  EmitOptions options = {.opt_level = 2};
  check(emit_code(arena, plans, 3, &options, EMIT_ASM, true, &object, &diag), "assembly");
  const char *code = arena_text(arena, object.data, object.size);
  check(strstr(code, "\na_b:") && strstr(code, "\na_b_2:"),
        "the object has the names of the header");
}

int main(void) {
  Arena *arena = arena_new();
  single_names(arena);
  long_names(arena);
  whole_header(arena);
  arena_free(arena);
  return failures != 0;
}
