// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks optimized code for a property that no run on test data can show: that control flow and addresses do not depend
// on elements. A value loaded from a tensor ("an element") may be moved, shuffled, shifted into bytes and stored. It
// must not decide a branch, or be an operand of an address computation or of arithmetic. Graphs with element-wise
// functions may use arithmetic, selects and table lookups on elements, but not branches or other addresses. Tables that
// the compiler puts into the object are not elements. No access through a caller's pointer may require more alignment
// than the header.
#include "codegen/llvm/llvm_module.h"
#include "codegen/plan/names.h"
#include "frontend/text/words.h"
#include "frontend/text/hash.h"
#include "frontend/text/rescue.h"

#include <string.h>

typedef struct Seen {
  LLVMValueRef value;
  UT_hash_handle hh;
} Seen;

typedef struct Scan {
  Arena *arena;
  Seen *element; // values that hold elements; functions that return them
  VEC(LLVMValueRef) todo;
  const Plan *const *plans;
  const GraphNames *names; // of each plan's graph
  int count;
  bool computes;    // whether the current function may compute with elements
  const Plan *plan; // of the current function, if it has its graph's parameters; else NULL
  Diag *diag;
  bool good, grew;
} Scan;

static bool holds_element(Scan *s, LLVMValueRef value) {
  Seen *found;
  HASH_FIND_PTR(s->element, &value, found);
  return found != NULL;
}

static void mark(Scan *s, LLVMValueRef value) {
  if (holds_element(s, value))
    return;
  Seen *seen = ARENA_NEW(s->arena, Seen);
  seen->value = value;
  HASH_ADD_PTR(s->element, value, seen);
  VEC_PUSH(s->arena, s->todo, value);
  s->grew = true;
}

static void refuse(Scan *s, LLVMValueRef instruction, const char *what) {
  if (s->good) {
    char *text = memory_of(LLVMPrintValueToString(instruction));
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
    size_t length;
    diag_error_file(s->diag, "internal", "the code of '%s' %s: %s",
                    LLVMGetValueName2(function, &length), what, text + strspn(text, " "));
    LLVMDisposeMessage(text);
  }
  s->good = false;
}

// ---- the base of an address ----

typedef struct Bases {
  bool table;        // a table of the object
  bool other;        // memory of the caller, or the stack
  uint32_t promised; // the least alignment of its parameters; 0: none has one
} Bases;

// 0: none, as in functions that the runtime calls.
static uint32_t promised_align(LLVMValueRef parameter) {
  LLVMValueRef function = LLVMGetParamParent(parameter);
  unsigned kind = LLVMGetEnumAttributeKindForName("align", 5);
  for (unsigned i = 0; i < LLVMCountParams(function); i++)
    if (LLVMGetParam(function, i) == parameter) {
      LLVMAttributeRef align = LLVMGetEnumAttributeAtIndex(function, i + 1, kind);
      return align ? (uint32_t)LLVMGetEnumAttributeValue(align) : 0;
    }
  return 0;
}

// Calls that return their pointer, which a walk uses to hide it from LLVM (emit_walk.c).
static bool is_same_pointer(LLVMValueRef call) {
  size_t length;
  const char *name = LLVMGetValueName2(LLVMGetCalledValue(call), &length);
  return strncmp(name, "llvm.launder.", 13) == 0;
}

// A constant of the object, or the cached level of the processor (emit_versions.c).
static bool is_table(LLVMValueRef global) {
  size_t length;
  return LLVMIsGlobalConstant(global) ||
         strcmp(LLVMGetValueName2(global, &length), LEVEL_VARIABLE) == 0;
}

static void find_bases(LLVMValueRef address, Bases *bases, int depth) {
  if (depth > 64) {
    bases->other = true;
  } else if (LLVMIsAGlobalVariable(address)) {
    bases->table = bases->table || is_table(address);
    bases->other = bases->other || !is_table(address);
  } else if (LLVMIsAGetElementPtrInst(address) ||
             (LLVMIsAConstantExpr(address) && LLVMGetConstOpcode(address) == LLVMGetElementPtr)) {
    find_bases(LLVMGetOperand(address, 0), bases, depth + 1);
  } else if (LLVMIsACallInst(address) && is_same_pointer(address)) {
    find_bases(LLVMGetOperand(address, 0), bases, depth + 1);
  } else if (LLVMIsASelectInst(address)) {
    find_bases(LLVMGetOperand(address, 1), bases, depth + 1);
    find_bases(LLVMGetOperand(address, 2), bases, depth + 1);
  } else if (LLVMIsAInsertElementInst(address) || LLVMIsAShuffleVectorInst(address)) {
    int more = LLVMIsAShuffleVectorInst(address) ? 8 : 1;
    find_bases(LLVMGetOperand(address, 0), bases, depth + more);
    find_bases(LLVMGetOperand(address, 1), bases, depth + more);
  } else if (LLVMIsAConstantVector(address)) {
    for (int i = 0; i < LLVMGetNumOperands(address); i++)
      find_bases(LLVMGetOperand(address, (unsigned)i), bases, depth + 1);
  } else if (LLVMIsAPHINode(address)) {
    for (unsigned i = 0; i < LLVMCountIncoming(address); i++) // a loop leads back here
      find_bases(LLVMGetIncomingValue(address, i), bases, depth + 16);
  } else if (LLVMIsAArgument(address)) {
    uint32_t align = promised_align(address);
    bases->other = true;
    if (align && (!bases->promised || align < bases->promised))
      bases->promised = align;
  } else if (!LLVMIsAUndefValue(address)) { // poison is a lane that is inserted later, or not used
    bases->other = true;
  }
}

static void check_align(Scan *s, LLVMValueRef access, LLVMValueRef address) {
  Bases bases = {0};
  unsigned streams =
      LLVMGetMDKindIDInContext(LLVMGetModuleContext(LLVMGetGlobalParent(
                                   LLVMGetBasicBlockParent(LLVMGetInstructionParent(access)))),
                               "nontemporal", 11);
  if (LLVMHasMetadata(access) && LLVMGetMetadata(access, streams))
    return; // guarded by a test of the address
  find_bases(address, &bases, 0);
  if (bases.promised && LLVMGetAlignment(access) > bases.promised)
    refuse(s, access, "asks for more alignment than the header");
}

// ---- allowed uses of elements ----

static bool calls_one_of(LLVMValueRef call, const char *prefixes) {
  size_t length;
  return begins_with_word(LLVMGetValueName2(LLVMGetCalledValue(call), &length), prefixes);
}

// Masked and strided loads, which are calls.
static bool is_loading_call(LLVMValueRef call) {
  return calls_one_of(call, "llvm.masked. llvm.experimental.vp.strided.load.");
}

// Calls that only move their arguments.
static bool is_moving_call(LLVMValueRef call) {
  return calls_one_of(call, "llvm.fshl. llvm.fshr. llvm.bswap. llvm.bitreverse. llvm.masked. "
                            "llvm.vector. llvm.experimental.vector. "
                            "llvm.experimental.vp.strided."); // of RISC-V
}

static const char *const decides_branch = "branches on an element",
                         *const decides_address = "computes an address from an element",
                         *const computes = "computes with an element that should only move",
                         *const calls = "passes an element to a function";

// Whether a load or address is within a constant table of the object. A lookup table has an entry for every possible
// element.
static bool is_in_table(LLVMValueRef user) {
  Bases bases = {0};
  find_bases(LLVMGetOperand(user, 0), &bases, 0);
  return bases.table && !bases.other;
}

// The type of a value, or of the elements of a vector.
static LLVMTypeRef lane_type(LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
}

// The integer constant that a value is, or that all elements of a vector are; NULL: it is none.
static LLVMValueRef integer_of(LLVMValueRef value) {
  if (!LLVMIsAConstantDataVector(value))
    return LLVMIsAConstantInt(value);
  LLVMValueRef first = LLVMGetAggregateElement(value, 0);
  for (unsigned i = 1; i < LLVMGetVectorSize(LLVMTypeOf(value)); i++)
    if (LLVMGetAggregateElement(value, i) != first)
      return NULL;
  return LLVMIsAConstantInt(first);
}

// The constant operand of an instruction; NULL: there is none, or it has more than 64 bits.
static LLVMValueRef constant_of(LLVMValueRef user, unsigned operand) {
  LLVMValueRef n = integer_of(LLVMGetOperand(user, operand));
  return n && LLVMGetIntTypeWidth(LLVMTypeOf(n)) <= 64 ? n : NULL;
}

// x * n as copies of x, one for each bit of n. False: two of them share a bit.
static bool copies_are_apart(uint64_t bits, uint64_t n, uint64_t *all) {
  bool is_apart = true;
  *all = 0;
  for (int i = 0; i < 64; i++) {
    if ((n >> i & 1) == 0)
      continue;
    is_apart = is_apart && (*all & bits << i) == 0;
    *all |= bits << i;
  }
  return is_apart;
}

// The bits that may be set of an integer, or of any element of a vector.
static uint64_t bits_of(LLVMValueRef value, int depth) {
  LLVMTypeRef type = lane_type(value);
  bool is_integer = LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) <= 64;
  uint64_t every = is_integer ? UINT64_MAX >> (64 - LLVMGetIntTypeWidth(type)) : UINT64_MAX, copies;
  if (is_integer && integer_of(value))
    return LLVMConstIntGetZExtValue(integer_of(value));
  if (!is_integer || !LLVMIsAInstruction(value) || depth > 8)
    return every;
  LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
  if (opcode == LLVMSelect)
    return bits_of(LLVMGetOperand(value, 1), depth + 1) |
           bits_of(LLVMGetOperand(value, 2), depth + 1);
  if (LLVMGetNumOperands(value) == 0)
    return every;
  uint64_t a = bits_of(LLVMGetOperand(value, 0), depth + 1);
  if (opcode == LLVMZExt || opcode == LLVMTrunc)
    return a & every;
  if (LLVMGetNumOperands(value) < 2)
    return every;
  uint64_t b = bits_of(LLVMGetOperand(value, 1), depth + 1);
  bool is_by_number = constant_of(value, 1) != NULL;
  switch (opcode) {
  case LLVMAnd:
    return a & b;
  case LLVMOr:
  case LLVMXor:
    return a | b;
  case LLVMAdd:
    return (a & b) == 0 ? a | b : every;
  case LLVMShl:
    return is_by_number && b < 64 ? a << b & every : every;
  case LLVMLShr:
    return is_by_number && b < 64 ? a >> b : every;
  case LLVMMul:
    return is_by_number && copies_are_apart(a, b, &copies) ? copies & every : every;
  default:
    return every;
  }
}

// LLVM repeats and joins bits of elements by arithmetic without carries:
//
//   x | x << 4 | x << 8, where x has 4 bits     x * 0x111
//   x | y << 4                                  x + (y << 4)
//   one bit, eight times                        0 - x
static bool keeps_bits(LLVMValueRef user, unsigned operand) {
  uint64_t bits = bits_of(LLVMGetOperand(user, operand), 0),
           other = bits_of(LLVMGetOperand(user, 1 - operand), 0), copies;
  LLVMValueRef n = constant_of(user, 1 - operand);
  switch (LLVMGetInstructionOpcode(user)) {
  case LLVMAdd:
    return (bits & other) == 0;
  case LLVMSub:
    return n && operand == 1 && other == 0 && bits <= 1;
  default:
    return n && copies_are_apart(bits, other, &copies);
  }
}

static bool is_one_bit(LLVMValueRef value) {
  uint64_t bits = bits_of(value, 0);
  return (bits & (bits - 1)) == 0;
}

// LLVM writes one bit of an element to several places by a test, the highest bit by its sign:
//
//   x << 3 | x << 1, where x has one bit     x == 0 ? 0 : 10
static bool tests_bit(LLVMValueRef user, unsigned operand) {
  LLVMValueRef other = constant_of(user, 1 - operand);
  int64_t n = other ? LLVMConstIntGetSExtValue(other) : 1;
  switch (LLVMGetICmpPredicate(user)) {
  case LLVMIntEQ:
  case LLVMIntNE:
    return n == 0 && is_one_bit(LLVMGetOperand(user, operand));
  case LLVMIntSLT:
    return n == 0 && operand == 0;
  case LLVMIntSGT:
    return n == -1 && operand == 0;
  default:
    return false;
  }
}

static bool chooses_constant(LLVMValueRef select) {
  return constant_of(select, 1) && constant_of(select, 2);
}

// Checks one use of an element.
static void follow(Scan *s, LLVMValueRef user, unsigned operand) {
  bool is_vector_index = false;
  switch (LLVMGetInstructionOpcode(user)) {
  case LLVMBr:
  case LLVMSwitch:
  case LLVMIndirectBr:
    refuse(s, user, decides_branch);
    return;
  case LLVMGetElementPtr:
  case LLVMLoad:
    if (s->computes && is_in_table(user))
      break;
    refuse(s, user, decides_address);
    return;
  case LLVMPtrToInt:
  case LLVMIntToPtr:
    refuse(s, user, decides_address);
    return;
  case LLVMStore:
    if (operand == 1)
      refuse(s, user, decides_address);
    return;
  case LLVMRet:
    mark(s, LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)));
    return;
  case LLVMExtractElement:
    is_vector_index = operand == 1;
    break;
  case LLVMInsertElement:
    is_vector_index = operand == 2;
    break;
  case LLVMSelect:
    if (operand == 0 && !s->computes && !chooses_constant(user))
      refuse(s, user, computes);
    break;
  case LLVMICmp:
    if (!s->computes && !tests_bit(user, operand))
      refuse(s, user, computes);
    break;
  case LLVMShl:
  case LLVMLShr:
  case LLVMAShr:
    if (operand == 1 && !s->computes)
      refuse(s, user, computes);
    break;
  case LLVMCall:
    if (!s->computes && !is_moving_call(user))
      refuse(s, user, calls);
    break;
  case LLVMPHI:
  case LLVMTrunc:
  case LLVMZExt:
  case LLVMSExt:
  case LLVMBitCast:
  case LLVMFreeze:
  case LLVMShuffleVector:
  case LLVMExtractValue:
  case LLVMInsertValue:
  case LLVMAnd:
  case LLVMOr:
  case LLVMXor:
    break;
  case LLVMAdd:
  case LLVMMul:
  case LLVMSub:
    if (!s->computes && !keeps_bits(user, operand))
      refuse(s, user, computes);
    break;
  default:
    if (!s->computes)
      refuse(s, user, computes);
    break;
  }
  if (is_vector_index)
    refuse(s, user, decides_address);
  mark(s, user);
}

static void follow_all(Scan *s) {
  while (s->todo.count > 0) {
    LLVMValueRef value = s->todo.item[--s->todo.count];
    if (LLVMIsAFunction(value))
      continue;
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
      LLVMValueRef user = LLVMGetUser(use);
      for (int i = 0; i < LLVMGetNumOperands(user); i++)
        if (LLVMGetOperand(user, (unsigned)i) == value)
          follow(s, user, (unsigned)i);
    }
  }
}

// ---- indices ----

static bool is_name_of(const char *name, size_t length, const char *of) {
  return of && strlen(of) == length && strncmp(name, of, length) == 0;
}

// Whether a parameter holds indices: they are checked, so they may be part of an address. Indices that the kernel
// computes may be in any parameter. LLVM drops unused parameters of variants, so a parameter is identified by its name.
static bool holds_indices(const Plan *plan, LLVMValueRef parameter) {
  size_t length;
  const char *name = LLVMGetValueName2(parameter, &length);
  bool some = plan_checks_late(plan);
  for (int i = 0; i < plan->pass_count; i++) {
    const Picks *picks = plan->pass[i].picks;
    some = some ||
           (picks && is_name_of(name, length, plan->graph->value.item[picks->by.source]->name));
  }
  return some;
}

// The addresses that an address is derived from, each once.
typedef struct Worklist {
  LLVMValueRef at[64];
  int count;
} Worklist;

static void push(Worklist *list, LLVMValueRef address) {
  const int most = sizeof list->at / sizeof *list->at;
  for (int i = 0; i < list->count && i < most; i++)
    if (list->at[i] == address)
      return;
  if (list->count < most)
    list->at[list->count] = address;
  list->count++; // beyond the capacity: the search fails
}

// The only parameter that an address is derived from, or NULL.
static LLVMValueRef parameter_of(LLVMValueRef address) {
  Worklist list = {{address}, 1};
  LLVMValueRef found = NULL;
  for (int i = 0; i < list.count; i++) {
    if (list.count > (int)(sizeof list.at / sizeof *list.at))
      return NULL;
    LLVMValueRef at = list.at[i];
    if (LLVMIsAArgument(at)) {
      if (found)
        return NULL;
      found = at;
    } else if (LLVMIsAPHINode(at)) {
      for (unsigned k = 0; k < LLVMCountIncoming(at); k++)
        push(&list, LLVMGetIncomingValue(at, k));
    } else if (LLVMIsASelectInst(at)) {
      push(&list, LLVMGetOperand(at, 1));
      push(&list, LLVMGetOperand(at, 2));
    } else if (LLVMIsAGetElementPtrInst(at) || (LLVMIsACallInst(at) && is_same_pointer(at))) {
      push(&list, LLVMGetOperand(at, 0));
    } else {
      return NULL;
    }
  }
  return found;
}

static bool is_index_type(const Scan *s, LLVMValueRef load) {
  LLVMValueRef parameter = s->plan ? parameter_of(LLVMGetOperand(load, 0)) : NULL;
  return parameter && holds_indices(s->plan, parameter);
}

// ---- functions ----

static void scan_instruction(Scan *s, LLVMValueRef i) {
  Bases bases = {0};
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMLoad:
    find_bases(LLVMGetOperand(i, 0), &bases, 0);
    if (bases.other && !is_index_type(s, i))
      mark(s, i);
    check_align(s, i, LLVMGetOperand(i, 0));
    break;
  case LLVMStore:
    check_align(s, i, LLVMGetOperand(i, 1));
    break;
  case LLVMCall:
    if (holds_element(s, LLVMGetCalledValue(i)) ||
        (is_loading_call(i) && !is_in_table(i) && !is_index_type(s, i)))
      mark(s, i);
    break;
  default:
    break;
  }
}

// "NAME", "NAME_task", "NAME.variant.1", "NAME.v3" ... have the parameters of the graph; "NAME.stage.0" does not.
static const Plan *plan_of(const Scan *s, LLVMValueRef function) {
  size_t length;
  const char *name = LLVMGetValueName2(function, &length);
  size_t stem = strcspn(name, ".");
  bool is_stage = strstr(name + stem, ".stage.") != NULL;
  for (int i = 0; i < s->count && !is_stage; i++)
    if (is_name_of(name, stem, s->names[i].entry[ENTRY_WHOLE]) ||
        is_name_of(name, stem, s->names[i].entry[ENTRY_TASK]))
      return s->plans[i];
  return NULL;
}

// "NAME", "NAME.variant.1", "NAME.stage.0", "NAME_task.v3" ... belong to the graph; functions shared by several graphs
// belong to all of them.
static bool may_compute(const Scan *s, LLVMValueRef function) {
  size_t length;
  const char *name = LLVMGetValueName2(function, &length);
  size_t stem = strcspn(name, ".");
  bool any = false;
  for (int i = 0; i < s->count; i++) {
    bool some = plan_computes(s->plans[i]);
    const char *const *entry = s->names[i].entry;
    if (is_name_of(name, stem, entry[ENTRY_WHOLE]) || is_name_of(name, stem, entry[ENTRY_SHAPE]) ||
        is_name_of(name, stem, entry[ENTRY_TASK]))
      return some || s->plans[i]->tape;
    any = any || some || s->plans[i]->tape;
  }
  return any;
}

static void scan_function(Scan *s, LLVMValueRef function) {
  s->computes = may_compute(s, function);
  s->plan = plan_of(s, function);
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
      scan_instruction(s, i);
  follow_all(s);
}

bool module_scan(Arena *arena, LLVMModuleRef module, const Plan *const *plans, int count,
                 Diag *diag) {
  Scan s = {.arena = arena, .plans = plans, .count = count, .diag = diag, .good = true};
  s.names = graph_names(arena, plans, count, true);
  do { // until no more functions are found to return elements
    s.grew = false;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
      scan_function(&s, f);
  } while (s.grew && s.good);
  HASH_CLEAR(hh, s.element);
  return s.good;
}
