// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements through casts and functions of elements, as C functions. What these do is said once, by the LLVM
// emitter (emit_step.c, emit_activation.c): it writes each as instructions without a branch, and these are
// printed here. So objects and C code agree to the last bit.
//
//   %above = fcmp ogt float 0.0, %x                    static float relu_f32(float x) {
//   %choice = select i1 %above, float 0.0, float %x      const float choice = (0.0F > x) ? 0.0F : x;
//   ret float %choice                                    return choice;
#include "codegen/c/c_internal.h"
#include "codegen/llvm/llvm_module.h"

#include <inttypes.h>
#include <string.h>

typedef struct Printed {
  LLVMValueRef value;
  const char *text;
} Printed;

// A function that is being printed.
typedef struct Printer {
  CFile *file;
  CText out;
  NameSet names;
  VEC(Printed) done;
  bool reads; // a parameter
} Printer;

static const char *operand(Printer *p, LLVMValueRef value);

static bool is_float_type(LLVMTypeRef type) { return LLVMGetTypeKind(type) != LLVMIntegerTypeKind; }

static int bits_of(LLVMTypeRef type) {
  if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind)
    return (int)LLVMGetIntTypeWidth(type);
  return LLVMGetTypeKind(type) == LLVMDoubleTypeKind ? 64 : 32;
}

static const char *type_name(LLVMTypeRef type) {
  int bits = bits_of(type);
  if (is_float_type(type))
    return bits == 64 ? "double" : "float";
  return bits == 1    ? "_Bool"
         : bits <= 8  ? "uint8_t"
         : bits == 16 ? "uint16_t"
         : bits == 32 ? "uint32_t"
                      : "uint64_t";
}

// ---- operands ----

static const char *integer_literal(Arena *arena, uint64_t n, int bits) {
  if (bits == 1)
    return n ? "1" : "0";
  if (bits == 64)
    return arena_printf(arena, n > 9 ? "UINT64_C(0x%" PRIX64 ")" : "%" PRIX64 "U", n);
  return arena_printf(arena, n > 9 ? "0x%" PRIX64 "U" : "%" PRIX64 "U", n);
}

static const char *constant_text(Printer *p, LLVMValueRef value) {
  LLVMBool lost;
  int bits = bits_of(LLVMTypeOf(value));
  if (is_float_type(LLVMTypeOf(value)))
    return c_float(p->file->arena, LLVMConstRealGetDouble(value, &lost), bits == 64);
  return integer_literal(p->file->arena, LLVMConstIntGetZExtValue(value), bits);
}

// An integer as the signed one that its bits are.
static const char *signed_text(Printer *p, LLVMValueRef value) {
  int bits = bits_of(LLVMTypeOf(value));
  const char *text = operand(p, value);
  if (bits >= 8)
    return arena_printf(p->file->arena, "(int%d_t)%s", bits, text);
  return arena_printf(p->file->arena, "((int32_t)(%s ^ %dU) - %d)", text, 1 << (bits - 1),
                      1 << (bits - 1));
}

// ---- instructions ----

// The low bits of an expression, where its type has more.
static const char *cut(Printer *p, LLVMTypeRef type, const char *text) {
  int bits = bits_of(type);
  if (is_float_type(type) || bits >= 32)
    return text;
  if (bits >= 8)
    return arena_printf(p->file->arena, "(%s)(%s)", type_name(type), text);
  return arena_printf(p->file->arena, "(uint8_t)((%s) & 0x%XU)", text, (1u << bits) - 1);
}

static const char *infix(LLVMOpcode opcode) {
  switch (opcode) {
  case LLVMAdd:
  case LLVMFAdd:
    return "+";
  case LLVMSub:
  case LLVMFSub:
    return "-";
  case LLVMMul:
  case LLVMFMul:
    return "*";
  case LLVMFDiv:
    return "/";
  case LLVMAnd:
    return "&";
  case LLVMOr:
    return "|";
  case LLVMXor:
    return "^";
  case LLVMShl:
    return "<<";
  case LLVMLShr:
    return ">>";
  default:
    return NULL;
  }
}

static const char *infix_text(Printer *p, LLVMValueRef v, LLVMOpcode opcode) {
  LLVMTypeRef type = LLVMTypeOf(v);
  const char *sign = infix(opcode);
  LLVMValueRef by = LLVMGetOperand(v, 1);
  bool is_shift = opcode == LLVMShl || opcode == LLVMLShr;
  const char *a = operand(p, LLVMGetOperand(v, 0));
  const char *b = is_shift && LLVMIsConstant(by)
                      ? arena_printf(p->file->arena, "%lluU", LLVMConstIntGetZExtValue(by))
                      : operand(p, by);
  p->file->rounds = p->file->rounds || is_float_type(type);
  if (bits_of(type) == 1) {
    sign = opcode == LLVMAnd ? "&&" : opcode == LLVMOr ? "||" : "!=";
    return arena_printf(p->file->arena, "%s %s %s", a, sign, b);
  }
  bool is_short = !is_float_type(type) && bits_of(type) < 32; // would become an int
  return cut(p, type,
             arena_printf(p->file->arena, "%s%s %s %s", is_short ? "(uint32_t)" : "", a, sign, b));
}

static const char *compared_text(Printer *p, LLVMValueRef v) {
  LLVMValueRef a = LLVMGetOperand(v, 0), b = LLVMGetOperand(v, 1);
  const char *sign = "==";
  bool is_signed = false;
  switch (LLVMGetICmpPredicate(v)) {
  case LLVMIntEQ:
    break;
  case LLVMIntNE:
    sign = "!=";
    break;
  case LLVMIntSGT:
    is_signed = true; // fall through
  case LLVMIntUGT:
    sign = ">";
    break;
  case LLVMIntSGE:
    is_signed = true; // fall through
  case LLVMIntUGE:
    sign = ">=";
    break;
  case LLVMIntSLT:
    is_signed = true; // fall through
  case LLVMIntULT:
    sign = "<";
    break;
  case LLVMIntSLE:
    is_signed = true; // fall through
  case LLVMIntULE:
    sign = "<=";
    break;
  }
  const char *left = is_signed ? signed_text(p, a) : operand(p, a);
  const char *right = is_signed ? signed_text(p, b) : operand(p, b);
  return arena_printf(p->file->arena, "%s %s %s", left, sign, right);
}

// False of NaN, but for "unordered or not equal"; NULL: another one, which nothing uses.
static const char *float_comparison(LLVMRealPredicate predicate) {
  switch (predicate) {
  case LLVMRealOEQ:
    return "==";
  case LLVMRealOGT:
    return ">";
  case LLVMRealOGE:
    return ">=";
  case LLVMRealOLT:
    return "<";
  case LLVMRealOLE:
    return "<=";
  case LLVMRealUNE:
    return "!=";
  default:
    return NULL;
  }
}

// A number of one of C's types as another.
static const char *cast_text(Printer *p, LLVMValueRef v, LLVMOpcode opcode) {
  Arena *arena = p->file->arena;
  LLVMValueRef from = LLVMGetOperand(v, 0);
  LLVMTypeRef type = LLVMTypeOf(v);
  const char *to = type_name(type);
  switch (opcode) {
  case LLVMTrunc:
    if (bits_of(type) == 1)
      return arena_printf(arena, "(%s & 1U) != 0U", operand(p, from));
    return bits_of(type) < 8 ? cut(p, type, operand(p, from))
                             : arena_printf(arena, "(%s)%s", to, operand(p, from));
  case LLVMZExt:
    if (bits_of(LLVMTypeOf(from)) == 1)
      return arena_printf(arena, "%s ? 1U : 0U", operand(p, from));
    return arena_printf(arena, "(%s)%s", to, operand(p, from));
  case LLVMSExt: // the low bits of the sign-extended number
  case LLVMSIToFP:
    return cut(p, type, arena_printf(arena, "(%s)%s", to, signed_text(p, from)));
  case LLVMFPToSI:
    return arena_printf(arena, "(%s)(int%d_t)%s", to, bits_of(type), operand(p, from));
  default:
    return arena_printf(arena, "(%s)%s", to, operand(p, from));
  }
}

// A number taken as bits and back is itself.
static const char *bitcast_text(Printer *p, LLVMValueRef v) {
  LLVMValueRef from = LLVMGetOperand(v, 0);
  LLVMTypeRef type = LLVMTypeOf(v);
  if (LLVMTypeOf(from) == type)
    return operand(p, from);
  if (LLVMIsABitCastInst(from) && LLVMTypeOf(LLVMGetOperand(from, 0)) == type)
    return operand(p, LLVMGetOperand(from, 0));
  bool is_double = bits_of(type) == 64;
  const char *function = is_float_type(type) ? c_float_of_bits(p->file, is_double)
                                             : c_bits_of_float(p->file, is_double);
  return arena_printf(p->file->arena, "%s(%s)", function, operand(p, from));
}

// ---- calls ----

// Towards zero, to the nearest end of the range, NaN to 0.
static const char *saturating(CFile *file, LLVMTypeRef to, LLVMTypeRef from, bool is_signed) {
  int bits = bits_of(to);
  const char *number = type_name(from);
  const char *name = arena_printf(file->arena, "%s%d_of_%s", is_signed ? "i" : "u", bits, number);
  const char *have = c_helper(file, name), *type = is_signed ? "int" : "uint";
  const char *limit = is_signed ? "INT" : "UINT";
  double most = 1;
  for (int i = 0; i < bits - is_signed; i++)
    most *= 2;
  bool is_double = bits_of(from) == 64;
  if (have)
    return have;
  have = c_helper_add(file, name, name);
  const char *least = is_signed ? arena_printf(file->arena, "INT%d_MIN", bits) : "0";
  c_put(&file->helpers,
        "\n/* Towards zero; out of range the nearest there is, NaN 0. */\n"
        "static %s%d_t %s(%s x) {\n  %s%d_t n = 0;\n"
        "  if (x >= %s) {\n    n = %s%d_MAX;\n  } else if (x <= %s) {\n    n = %s;\n"
        "  } else if (x > %s) {\n    n = (%s%d_t)x;\n  } else {\n    n = 0;\n  }\n  return n;\n}\n",
        type, bits, have, number, type, bits, c_float(file->arena, most, is_double), limit, bits,
        c_float(file->arena, is_signed ? -most : 0, is_double), least,
        c_float(file->arena, is_signed ? -most : 0, is_double), type, bits);
  return have;
}

// |x|, and x with the sign of another number: as bits, so that no library is needed.
static const char *of_sign(CFile *file, bool is_double, bool is_copy) {
  const char *number = is_double ? "double" : "float";
  const char *key = arena_printf(file->arena, "%s_%s", is_copy ? "with_sign" : "magnitude", number);
  const char *name = c_helper(file, key);
  if (name)
    return name;
  const char *bits = c_bits_of_float(file, is_double), *of_bits = c_float_of_bits(file, is_double);
  const char *mask = is_double ? "UINT64_C(0x7FFFFFFFFFFFFFFF)" : "0x7FFFFFFFU";
  const char *sign = is_double ? "UINT64_C(0x8000000000000000)" : "0x80000000U";
  name = c_helper_add(file, key, key);
  if (is_copy)
    c_put(&file->helpers,
          "\nstatic %s %s(%s x, %s sign) {\n"
          "  return %s((%s(x) & %s) | (%s(sign) & %s));\n}\n",
          number, name, number, number, of_bits, bits, mask, bits, sign);
  else
    c_put(&file->helpers, "\nstatic %s %s(%s x) {\n  return %s(%s(x) & %s);\n}\n", number, name,
          number, of_bits, bits, mask);
  return name;
}

static bool begins_with(const char *text, const char *start) {
  return strncmp(text, start, strlen(start)) == 0;
}

static const char *defined_function(CFile *file, LLVMValueRef function);

// The C function that does what a called one does.
static const char *callee_text(Printer *p, LLVMValueRef call, LLVMValueRef function) {
  size_t length;
  const char *name = LLVMGetValueName2(function, &length);
  LLVMTypeRef to = LLVMTypeOf(call), from = LLVMTypeOf(LLVMGetOperand(call, 0));
  bool is_double = bits_of(to) == 64;
  if (begins_with(name, "llvm.fptosi.sat"))
    return arena_printf(p->file->arena, "(%s)%s", type_name(to),
                        saturating(p->file, to, from, true));
  if (begins_with(name, "llvm.fptoui.sat"))
    return saturating(p->file, to, from, false);
  if (begins_with(name, "llvm.fabs"))
    return of_sign(p->file, is_double, false);
  if (begins_with(name, "llvm.copysign"))
    return of_sign(p->file, is_double, true);
  if (LLVMCountBasicBlocks(function) > 0)
    return defined_function(p->file, function);
  p->file->needs_math = true;
  if (begins_with(name, "llvm.sqrt"))
    return is_double ? "sqrt" : "sqrtf";
  return begins_with(name, "llvm.") ? NULL : name; // of libm
}

static const char *call_text(Printer *p, LLVMValueRef v) {
  const char *text = callee_text(p, v, LLVMGetCalledValue(v));
  if (!text)
    return NULL;
  for (unsigned i = 0; i < LLVMGetNumArgOperands(v); i++)
    text = arena_printf(p->file->arena, "%s%s%s", text, i ? ", " : "(",
                        operand(p, LLVMGetOperand(v, i)));
  return arena_printf(p->file->arena, "%s)", text);
}

// NULL: an instruction that no C is known for.
static const char *instruction_text(Printer *p, LLVMValueRef v) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(v);
  Arena *arena = p->file->arena;
  switch (opcode) {
  case LLVMICmp:
    return compared_text(p, v);
  case LLVMFCmp: {
    const char *sign = float_comparison(LLVMGetFCmpPredicate(v));
    const char *left = operand(p, LLVMGetOperand(v, 0)), *right = operand(p, LLVMGetOperand(v, 1));
    return sign ? arena_printf(arena, "%s %s %s", left, sign, right) : NULL;
  }
  case LLVMSelect: {
    const char *test = operand(p, LLVMGetOperand(v, 0));
    const char *one = operand(p, LLVMGetOperand(v, 1)), *other = operand(p, LLVMGetOperand(v, 2));
    return cut(p, LLVMTypeOf(v), arena_printf(arena, "%s ? %s : %s", test, one, other));
  }
  case LLVMFNeg:
    return arena_printf(arena, "-%s", operand(p, LLVMGetOperand(v, 0)));
  case LLVMTrunc:
  case LLVMZExt:
  case LLVMSExt:
  case LLVMSIToFP:
  case LLVMUIToFP:
  case LLVMFPToSI:
  case LLVMFPToUI:
  case LLVMFPExt:
  case LLVMFPTrunc:
    return cast_text(p, v, opcode);
  case LLVMBitCast:
    return bitcast_text(p, v);
  case LLVMCall:
    return call_text(p, v);
  default:
    return infix(opcode) ? infix_text(p, v, opcode) : NULL;
  }
}

static bool is_used_once(LLVMValueRef v) {
  LLVMUseRef use = LLVMGetFirstUse(v);
  return use && !LLVMGetNextUse(use);
}

// Only what is needed is printed, each before its first use.
static const char *operand(Printer *p, LLVMValueRef value) {
  if (LLVMIsConstant(value))
    return constant_text(p, value);
  for (int i = 0; i < p->done.count; i++)
    if (p->done.item[i].value == value) {
      p->reads = p->reads || LLVMIsAArgument(value);
      return p->done.item[i].text;
    }
  const char *text = instruction_text(p, value);
  if (!text) {
    char *shown = LLVMPrintValueToString(value);
    diag_error_file(p->file->diag, "internal", "no C is known for '%s'", shown);
    LLVMDisposeMessage(shown);
    p->file->failed = true;
    text = "0";
  }
  bool is_condition = bits_of(LLVMTypeOf(value)) == 1 && is_used_once(value);
  if (is_condition) {
    text = arena_printf(p->file->arena, "(%s)", text);
  } else if (!LLVMIsABitCastInst(value) || strchr(text, '(')) {
    size_t length;
    const char *wanted = c_identifier(p->file->arena, LLVMGetValueName2(value, &length));
    const char *name = name_unique(&p->names, wanted);
    c_put(&p->out, "  const %s %s = %s;\n", type_name(LLVMTypeOf(value)), name, text);
    text = name;
  }
  VEC_PUSH(p->file->arena, p->done, ((Printed){value, text}));
  return text;
}

// ---- functions ----

static void bind_parameters(Printer *p, LLVMValueRef function, const char *first) {
  for (unsigned i = 0; i < LLVMCountParams(function); i++) {
    LLVMValueRef param = LLVMGetParam(function, i);
    size_t length;
    const char *name =
        name_unique(&p->names, c_identifier(p->file->arena, LLVMGetValueName2(param, &length)));
    VEC_PUSH(p->file->arena, p->done, ((Printed){param, i == 0 && first ? first : name}));
  }
}

static LLVMValueRef returned(LLVMValueRef function) {
  LLVMValueRef last = LLVMGetBasicBlockTerminator(LLVMGetEntryBasicBlock(function));
  return LLVMGetOperand(last, 0);
}

// "float x, float most"
static const char *parameters_text(CFile *file, LLVMValueRef function) {
  const char *text = "";
  for (unsigned i = 0; i < LLVMCountParams(function); i++) {
    LLVMValueRef param = LLVMGetParam(function, i);
    size_t length;
    text = arena_printf(file->arena, "%s%s%s %s", text, i ? ", " : "", type_name(LLVMTypeOf(param)),
                        c_identifier(file->arena, LLVMGetValueName2(param, &length)));
  }
  return text;
}

// A function without a branch, printed as it is.
static const char *defined_function(CFile *file, LLVMValueRef function) {
  size_t length;
  const char *key = LLVMGetValueName2(function, &length);
  key = arena_text(file->arena, key, length); // the function goes before the file does
  const char *name = c_helper(file, key);
  if (name)
    return name;
  Printer p = {.file = file, .out = {.arena = file->arena}, .names = {.arena = file->arena}};
  bind_parameters(&p, function, NULL);
  const char *result = operand(&p, returned(function));
  name = c_helper_add(file, key, c_identifier(file->arena, key));
  c_put(&file->helpers, "\nstatic %s %s(%s) {\n%.*s  return %s;\n}\n",
        type_name(LLVMTypeOf(returned(function))), name, parameters_text(file, function),
        p.out.letter.count, p.out.letter.item ? p.out.letter.item : "", result);
  return name;
}

// Elements travel as what C has for them; narrow floats, and what is less than a byte, as bits.
static LLVMTypeRef element_type(LLVMContextRef context, rsh_dtype type) {
  if (type == RSH_F32)
    return LLVMFloatTypeInContext(context);
  if (type == RSH_F64)
    return LLVMDoubleTypeInContext(context);
  return LLVMIntTypeInContext(context, (unsigned)plan_element_bits(type));
}

static bool is_float_element(rsh_dtype type) { return type == RSH_F32 || type == RSH_F64; }

static Gen gen_open(const CFile *file, const char *name) {
  Gen g = {.context = LLVMContextCreate()};
  g.module = LLVMModuleCreateWithNameInContext(name, g.context);
  g.builder = LLVMCreateBuilderInContext(g.context);
  g.i8 = LLVMInt8TypeInContext(g.context);
  g.i64 = LLVMInt64TypeInContext(g.context);
  g.word = LLVMIntTypeInContext(g.context, (unsigned)file->pointer);
  g.index = g.i64;
  g.ptr = LLVMPointerTypeInContext(g.context, 0);
  g.divides = g.multiplies_long = g.divides_long = true;
  g.has_single = file->has_single;
  g.has_double = file->has_double;
  g.has_long = file->has_long;
  g.keeps_nan = file->keeps_nan;
  return g;
}

static void gen_close(Gen *g) {
  LLVMDisposeBuilder(g->builder);
  LLVMDisposeModule(g->module);
  LLVMContextDispose(g->context);
}

static void begin_function(Gen *g, const char *name, LLVMTypeRef to, LLVMTypeRef *from,
                           unsigned count) {
  g->function = LLVMAddFunction(g->module, name, LLVMFunctionType(to, from, count, false));
  LLVMSetValueName2(LLVMGetParam(g->function, 0), "x", 1);
  b_position(g, b_block(g, "entry"));
}

static LLVMValueRef as_bits(Gen *g, LLVMValueRef x, rsh_dtype type) {
  LLVMTypeRef bits = LLVMIntTypeInContext(g->context, (unsigned)plan_element_bits(type));
  return is_float_element(type) ? LLVMBuildBitCast(g->builder, x, bits, "bits") : x;
}

static void build_step(Gen *g, const rsh_step *step) {
  LLVMTypeRef from = element_type(g->context, step->from), to = element_type(g->context, step->to);
  begin_function(g, "step", to, &from, 1);
  LLVMValueRef x = as_bits(g, LLVMGetParam(g->function, 0), step->from);
  LLVMValueRef made = step_build(g, step, x);
  if (is_float_element(step->to))
    made = LLVMBuildBitCast(g->builder, made, to, "number");
  LLVMBuildRet(g->builder, made);
}

// "f32_to_u8", "relu_f32"; what a cast's rule leaves open is part of the key.
static const char *step_name(Arena *arena, const rsh_step *step) {
  if (step->op != RSH_OP_CAST)
    return arena_printf(arena, "%s_%s", rsh_op_name(step->op), rsh_dtype_name(step->to));
  return arena_printf(arena, "%s_to_%s", rsh_dtype_name(step->from), rsh_dtype_name(step->to));
}

const char *c_step(CFile *file, const rsh_step *step) {
  Arena *arena = file->arena;
  const char *wanted = step_name(arena, step);
  const char *key = arena_printf(arena, "%s %d %d", wanted, step->rule.saturate, step->rule.round);
  const char *name = c_helper(file, key);
  if (name)
    return name;
  Gen g = gen_open(file, wanted);
  build_step(&g, step);
  Printer p = {.file = file, .out = {.arena = arena}, .names = {.arena = arena}};
  const char *from = rsh_dtype_ctype(step->from), *to = rsh_dtype_ctype(step->to);
  bool is_signed = rsh_dtype_is_signed(step->from) && plan_element_bits(step->from) >= 8;
  bind_parameters(&p, g.function, is_signed ? arena_printf(arena, "(u%s)x", from) : NULL);
  const char *made = operand(&p, returned(g.function));
  bool gives_signed = rsh_dtype_is_signed(step->to) && plan_element_bits(step->to) >= 8;
  name = c_helper_add(file, key, wanted);
  if (!p.reads) // every f8e8m0 is true
    c_put(&p.out, "  (void)x;\n");
  c_put(&file->helpers, "\nstatic %s %s(%s x) {\n%.*s  return %s%s%s%s;\n}\n", to, name, from,
        p.out.letter.count, p.out.letter.item ? p.out.letter.item : "", gives_signed ? "(" : "",
        gives_signed ? to : "", gives_signed ? ")" : "", made);
  gen_close(&g);
  return name;
}

const char *c_power(CFile *file, bool is_double) {
  const char *key = is_double ? "power_f64" : "power_f32", *name = c_helper(file, key);
  if (name)
    return name;
  Gen g = gen_open(file, key);
  LLVMTypeRef type = element_type(g.context, is_double ? RSH_F64 : RSH_F32), both[2] = {type, type};
  begin_function(&g, key, type, both, 2);
  LLVMValueRef most = LLVMGetParam(g.function, 1);
  LLVMSetValueName2(most, "most", 4);
  LLVMBuildRet(g.builder, rows_build_power(&g, LLVMGetParam(g.function, 0), most));
  name = defined_function(file, g.function);
  gen_close(&g);
  return name;
}
