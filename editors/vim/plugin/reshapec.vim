" SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
" The language server for vim-lsp. ALE finds it in ale_linters/rsh, and Neovim needs no client.
augroup reshapec
  autocmd!
  autocmd User lsp_setup call lsp#register_server({
        \ 'name': 'reshapec',
        \ 'cmd': {_ -> [get(g:, 'reshapec_path', 'reshapec'), 'lsp'] + get(g:, 'reshapec_options', [])},
        \ 'allowlist': ['rsh'],
        \ })
augroup END
