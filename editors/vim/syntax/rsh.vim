" SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
" Colors for texts of reshapec. Words of storage have their meaning in headers alone.
if exists('b:current_syntax')
  finish
endif

syntax match rshName "\<[A-Za-z_]\w*\>"
syntax match rshCall "\<[A-Za-z_]\w*\(\s*\.\s*[A-Za-z_]\w*\)*\ze\s*("
syntax match rshImport "\<import\>\ze\s*\""
syntax match rshModifier "\<view\>\ze\s\+[A-Za-z_]"
syntax match rshRepeat "\<for\>\ze\s\+\h\w*\s\+in\>"
syntax match rshRepeat "\(\<for\s\+\h\w*\s\+\)\@<=in\>"
syntax keyword rshConstant true false True False None inf nan newaxis
syntax keyword rshType i2 i4 i8 i16 i32 i64 u1 u2 u4 u8 u16 u32 u64 f16 bf16 f32 f64 bool c64 c128 string
syntax keyword rshType f8e4m3fn f8e4m3fnuz f8e5m2 f8e5m2fnuz f8e8m0 f4e2m1
syntax match rshNumber "\<\d\+\(_\d\+\)*\>"
syntax match rshNumber "\<\d\+\(\.\d\+\([eE][-+]\?\d\+\)\?\|[eE][-+]\?\d\+\)\>"
syntax match rshOperator "|>\|->\|\.\.\.\|==\|!=\|<=\|>=\|//\|<<\|>>\|[-+*/%&|^~<>=]"
syntax match rshEscape contained "\\[\"\\nt]"
syntax region rshString start=+"+ skip=+\\.+ end=+"\|$+ contains=rshEscape
syntax match rshTodo contained "\<\(TODO\|FIXME\|XXX\)\>"
syntax match rshComment "#.*$" contains=rshTodo,@Spell

syntax region rshHeader matchgroup=rshGraph start="\<graph\>" matchgroup=NONE end="{"
      \ contains=rshComment,rshString,rshNumber,rshOperator,rshType,rshGraphName,rshWhere,rshStorage,rshParameter
syntax match rshGraphName contained "\(\<graph\s\+\)\@<=[A-Za-z_]\w*"
syntax match rshParameter contained "\<[A-Za-z_]\w*\>\ze\s*:"
syntax match rshWhere contained "\<where\>\|\<in\>\ze\s*\["
syntax match rshStorage contained "\<\(view\|inplace\)\>\ze\s\+[A-Za-z_]"
syntax match rshStorage contained "\<layout\>\ze\s*\"\|\<strides\>\ze\s*\[\|\<align\>\ze\s\+\d"
syntax match rshStorage contained "\([]A-Za-z0-9_\"]\s\+\)\@<=\(lod\|placed\)\>"

highlight default link rshCall Function
highlight default link rshImport Include
highlight default link rshRepeat Repeat
highlight default link rshModifier StorageClass
highlight default link rshConstant Constant
highlight default link rshType Type
highlight default link rshNumber Number
highlight default link rshOperator Operator
highlight default link rshEscape SpecialChar
highlight default link rshString String
highlight default link rshTodo Todo
highlight default link rshComment Comment
highlight default link rshGraph Keyword
highlight default link rshGraphName Function
highlight default link rshParameter Identifier
highlight default link rshWhere Statement
highlight default link rshStorage StorageClass

let b:current_syntax = 'rsh'
