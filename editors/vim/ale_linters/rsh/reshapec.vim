" SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
" The language server for ALE.
call ale#linter#Define('rsh', {
      \ 'name': 'reshapec',
      \ 'lsp': 'stdio',
      \ 'executable': {_ -> get(g:, 'reshapec_path', 'reshapec')},
      \ 'command': {_ -> join(['%e', 'lsp'] + get(g:, 'reshapec_options', []))},
      \ 'project_root': {buffer -> fnamemodify(bufname(buffer), ':p:h')},
      \ })
