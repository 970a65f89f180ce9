// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hints for syntax of other languages, with a replacement. A hint ends a message, after the expected tokens:
//
//   y = transpose(x) /* swap */     expected end of line before '/'; a comment begins with '#'
//   return transpose(x)             ...; results are named in the header: write 'y = ...'
#include "grammar/hints.h"

#include "frontend/text/words.h"

#include <ctype.h>
#include <string.h>

typedef struct Word {
  const char *text;
  size_t length;
} Word;

static bool is_word(Word word, const char *text) {
  return strlen(text) == word.length && memcmp(word.text, text, word.length) == 0;
}

static bool is_among(Word word, const char *const *words) {
  for (; *words; words++)
    if (is_word(word, *words))
      return true;
  return false;
}

// Skips spaces before `at`, back to `begin` at most.
static const char *skip_back(const char *begin, const char *at) {
  while (at > begin && (at[-1] == ' ' || at[-1] == '\t'))
    at--;
  return at;
}

// Returns whether an operand ends before `at`, perhaps in an earlier line.
static bool follows_operand(const char *begin, const char *at) {
  while (at > begin && isspace((unsigned char)at[-1]))
    at--;
  return at > begin && (is_word_byte(at[-1]) || at[-1] == ')' || at[-1] == ']');
}

static Word word_before(const char *begin, const char *at) {
  const char *end = skip_back(begin, at), *first = end;
  while (first > begin && is_word_byte(first[-1]))
    first--;
  return (Word){first, (size_t)(end - first)};
}

static bool follows(const char *begin, const char *at, const char *text) {
  const char *end = skip_back(begin, at);
  size_t length = strlen(text);
  return (size_t)(end - begin) >= length && memcmp(end - length, text, length) == 0;
}

// import heads.rsh, import "heads.rsh" as h; or an import in a graph.
static const char *import_hint(const Parser *parser, const char *at) {
  if (parser->region == REGION_BODY)
    return "; graphs of another file are imported outside of graphs: import \"lib.rsh\"";
  if (strncmp(at, "as", 2) == 0 && !is_word_byte(at[2]))
    return "; imported graphs keep their names";
  return is_word_byte(*at) ? "; the name of a file is written in quotes: import \"lib.rsh\"" : "";
}

// A hint for the first word of a statement, unless it is the unexpected token itself.
static const char *statement_hint(Word first) {
  static const char *const functions[] = {"def", "fn", "func", "function", "void", NULL};
  static const char *const branches[] = {"while", "if", "else", "elif", NULL};
  static const char *const calls[] = {"print", "assert", NULL};
  static const char *const declarations[] = {"let", "var", "const", "auto", "val", NULL};
  if (is_word(first, "return"))
    return "; results are named in the header of the graph: write 'y = ...'";
  if (is_among(first, functions))
    return "; a graph begins with 'graph NAME(x: f32[2, 3]) -> y {'";
  if (is_word(first, "for"))
    return "; loops are for scripts, outside of graphs: for f in glob(\"*.npy\") {";
  if (is_among(first, branches))
    return "; there are no branches, and no loop but 'for' in scripts";
  bool is_called = first.text[first.length + strspn(first.text + first.length, " ")] == '(';
  if (is_among(first, calls) && !is_called)
    return "; arguments are in parentheses, as in print(x)";
  if (is_among(first, declarations))
    return "; a statement is 'y = ...'";
  return "";
}

// x.T: the language has no attributes.
static const char *attribute_hint(Word name) {
  static const char *const endings[] = {"npy", "npz", "safetensors", "gguf", "bin", "raw", NULL};
  if (is_word(name, "T"))
    return "; tensors have no attributes: write 'transpose(x)'";
  if (is_among(name, endings))
    return "; the name of a file is written in quotes, as in \"in.npy\"";
  if (is_word(name, "shape"))
    return "; tensors have no attributes: write 'shape(x)' in a script; in a graph, sizes are the "
           "names in the types of inputs, such as H in f32[H, W]";
  return "; tensors have no attributes";
}

// Whether the innermost open bracket is '[', as in f32[2, N. (The parser lets a bracket of another kind close it.)
static bool is_among_sizes(const char *begin, const char *at) {
  while (at > begin && !strchr("([]", at[-1]))
    at--;
  return at > begin && at[-1] == '[';
}

// Whether `at` is in the conditions of a header: after 'where', which no name is, and before the body.
static bool is_among_conditions(const char *begin, const char *at) {
  while (at > begin && at[-1] != '{') {
    Word word = word_before(begin, at);
    if (is_word(word, "where") || is_word(word, "graph"))
      return is_word(word, "where");
    at = word.length > 0 ? word.text : at - 1;
  }
  return false;
}

static const char *body_hint(const Parser *parser, const char *begin, const char *at) {
  Word before = word_before(begin, at);
  bool is_in_brackets = parser->open.count > 0;
  if (*at == '{' && !is_in_brackets && follows(begin, at, ")"))
    return "; results are named before the '{', as in '-> y {'";
  if (*at == '{' && !is_in_brackets && is_among_conditions(begin, at))
    return "; a condition compares sizes, as in N % 2 == 0";
  const char *end = at + strcspn(at, "\n"), *arrow = strstr(at, "->");
  if (before.length > 0 && follows(begin, before.text, "."))
    return attribute_hint(before);
  if (is_in_brackets && *at == '{')
    return "; a list is written [1, 0]";
  if (is_in_brackets && is_word_byte(*at) && arrow && arrow < end)
    return "; a pattern is written in quotes: \"h w -> w h\"";
  if (!is_in_brackets && strncmp(at, "->", 2) == 0 && follows_operand(begin, at))
    return "; did you mean '|>'?";
  if (!is_in_brackets && strncmp(at, "if", 2) == 0 && !is_word_byte(at[2]))
    return "; there are no conditional expressions";
  bool is_first = before.text == source_text(parser->source, parser->first.begin);
  if (!is_in_brackets && is_first && strncmp(at, "==", 2) == 0)
    return "; a statement is 'y = ...'";
  bool is_called = follows(begin, before.text, "=") || follows(begin, before.text, "|>") ||
                   (is_first && at + strcspn(at, "=\n") == end);
  if (!is_in_brackets && before.length > 0 && is_called && is_word_byte(*at))
    return "; arguments are in parentheses, as in transpose(x)";
  if (is_in_brackets && *at == ':' && before.length > 0 && !is_among_sizes(begin, at))
    return "; an argument is written axis=1, and a graph 'graph NAME(x: f32[2, 3]) -> y {'";
  if (!is_in_brackets && *at == ':' && parser->is_loop)
    return "; the statements of a loop are in braces: for i in range(3) {";
  if (!is_in_brackets && *at == ':')
    return "; a statement is 'y = ...', or with a type 'y: f32[2, 3] = ...'";
  if (*at == '.' && at[1] != '.' && follows(begin, at, ")"))
    return "; calls are chained by '|>': x |> reshape([3, 2]) |> transpose()";
  if (*at == '*' && follows(begin, at, "*"))
    return "; there is no power operator: write 'square(x)' for x*x";
  if (*at == '?')
    return "; an entry that follows from the others is -1";
  if (strncmp(at, "where", 5) == 0 && !is_word_byte(at[5]))
    return "; 'where' begins the conditions in the header of a graph";
  if (*at == '=' && at > begin && strchr("+-*/%", at[-1]))
    return "; a statement is 'y = ...'";
  if (*at == '<' || *at == '>' || strncmp(at, "==", 2) == 0 || strncmp(at, "!=", 2) == 0)
    return "; comparisons are conditions after 'where', or arguments, as in assert(a == b)";
  return "";
}

// The innermost '(' that is open before `at`; `begin` if there is none.
static const char *list_before(const char *begin, const char *at) {
  int depth = 0;
  for (const char *open = at; open > begin;)
    if (*--open == ')')
      depth++;
    else if (*open == '(' && depth-- == 0)
      return open;
  return begin;
}

static const char *header_hint(const char *begin, const char *at) {
  Word before = word_before(begin, at);
  bool is_in_type = is_among_sizes(begin, at);
  if (*at == ',' && before.length > 0 && follows(begin, before.text, "->"))
    return "; several results are written '-> (y, z)'";
  if (strchr("<>=!", *at) && follows_operand(begin, at) && is_among_conditions(begin, at))
    return "; conditions are separated by commas: 1 < N, N < 8";
  if (strncmp(at, "..", 2) == 0 && is_among_conditions(begin, at))
    return "; a range is two conditions: N >= 1, N <= 8";
  if (*at == '=' && before.length > 0 && follows(begin, before.text, "->"))
    return "; statements are in braces: '-> y { y = transpose(x) }'";
  if (*at == '<')
    return "; a type is written f32[2, 3]";
  if (*at == '(' && before.length > 0 && follows(begin, before.text, ":"))
    return "; a type is written f32[2, 3]";
  if (*at == '[' && follows(begin, at, "]"))
    return "; a type is written f32[2, 3]";
  if (*at == '[' && follows(begin, before.text, "->"))
    return "; a result is written 'y: f32[2, 3]'";
  if (strncmp(at, "=>", 2) == 0)
    return "; did you mean '->'?";
  bool is_result = follows(begin, list_before(begin, before.text), "->");
  if (before.length > 0 && is_result && is_word_byte(*at))
    return "; several results are written '-> (y, z)'";
  bool is_input = follows(begin, before.text, "(") || follows(begin, before.text, ",");
  bool is_alone = *at == '[' || is_word_byte(*at) || *at == ')' || *at == ',';
  if (before.length > 0 && is_input && !is_in_type && is_alone)
    return "; an input is written 'x: f32[2, 3]'";
  if (*at == ':' && follows(begin, at, ")"))
    return "; results are named before the '{', as in '-> y {'";
  if (strncmp(at, "if", 2) == 0 && !is_word_byte(at[2]))
    return "; conditions follow 'where'";
  if (strncmp(at, "where", 5) == 0 && follows(begin, at, "graph"))
    return "; 'where' is reserved";
  if (strncmp(at, "where", 5) == 0 && follows(begin, at, ")"))
    return "; 'where' follows the results: '-> y where N > 3 {'";
  if (is_in_type && *at == ':')
    return "; an open size is a name such as N, or '?'";
  if (is_in_type && strncmp(at, "...", 3) == 0)
    return "; a tensor of any rank is f32[*]";
  if (strncmp(at, "&", 1) == 0 || strncmp(at, "|", 1) == 0 || strncmp(at, "and ", 4) == 0)
    return "; conditions are separated by commas";
  return "";
}

const char *syntax_hint(const Parser *parser, Span token) {
  const char *begin = parser->source->text, *at = source_text(parser->source, token.begin);
  if (strncmp(at, "//", 2) == 0 || strncmp(at, "/*", 2) == 0)
    return "; a comment begins with '#'";
  if (parser->region == REGION_HEADER)
    return header_hint(begin, at);
  Span first = parser->first;
  if (first.begin < token.begin && first.end > first.begin && !parser->is_loop) {
    Word word = {source_text(parser->source, first.begin), first.end - first.begin};
    const char *hint = is_word(word, "import") ? import_hint(parser, at) : statement_hint(word);
    if (*hint)
      return hint;
  }
  return body_hint(parser, begin, at);
}
