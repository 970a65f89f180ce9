// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Starts `reshapec lsp` for .rsh files; everything else is there.
const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = () => {
  const settings = workspace.getConfiguration("reshapec");
  const server = { command: settings.get("path"), args: ["lsp", ...settings.get("options")] };
  client = new LanguageClient("reshapec", "reshapec", server, {
    documentSelector: [{ language: "rsh" }],
    synchronize: { fileEvents: workspace.createFileSystemWatcher("**/*.rsh") },
  });
  return client.start();
};

exports.deactivate = () => client && client.stop();
