" SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
" Texts of reshapec. In Neovim this starts the language server; in Vim a client does, see plugin/reshapec.vim.
if exists('b:did_ftplugin')
  finish
endif
let b:did_ftplugin = 1
setlocal expandtab shiftwidth=4 softtabstop=4 textwidth=120 commentstring=#\ %s comments=:#
let b:undo_ftplugin = 'setlocal expandtab< shiftwidth< softtabstop< textwidth< commentstring< comments<'

if has('nvim')
  lua << EOF_LUA
  local command = vim.list_extend({vim.g.reshapec_path or 'reshapec', 'lsp'}, vim.g.reshapec_options or {})
  local config = {name = 'reshapec', cmd = command, root_dir = vim.fn.getcwd()}
  if vim.lsp.start then
    vim.lsp.start(config)
  else -- before Neovim 0.8
    RESHAPEC_CLIENT = RESHAPEC_CLIENT or vim.lsp.start_client(config)
    vim.lsp.buf_attach_client(0, RESHAPEC_CLIENT)
  end
EOF_LUA
endif
