-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- A session in Neovim: what a user does by keys is called here, and what the editor has then is printed.
local function wait(what, f)
  if not vim.wait(60000, f, 10) then
    print('nothing came: ' .. what)
    os.exit(1)
  end
end

local function say(text) io.stdout:write(text .. '\n') end

local function ask(method, line, column, more)
  local params = vim.tbl_extend('force', {
    textDocument = vim.lsp.util.make_text_document_params(),
    position = { line = line, character = column },
    range = { start = { line = line, character = 0 }, ['end'] = { line = line, character = 99 } },
  }, more or {})
  local answers = vim.lsp.buf_request_sync(0, 'textDocument/' .. method, params, 60000)
  for _, answer in pairs(answers) do
    if (answer.err or answer.error) then say(method .. " refused: " .. (answer.err or answer.error).message) end
    return answer.result
  end
end

local function show(title)
  say(title)
  for _, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, true)) do say('| ' .. line) end
end

local function apply(edit)
  vim.lsp.util.apply_workspace_edit(edit, 'utf-16')
end

wait('the client', function() return #vim.lsp.buf_get_clients(0) > 0 end)
wait('diagnostics', function() return #vim.diagnostic.get(0) > 0 end)
for _, d in ipairs(vim.diagnostic.get(0)) do
  say(string.format('diagnostic %d:%d-%d %s', d.lnum, d.col, d.end_col, d.message))
end

local actions = ask('codeAction', 2, 0, { context = { diagnostics = {} } })
say('action ' .. actions[1].title)
apply(actions[1].edit)
wait('no diagnostics', function() return #vim.diagnostic.get(0) == 0 end)
show('fixed')

say('hover ' .. ask('hover', 3, 4).contents.value:gsub('\n', ' '))
local place = ask('definition', 3, 10)
say(string.format('definition %d:%d', place.range.start.line, place.range.start.character))
apply(ask('rename', 2, 4, { newName = 'planes' }))
ask('rename', 2, 4, { newName = 'x' })
vim.lsp.util.apply_text_edits(ask('formatting', 0, 0, { options = { tabSize = 4, insertSpaces = true } }), 0, 'utf-16')
show('renamed and formatted')

-- The colors of the syntax file, by the word under each place of the first line.
for _, word in ipairs({ 'graph', 'g(', 'x:', 'u8', 'align', 'view', 'where', '2 ==' }) do
  local line = vim.api.nvim_buf_get_lines(0, 0, 1, true)[1]
  local at = word == 'g(' and 7 or line:find(word, 1, true)
  say('color ' .. word .. ' ' .. vim.fn.synIDattr(vim.fn.synID(1, at, 1), 'name'))
end

vim.lsp.stop_client(vim.lsp.get_active_clients())
wait('the end of the server', function() return #vim.lsp.get_active_clients() == 0 end)
say('ended')
vim.cmd('qall!')
