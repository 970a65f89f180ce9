/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * The grammar of .rsh files; language.md describes it in words.
 *
 * Actions only build tree nodes (tree.c): they do not look up names or compute anything.
 * Semantic values are in the arena, so there is no %destructor. lines.c ensures that every statement and import
 * ends with EOL, and every graph with '}' or END; these are the recovery points.
 */
%require "3.8"
%expect 0

%define api.pure full
%define api.prefix {rs_}
%define api.token.prefix {RS_}
%define api.value.type union
%define api.location.type {Span}
%define parse.error custom
%define parse.lac full
%locations
%param {Parser *parser}
%initial-action { (void)yynerrs; } // bison counts errors, but Diag does too

%code requires {
  #include "grammar/tree.h"
}

%code {
  #include "frontend/text/rescue.h"
  #include "grammar/hints.h"
  #include "grammar/parser.h"

  #include <string.h>

  // When memory runs out, the stack is freed.
  #define YYMALLOC rescue_malloc
  #define YYFREE rescue_free
  // Brackets and signs are limited to EXPR_MAX_DEPTH each, so this is never reached.
  #define YYMAXDEPTH 1000000
  #define YYLLOC_DEFAULT(Current, Rhs, N)                                                          \
    ((N) ? (void)((Current).begin = YYRHSLOC(Rhs, 1).begin, (Current).end = YYRHSLOC(Rhs, N).end)  \
         : (void)((Current).begin = (Current).end = YYRHSLOC(Rhs, 0).end))
  // An action whose tree would be too deep drops its statement.
  #define KEEP(node)                                                                               \
    do {                                                                                           \
      if (!(node))                                                                                 \
        YYERROR;                                                                                   \
    } while (0)

  static void rs_error(const Span *span, Parser *parser, const char *message);
}

%token END "end of graph" EOL "end of line"
%token <const char *> NAME "a name"
%token <const char *> GRAPH "graph" WHERE "where"
%token <const char *> VIEW "view" INPLACE "inplace" IN "in" LOD "lod" LAYOUT "layout" STRIDES "strides"
%token <const char *> ALIGN "align" PLACED "placed"
%token <const char *> IMPORT "import" FOR "for"
%token <int64_t> INT "an integer" INT_MIN "the smallest integer"
%token <uint64_t> LARGE "an integer of 2^63 or more"
%token TOO_LARGE "an integer of more than 64 bits"
%token <const char *> FLOAT "a number"
%token <Text> STRING "a string"
%token ARROW "->" THEN "|>" ELLIPSIS "..." EQ "==" NE "!=" LE "<=" GE ">=" FLOOR "//" SHL "<<" SHR ">>"

%nterm <const char *> name dotted
%nterm <AstGraph> graph
%nterm <AstValue> input result
%nterm <ValueList> inputs some_inputs results some_results
%nterm <AstType> type stated_type
%nterm <ExprList> dims some_dims items some_items
%nterm <bool> lod placed
%nterm <int64_t> align
%nterm <Placement> placement
%nterm <Expr *> dim strides expr sum postfix primary list bound
%nterm <Text> layout
%nterm <ConditionList> conditions some_conditions
%nterm <Condition> condition
%nterm <ConditionKind> comparison relation
%nterm <StatementList> body statements loop_body loop_statements
%nterm <Statement> statement loop
%nterm <StatementTarget> target
%nterm <TargetList> targets
%nterm <Pipe> pipe
%nterm <ArgList> args some_args
%nterm <Arg> arg
%nterm <SubscriptList> subscripts
%nterm <Subscript> subscript

%left '|'
%left '^'
%left '&'
%left SHL SHR
%left '+' '-'
%left '*' '/' FLOOR '%'
%precedence SIGN

%%

file:
  %empty
| file graph { if ($graph.name) VEC_PUSH(parser->arena, parser->graphs, $graph); }
| file "import" STRING EOL {
    AstImport import = {$STRING.bytes, @STRING, span_join(@2, @STRING)};
    VEC_PUSH(parser->arena, parser->imports, import);
  }
| file statement EOL {
    tree_refuse_types(parser, &$statement);
    VEC_PUSH(parser->arena, parser->statements, $statement);
  }
| file expr EOL {
    Statement statement = {.value = $expr, .span = @expr};
    VEC_PUSH(parser->arena, parser->statements, statement);
  }
| file loop { if ($loop.target_count) VEC_PUSH(parser->arena, parser->statements, $loop); }
| file error EOL { yyerrok; }
;

/* ---- loops of scripts ---- */

loop:
  "for" name "in" expr loop_body {
    TargetList target = {0};
    VEC_PUSH(parser->arena, target, ((StatementTarget){.name = $name, .span = @name}));
    $$ = (Statement){.target = target.item, .target_count = 1, .value = $expr, .span = @$,
                     .is_loop = true, .body = $loop_body.item, .body_count = $loop_body.count};
  }
| "for" error loop_body { $$ = (Statement){.target_count = 0}; }
| "for" error EOL       { $$ = (Statement){.target_count = 0}; yyerrok; }
;

loop_body:
  open loop_statements '}' { $$ = $loop_statements; }
| open loop_statements END {
    $$ = $loop_statements;
    diag_error(parser->diag, @END, "syntax", "expected '}' before %s",
               parser->end_cause == RS_GRAPH ? "'graph'" : "end of file");
    diag_note(parser->diag, parser->loop_span, "this loop is not closed");
  }
;

loop_statements:
  %empty { $$ = (StatementList){0}; }
| loop_statements[list] statement EOL {
    $$ = $list;
    tree_refuse_types(parser, &$statement);
    VEC_PUSH(parser->arena, $$, $statement);
  }
| loop_statements[list] expr EOL {
    Statement statement = {.value = $expr, .span = @expr};
    $$ = $list;
    VEC_PUSH(parser->arena, $$, statement);
  }
| loop_statements[list] loop {
    $$ = $list;
    if ($loop.target_count)
      VEC_PUSH(parser->arena, $$, $loop);
  }
| loop_statements[list] error EOL { $$ = $list; yyerrok; }
;

/* ---- graphs ---- */

graph:
  "graph" name '(' inputs ')' "->" results conditions body {
    $$ = (AstGraph){
      .name = $name, .name_span = @name, .span = @$,
      .input = $inputs.item, .input_count = $inputs.count,
      .result = $results.item, .result_count = $results.count,
      .where = $conditions.item, .where_count = $conditions.count,
      .statement = $body.item, .statement_count = $body.count};
  }
| "graph" error body { $$ = (AstGraph){.name = NULL}; }
| "graph" error END  { $$ = (AstGraph){.name = NULL}; yyerrok; }
;

inputs:
  %empty { $$ = (ValueList){0}; }
| some_inputs
| some_inputs ','
;

some_inputs:
  input                    { $$ = (ValueList){0}; VEC_PUSH(parser->arena, $$, $input); }
| some_inputs[list] ',' input { $$ = $list; VEC_PUSH(parser->arena, $$, $input); }
;

input:
  name ':' type { $$ = tree_value($name, @name, $type); }
;

results:
  result                       { $$ = (ValueList){0}; VEC_PUSH(parser->arena, $$, $result); }
| '(' some_results ')'         { $$ = $some_results; }
| '(' some_results ',' ')'     { $$ = $some_results; }
;

some_results:
  result                       { $$ = (ValueList){0}; VEC_PUSH(parser->arena, $$, $result); }
| some_results[list] ',' result { $$ = $list; VEC_PUSH(parser->arena, $$, $result); }
;

result:
  name stated_type        { $$ = tree_value($name, @name, $stated_type); }
| "view" name stated_type {
    $$ = tree_value($name, @name, $stated_type);
    $$.is_view = true;
    $$.view_span = @1;
  }
| "inplace" name stated_type {
    $$ = tree_value($name, @name, $stated_type);
    $$.is_inplace = true;
    $$.inplace_span = @1;
  }
;

stated_type:
  %empty   { $$ = (AstType){.dtype = NULL, .span = @$}; }
| ':' type { $$ = $type; }
;

type:
  name lod placement align placed {
    $$ = tree_type($name, @name, NULL, $placement, @$);
    $$.has_lod = $lod;
    $$.lod_span = @lod;
    $$.align = $align;
    $$.align_span = @align;
    $$.is_placed = $placed;
    $$.placed_span = @placed;
  }
| name '[' dims ']' lod placement align placed {
    $$ = tree_type($name, @name, &$dims, $placement, @$);
    $$.has_lod = $lod;
    $$.lod_span = @lod;
    $$.align = $align;
    $$.align_span = @align;
    $$.is_placed = $placed;
    $$.placed_span = @placed;
  }
;

lod:
  %empty { $$ = false; }
| "lod"  { $$ = true; }
;

dims:
  %empty { $$ = (ExprList){0}; }
| some_dims
| some_dims ','
;

some_dims:
  dim                    { $$ = (ExprList){0}; VEC_PUSH(parser->arena, $$, $dim); }
| some_dims[list] ',' dim { $$ = $list; VEC_PUSH(parser->arena, $$, $dim); }
;

dim:
  sum
| '?' { $$ = tree_leaf(parser, EXPR_UNKNOWN, @$); }
| '*' { $$ = tree_leaf(parser, EXPR_STAR, @$); }
;

placement:
  %empty         { $$ = (Placement){0}; }
| layout         { $$ = (Placement){$layout.bytes, @layout, NULL}; }
| strides        { $$ = (Placement){NULL, {0, 0}, $strides}; }
| layout strides { $$ = (Placement){$layout.bytes, @layout, $strides}; }
| strides layout { $$ = (Placement){$layout.bytes, @layout, $strides}; }
;

layout:
  "layout" STRING { $$ = $STRING; @$ = @STRING; }
;

strides:
  "strides" list { $$ = $list; }
;

align:
  %empty      { $$ = 0; }
| "align" INT { $$ = $INT > 0 ? $INT : -1; @$ = @INT; } /* 0: absent */
| "align" LARGE { $$ = -1; @$ = @LARGE; }
;

placed:
  %empty   { $$ = false; }
| "placed" { $$ = true; }
;

conditions:
  %empty { $$ = (ConditionList){0}; }
| "where" some_conditions     { $$ = $some_conditions; }
| "where" some_conditions ',' { $$ = $some_conditions; }
;

some_conditions:
  condition { $$ = (ConditionList){0}; VEC_PUSH(parser->arena, $$, $condition); }
| some_conditions[list] ',' condition { $$ = $list; VEC_PUSH(parser->arena, $$, $condition); }
;

condition:
  sum[left] comparison sum[right] { $$ = (Condition){$comparison, $left, $right, @$}; }
| sum[left] "in" list { $$ = (Condition){WHERE_IN, $left, $list, @$}; }
;

relation:
  "==" { $$ = WHERE_EQ; }
| "!=" { $$ = WHERE_NE; }
| '<'  { $$ = WHERE_LT; }
| "<=" { $$ = WHERE_LE; }
| '>'  { $$ = WHERE_GT; }
| ">=" { $$ = WHERE_GE; }
;

comparison:
  relation
| '='  {
    diag_error(parser->diag, @$, "syntax", "'=' is not a comparison; write '=='");
    $$ = WHERE_EQ;
  }
;

/* ---- statements ---- */

body:
  open statements '}' { $$ = $statements; }
| open statements END {
    $$ = $statements;
    diag_error(parser->diag, @END, "syntax", "expected '}' before %s",
               parser->end_cause == RS_GRAPH ? "'graph'" : "end of file");
    diag_note(parser->diag, parser->graph_span, "this graph is not closed");
  }
;

open:
  '{' { yyerrok; }
;

statements:
  %empty { $$ = (StatementList){0}; }
| statements[list] statement EOL { $$ = $list; VEC_PUSH(parser->arena, $$, $statement); }
| statements[list] expr EOL {
    $$ = $list;
    diag_error(parser->diag, @expr, "syntax",
               "the value of this expression is not used: give it a name, as in 'y = ...'");
  }
| statements[list] error EOL { $$ = $list; yyerrok; }
;

statement:
  targets '=' expr {
    $$ = (Statement){
      .target = $targets.item, .target_count = $targets.count, .value = $expr, .span = @$};
  }
;

targets:
  target                   { $$ = (TargetList){0}; VEC_PUSH(parser->arena, $$, $target); }
| targets[list] ',' target { $$ = $list; VEC_PUSH(parser->arena, $$, $target); }
;

target:
  name stated_type { $$ = tree_target(parser, $name, @name, $stated_type); }
| "view" name stated_type {
    $$ = tree_target(parser, $name, @name, $stated_type);
    $$.is_view = true;
    $$.view_span = @1;
  }
;

/* ---- expressions ---- */

expr:
  sum
| pipe { $$ = tree_pipe(parser, $pipe, @$); KEEP($$); }
;

pipe:
  sum "|>" sum[stage] { $$ = (Pipe){.first = $1}; tree_add_stage(parser, &$$, $stage); }
| pipe[left] "|>" sum[stage] { $$ = $left; tree_add_stage(parser, &$$, $stage); }
;

sum:
  sum[a] '+' sum[b] { $$ = tree_operator(parser, '+', $a, $b, @2, @$); KEEP($$); }
| sum[a] '-' sum[b] { $$ = tree_operator(parser, '-', $a, $b, @2, @$); KEEP($$); }
| sum[a] '*' sum[b] { $$ = tree_operator(parser, '*', $a, $b, @2, @$); KEEP($$); }
| sum[a] '/' sum[b] { $$ = tree_operator(parser, '/', $a, $b, @2, @$); KEEP($$); }
| sum[a] "//" sum[b] { $$ = tree_operator(parser, OPERATOR_FLOOR, $a, $b, @2, @$); KEEP($$); }
| sum[a] '%' sum[b] { $$ = tree_operator(parser, '%', $a, $b, @2, @$); KEEP($$); }
| sum[a] "<<" sum[b] { $$ = tree_operator(parser, OPERATOR_SHL, $a, $b, @2, @$); KEEP($$); }
| sum[a] ">>" sum[b] { $$ = tree_operator(parser, OPERATOR_SHR, $a, $b, @2, @$); KEEP($$); }
| sum[a] '&' sum[b] { $$ = tree_operator(parser, '&', $a, $b, @2, @$); KEEP($$); }
| sum[a] '^' sum[b] { $$ = tree_operator(parser, '^', $a, $b, @2, @$); KEEP($$); }
| sum[a] '|' sum[b] { $$ = tree_operator(parser, '|', $a, $b, @2, @$); KEEP($$); }
| '-' sum[a] %prec SIGN { $$ = tree_operator(parser, '-', $a, NULL, @1, @$); KEEP($$); }
| '~' sum[a] %prec SIGN { $$ = tree_operator(parser, '~', $a, NULL, @1, @$); KEEP($$); }
| '-' INT_MIN { $$ = tree_integer(parser, $INT_MIN, @$); }
| postfix
;

postfix:
  primary
| postfix[subject] '[' subscripts ']' {
    $$ = tree_index(parser, $subject, $subscripts, @$);
    KEEP($$);
  }
| postfix[subject] '[' subscripts ',' ']' {
    $$ = tree_index(parser, $subject, $subscripts, @$);
    KEEP($$);
  }
| postfix[subject] '[' ']'[end] { $$ = tree_scalar_type(parser, $subject, @end, @$); KEEP($$); }
;

primary:
  INT    { $$ = tree_integer(parser, $INT, @$); }
| LARGE  { $$ = tree_large(parser, $LARGE, @$); }
| FLOAT  { $$ = tree_float(parser, $FLOAT, @$); }
| STRING { $$ = tree_string(parser, $STRING, @$); }
| name   { $$ = tree_name(parser, $name, @$); }
| name '(' args ')'   { $$ = tree_call(parser, $name, @name, $args, @$); KEEP($$); }
| dotted '(' args ')' { $$ = tree_call(parser, $dotted, @dotted, $args, @$); KEEP($$); }
| list
| '(' ')' { $$ = tree_list(parser, EXPR_TUPLE, (ExprList){0}, @$); }
| '(' some_items ')' {
    $$ = $some_items.count == 1 ? $some_items.item[0]
                                : tree_list(parser, EXPR_TUPLE, $some_items, @$);
    KEEP($$);
  }
| '(' some_items ',' ')' { $$ = tree_list(parser, EXPR_TUPLE, $some_items, @$); KEEP($$); }
;

list:
  '[' items ']' { $$ = tree_list(parser, EXPR_LIST, $items, @$); KEEP($$); }
;

items:
  %empty { $$ = (ExprList){0}; }
| some_items
| some_items ','
;

some_items:
  expr                      { $$ = (ExprList){0}; VEC_PUSH(parser->arena, $$, $expr); }
| some_items[list] ',' expr { $$ = $list; VEC_PUSH(parser->arena, $$, $expr); }
;

args:
  %empty { $$ = (ArgList){0}; }
| some_args
| some_args ','
;

some_args:
  arg                     { $$ = (ArgList){0}; tree_add_arg(parser, &$$, $arg); }
| some_args[list] ',' arg { $$ = $list; tree_add_arg(parser, &$$, $arg); }
;

arg:
  expr          { $$ = (Arg){.value = $expr}; }
| expr[left] relation expr[right] {
    $$ = (Arg){.value = tree_compare(parser, $relation, $left, $right, @$)};
    KEEP($$.value);
  }
| name '=' expr { $$ = (Arg){$name, @name, $expr}; }
;

subscripts:
  subscript { $$ = (SubscriptList){0}; VEC_PUSH(parser->arena, $$, $subscript); }
| subscripts[list] ',' subscript { $$ = $list; VEC_PUSH(parser->arena, $$, $subscript); }
;

subscript:
  "..." { $$ = (Subscript){.kind = SUBSCRIPT_ELLIPSIS, .span = @$}; }
| expr  { $$ = (Subscript){.kind = SUBSCRIPT_INDEX, .start = $expr, .span = @$}; }
| bound[start] ':' bound[stop] {
    $$ = (Subscript){.kind = SUBSCRIPT_RANGE, .start = $start, .stop = $stop, .span = @$};
  }
| bound[start] ':' bound[stop] ':' bound[step] {
    $$ = (Subscript){SUBSCRIPT_RANGE, $start, $stop, $step, @$};
  }
;

bound:
  %empty { $$ = NULL; }
| expr
;

/* Words that are special only in one place are names everywhere else. */
name:
  NAME
| "view"
| "inplace"
| "in"
| "lod"
| "layout"
| "strides"
| "align"
| "placed"
| "import"
;

dotted:
  name[dialect] '.' name[op] { $$ = arena_printf(parser->arena, "%s.%s", $dialect, $op); }
;

%%

// Bison itself reports only that its stack is full.
static void rs_error(const Span *span, Parser *parser, const char *message) {
  (void)message;
  diag_error(parser->diag, *span, "too_deep", "nested too deeply");
}

enum { MAX_EXPECTED = 5, MAX_QUOTED = 40 };

typedef struct Expected {
  bool has[YYNTOKENS];
} Expected;

// Removes all tokens of the list (ended by 0) from the expected ones.
static void forget(Expected *expected, const int *tokens) {
  for (; *tokens; tokens++)
    expected->has[YYTRANSLATE(*tokens)] = false;
}

static bool expects(const Expected *expected, int token) {
  return expected->has[YYTRANSLATE(token)];
}

static bool expects_any(const Expected *expected) {
  for (int i = 0; i < YYNTOKENS; i++)
    if (expected->has[i])
      return true;
  return false;
}

// Replaces the tokens that begin one construct by its name, and removes tokens that can always follow
// (after `x`: an operator, a subscript, a call) if others are expected as well.
static const char *sum_up(Expected *expected) {
  static const int names[] = {RS_NAME, RS_VIEW, RS_INPLACE, RS_IN, RS_LOD, RS_LAYOUT, RS_STRIDES,
                              RS_ALIGN, RS_PLACED, RS_IMPORT, 0};
  static const int operands[] = {RS_INT, RS_FLOAT, RS_STRING, '(', '[', '-', '~', RS_INT_MIN, RS_LARGE, 0};
  static const int more[] = {'+', '-', '*', '/', RS_FLOOR, '%', '&', '|', '^', RS_SHL, RS_SHR,
                             '[', '(', '.', RS_THEN, 0};
  static const int comparisons[] = {RS_EQ, RS_NE, RS_LE, RS_GE, '<', '>', '=', RS_IN, 0};
  static const int placements[] = {RS_LOD, RS_LAYOUT, RS_STRIDES, RS_ALIGN, RS_PLACED, 0};
  static const int ends[] = {'}', RS_END, RS_EOL, RS_GRAPH, RS_FOR, 0}, equals[] = {'=', 0};
  static const int colon[] = {':', 0};
  if (expects(expected, RS_INT)) {
    bool statement = expects(expected, '}') || expects(expected, RS_GRAPH);
    forget(expected, names);
    forget(expected, operands);
    if (statement) {
      forget(expected, ends);
      expected->has[YYSYMBOL_YYEOF] = false;
    }
    return statement ? "a statement" : "an expression";
  }
  if (expects(expected, RS_NAME)) {
    forget(expected, names);
    return "a name";
  }
  if (expects(expected, '+')) {
    Expected rest = *expected;
    forget(&rest, more);
    if (expects_any(&rest))
      *expected = rest;
  }
  if (expects(expected, '=')) // values of statements rarely have a type
    forget(expected, colon);
  if (expects(expected, '=')) // after a name that is assigned, or an argument's name
    forget(expected, expects(expected, RS_EOL) ? ends : equals);
  if (expects(expected, RS_LE) && expects(expected, ')')) {
    forget(expected, comparisons); // arguments are rarely comparisons
  } else if (expects(expected, RS_LE)) {
    forget(expected, comparisons);
    return "a comparison";
  }
  Expected rest = *expected;
  forget(&rest, placements);
  if (expects_any(&rest))
    *expected = rest;
  return NULL;
}

static const char *quoted(Arena *arena, const char *name) {
  bool words = strchr(name, ' ') || name[0] == '\'';
  return words ? name : arena_printf(arena, "'%s'", name);
}

// The token as written in the text.
static const char *found(const yypcontext_t *context, const Parser *parser) {
  yysymbol_kind_t kind = yypcontext_token(context);
  Span span = *yypcontext_location(context);
  int cause = parser->end_cause;
  if (kind == YYSYMBOL_EOL && cause == 0)
    return "end of line";
  if ((kind == YYSYMBOL_EOL || kind == YYSYMBOL_END) && cause == RS_YYEOF)
    return "end of file";
  int length = (int)(span.end - span.begin);
  bool cut = length > MAX_QUOTED;
  return arena_printf(parser->arena, "'%.*s%s'", cut ? MAX_QUOTED : length,
                      source_text(parser->source, span.begin), cut ? "..." : "");
}

// `grahp g(...)`: two adjacent names outside of graphs, the first at the beginning of a statement.
static bool report_misspelled_graph(Parser *parser, Span second) {
  Span first = parser->first;
  const char *text = source_text(parser->source, first.begin), *graph = "graph";
  if (parser->region != REGION_FILE || first.end >= second.begin ||
      strspn(text + (first.end - first.begin), " \t") != second.begin - first.end)
    return false;
  const char *word = arena_text(parser->arena, text, first.end - first.begin);
  if (strcmp(word, graph) == 0 || !diag_nearest(word, &graph, 1))
    return false;
  diag_error(parser->diag, first, "syntax", "expected 'graph' before '%s'; did you mean 'graph'?", word);
  return true;
}

// Reports "expected ',' or ')' before 'x'", and the position of the opening bracket if it is on another line.
static int yyreport_syntax_error(const yypcontext_t *context, Parser *parser) {
  if (report_misspelled_graph(parser, *yypcontext_location(context)))
    return 0;
  yysymbol_kind_t list[YYNTOKENS];
  Expected expected = {{false}};
  int count = yypcontext_expected_tokens(context, list, YYNTOKENS);
  for (int i = 0; i < count; i++)
    expected.has[list[i]] = true;
  if (expects(&expected, RS_ELLIPSIS)) // `[]` follows only a type
    expected.has[YYTRANSLATE(']')] = false;
  bool closes = expects(&expected, ')') || expects(&expected, ']');
  const char *text[MAX_EXPECTED + 1] = {sum_up(&expected)};
  int used = text[0] != NULL;
  if (expects(&expected, ',')) // listed before the closing bracket
    text[used++] = "','";
  for (int i = 0; i < YYNTOKENS && used <= MAX_EXPECTED; i++)
    if (expected.has[i] && i != YYTRANSLATE(','))
      text[used++] = quoted(parser->arena, yysymbol_name((yysymbol_kind_t)i));

  const char *before = found(context, parser), *wanted = "";
  for (int i = 0; i < used; i++)
    wanted = arena_printf(parser->arena, "%s%s%s", wanted,
                          i == 0 ? "" : i == used - 1 ? " or " : ", ", text[i]);
  Span span = *yypcontext_location(context);
  if (used == 0 || used > MAX_EXPECTED)
    diag_error(parser->diag, span, "syntax", "unexpected %s%s", before, syntax_hint(parser, span));
  else
    diag_error(parser->diag, span, "syntax", "expected %s before %s%s", wanted, before,
               syntax_hint(parser, span));
  if (closes && parser->open.count) {
    Bracket bracket = parser->open.item[parser->open.count - 1];
    if (memchr(source_text(parser->source, bracket.span.begin), '\n',
               span.begin - bracket.span.begin))
      diag_note(parser->diag, bracket.span, "to close this '%c'", bracket.kind);
  }
  return 0;
}
