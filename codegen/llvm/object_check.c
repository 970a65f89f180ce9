// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads an object back: it may need only libm and the runtime, and only if its header says so. Firmware must not have
// writable data, as nothing initializes it.
#include "codegen/llvm/llvm_module.h"
#include "codegen/plan/names.h"
#include "frontend/text/words.h"

#include <llvm-c/Object.h>
#include <string.h>

// Symbols that linkers and object formats provide.
static bool is_given(const char *name, const Target *target) {
  static const char given[] =
      ".TOC. _GLOBAL_OFFSET_TABLE_ "
      ".file @feat.00 " // of COFF: the first names the source
      "__stack_pointer __linear_memory __indirect_function_table"; // of Wasm
  const char *plain = name + (*name == '_');
  // In librsh_runtime.a, for dynamic graphs, whose headers say so.
  if (has_word(given, name) || begins_with_word(plain, "rsh_program_ rsh_rule_ rsh_fold_"))
    return true;
  // Windows: a symbol of its C library, which code with floats refers to.
  if (!target->freestanding && (strcmp(name, "_fltused") == 0 || strcmp(plain, "_fltused") == 0))
    return true;
  if (target->library && (strcmp(name, "memcpy") == 0 || strcmp(name, "memset") == 0))
    return true;
  return target->libm && plan_is_libm(plain); // activations; the header names them
}

// Names of WebAssembly are not terminated: for symbols that may be undefined, the byte before the name is its length.
static const char *checked_symbol(Arena *arena, LLVMSymbolIteratorRef symbol,
                                  const Target *target) {
  const char *name = LLVMGetSymbolName(symbol);
  return target->is_wasm ? arena_text(arena, name, (unsigned char)name[-1]) : name;
}

typedef VEC(const char *) Names;

// The symbols that no section of the object defines. The first symbol of an ELF file is not in a section either: it
// names the source.
static Names undefined_symbols(Arena *arena, LLVMBinaryRef object, const char *source,
                               const Target *target) {
  Names found = {0};
  LLVMSymbolIteratorRef symbol = LLVMObjectFileCopySymbolIterator(object);
  LLVMSectionIteratorRef section = LLVMObjectFileCopySectionIterator(object);
  bool is_first = true;
  for (; !LLVMObjectFileIsSymbolIteratorAtEnd(object, symbol); LLVMMoveToNextSymbol(symbol)) {
    const char *name = checked_symbol(arena, symbol, target);
    bool is_source = is_first && strcmp(name, source) == 0;
    is_first = false;
    LLVMMoveToContainingSection(section, symbol);
    if (!is_source && !is_given(name, target) &&
        LLVMObjectFileIsSectionIteratorAtEnd(object, section))
      VEC_PUSH(arena, found, arena_text(arena, name, strlen(name)));
  }
  LLVMDisposeSectionIterator(section);
  LLVMDisposeSymbolIterator(symbol);
  return found;
}

// By name, as LLVM's C interface does not expose section flags: ".data", ".data.x", not ".data1".
static bool is_writable(const char *section) {
  static const char *const writable[] = {".data",  ".bss",        ".tdata",      ".tbss",  ".sdata",
                                         ".sbss",  ".init_array", ".fini_array", ".ctors", ".dtors",
                                         "__data", "__bss",       "__common"};
  if (strncmp(section, ".data.rel.ro", 12) == 0) // pointers, set only by the linker
    return false;
  for (size_t i = 0; i < sizeof writable / sizeof *writable; i++) {
    size_t length = strlen(writable[i]);
    if (strncmp(section, writable[i], length) == 0 &&
        (section[length] == '\0' || section[length] == '.'))
      return true;
  }
  return false;
}

// The name of a writable section; NULL if there is none.
static const char *writable_section(Arena *arena, LLVMBinaryRef object) {
  const char *found = NULL;
  LLVMSectionIteratorRef section = LLVMObjectFileCopySectionIterator(object);
  for (; !LLVMObjectFileIsSectionIteratorAtEnd(object, section) && !found;
       LLVMMoveToNextSection(section)) {
    const char *name = LLVMGetSectionName(section);
    if (name && LLVMGetSectionSize(section) > 0 && is_writable(name))
      found = arena_text(arena, name, strlen(name));
  }
  LLVMDisposeSectionIterator(section);
  return found;
}

// The first of the symbols that the section's relocations refer to; NULL if there is none.
static const char *symbol_in_section(LLVMBinaryRef object, LLVMSectionIteratorRef section,
                                     const Names *symbols) {
  const char *found = NULL;
  LLVMRelocationIteratorRef relocation = LLVMGetRelocations(section);
  for (; !LLVMIsRelocationIteratorAtEnd(section, relocation) && !found;
       LLVMMoveToNextRelocation(relocation)) {
    LLVMSymbolIteratorRef to = LLVMGetRelocationSymbol(relocation);
    for (int i = 0; i < symbols->count && !found; i++)
      if (!LLVMObjectFileIsSymbolIteratorAtEnd(object, to) &&
          strcmp(LLVMGetSymbolName(to), symbols->item[i]) == 0)
        found = symbols->item[i];
    LLVMDisposeSymbolIterator(to);
  }
  LLVMDisposeRelocationIterator(relocation);
  return found;
}

// The same for a function with a section of its own: in ELF, ".rel.text.f" or ".rela.text.f" has its relocations.
static const char *symbol_in_function(LLVMBinaryRef object, const char *function,
                                      const Names *symbols) {
  static const char text[] = ".text.";
  const char *found = NULL;
  LLVMSectionIteratorRef section = LLVMObjectFileCopySectionIterator(object);
  for (; !LLVMObjectFileIsSectionIteratorAtEnd(object, section) && !found;
       LLVMMoveToNextSection(section)) {
    const char *name = LLVMGetSectionName(section), *begin = name ? strstr(name, text) : NULL;
    if (begin && strcmp(begin + strlen(text), function) == 0)
      found = symbol_in_section(object, section, symbols);
  }
  LLVMDisposeSectionIterator(section);
  return found;
}

// One message for each graph whose function needs a symbol. One for the file, if shared functions need it or functions
// have no sections.
static void refuse_symbols(Arena *arena, LLVMBinaryRef object, const Target *target,
                           const Names *symbols, const Plan *const *plans, int count, Diag *diag) {
  static const char way_out[] = "name a processor or features that have the instruction, or write "
                                "C and link your compiler's library: --emit=c";
  const GraphNames *names = graph_names(arena, plans, count, false);
  bool is_named = false;
  for (int i = 0; i < count; i++) {
    const char *symbol = symbol_in_function(object, names[i].entry[ENTRY_WHOLE], symbols);
    if (!symbol)
      continue;
    diag_error(diag, plans[i]->graph->span, "unsupported",
               "code of '%s' for '%s' would need '%s' from a library; %s", plans[i]->graph->name,
               target->triple, symbol, way_out);
    is_named = true;
  }
  if (!is_named)
    diag_error_file(diag, "unsupported", "code for '%s' would need '%s' from a library; %s",
                    target->triple, symbols->item[0], way_out);
}

bool object_check(Arena *arena, LLVMMemoryBufferRef buffer, LLVMContextRef context,
                  const char *source_name, const Target *target, const Plan *const *plans,
                  int count, Diag *diag) {
  char *message = NULL;
  LLVMBinaryRef object = LLVMCreateBinary(buffer, context, &message);
  if (!object) {
    diag_error_file(diag, "internal", "cannot read the object back: %s",
                    (char *)memory_of(message));
    LLVMDisposeMessage(message);
    return false;
  }
  Names symbols = undefined_symbols(arena, object, source_name, target);
  const char *section = target->freestanding ? writable_section(arena, object) : NULL;
  if (symbols.count)
    refuse_symbols(arena, object, target, &symbols, plans, count, diag);
  LLVMDisposeBinary(object);
  if (section)
    diag_error_file(diag, "unsupported",
                    "code for '%s' would have writable data in section '%s', which freestanding "
                    "code must not have",
                    target->triple, section);
  return !symbols.count && !section;
}
