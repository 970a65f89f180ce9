" SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
" A session in Vim with ALE: its commands, and what the editor has after them.
set nocompatible nomore encoding=utf-8 shortmess+=A noswapfile viminfo=
let &runtimepath = $ROOT . '/editors/vim,' . &runtimepath . ',/usr/share/vim-ale'
let g:ale_linters = {'rsh': ['reshapec']}
let g:ale_fixers = {}
let g:ale_lint_delay = 0
let g:ale_completion_enabled = 0
filetype plugin on
syntax on

function! Say(text) abort
  call writefile([a:text], 'out', 'a')
endfunction

function! Wait(what, condition) abort
  for i in range(3000)
    if a:condition()
      return
    endif
    sleep 20m
  endfor
  call Say('nothing came: ' . a:what)
  cquit
endfunction

function! Found() abort
  return ale#engine#GetLoclist(bufnr('%'))
endfunction

" In a window, or on the last lines.
function! Shown() abort
  let texts = map(range(1, bufnr('$')), {_, n -> join(getbufline(n, 1, '$'), ' ')})
  return substitute(join(texts, ' ') . execute('messages'), '\n', ' ', 'g')
endfunction

function! Session(timer) abort
  try
    call Wait('messages', {-> len(Found()) > 0})
    for d in Found()
      call Say(printf('message %d:%d-%d %s', d.lnum, d.col, d.end_col, d.text))
    endfor
    %s/transpos(/transpose(/
    ALELint
    call Wait('no messages', {-> len(Found()) == 0})
    call cursor(4, 11)
    ALEGoToDefinition
    call Wait('the definition', {-> line('.') == 3})
    call Say('definition ' . line('.') . ':' . col('.'))
    call cursor(4, 5)
    ALEHover
    call Wait('hover', {-> Shown() =~# 'bytes moved'})
    call Say('hover ' . matchstr(Shown(), 'symbolic, [^:]* bytes moved: [^,]*'))
    call Say('color ' . synIDattr(synID(1, 1, 1), 'name') . ' ' . synIDattr(synID(1, 12, 1), 'name'))
    call Say('ended')
    quitall!
  catch
    call Say(v:exception . ' ' . v:throwpoint)
    cquit
  endtry
endfunction

autocmd VimEnter * call timer_start(10, 'Session')
