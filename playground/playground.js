// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The playground, in three parts: the compiler (reshapec.wasm) with the system calls that it needs; a worker that runs
// it, so that a long compilation does not block the page; and the page. Tests load the first part in node.
"use strict";

// ---- The compiler ----

// The enumerators of playground.c.
const PARTS = ["messages", "explain", "picture", "code", "header", "formatted", "version"];
const INTERNAL = 3;
const MOST_MEMORY = 256 << 20; // of an instance that is used again: memory of WebAssembly never shrinks

// The WASI functions that the compiler calls: writes go to standard error, and no file exists.
function system(memory, write) {
  const [OK, BADF, NOENT, NOSYS, SPIPE] = [0, 8, 44, 52, 70];
  const [CHARACTERS, FOLDER] = [2, 3];
  const ROOT = 3; // the descriptor of "/"
  const view = () => new DataView(memory().buffer);
  const bytes = (at, size) => new Uint8Array(memory().buffer, at, size);
  const calls = {
    fd_write(fd, list, count, written) {
      let size = 0;
      for (let i = 0; i < count; i++) {
        const at = view().getUint32(list + 8 * i, true), length = view().getUint32(list + 8 * i + 4, true);
        write(new TextDecoder().decode(bytes(at, length)));
        size += length;
      }
      view().setUint32(written, size, true);
      return OK;
    },
    fd_read(fd, list, count, read) {
      view().setUint32(read, 0, true);
      return OK;
    },
    fd_seek: () => SPIPE,
    fd_tell: () => SPIPE,
    fd_close: () => OK,
    fd_fdstat_get(fd, to) {
      if (fd > ROOT)
        return BADF;
      bytes(to, 24).fill(0);
      view().setUint8(to, fd === ROOT ? FOLDER : CHARACTERS);
      bytes(to + 8, 16).fill(255); // all rights
      return OK;
    },
    fd_prestat_get(fd, to) {
      if (fd !== ROOT)
        return BADF;
      view().setUint32(to, 0, true);
      view().setUint32(to + 4, 1, true);
      return OK;
    },
    fd_prestat_dir_name(fd, to) {
      bytes(to, 1)[0] = "/".charCodeAt(0);
      return OK;
    },
    path_open: () => NOENT,
    path_filestat_get: () => NOENT,
    args_sizes_get(count, size) {
      view().setUint32(count, 0, true);
      view().setUint32(size, 0, true);
      return OK;
    },
    args_get: () => OK,
    environ_sizes_get: (count, size) => calls.args_sizes_get(count, size),
    environ_get: () => OK,
    clock_time_get(id, precision, to) {
      view().setBigUint64(to, BigInt(Math.round(Date.now() * 1e6)), true);
      return OK;
    },
    proc_exit(status) {
      throw new Error(`the compiler ended with status ${status}`);
    },
  };
  return new Proxy(calls, {get: (all, name) => all[name] || (() => NOSYS), has: () => true});
}

class Compiler {
  constructor(module) {
    this.module = module;
    this.instance = null;
  }

  start() {
    const imports = {};
    const calls = system(() => this.instance.exports.memory, (text) => { this.said += text; });
    for (const {module, name} of WebAssembly.Module.imports(this.module))
      (imports[module] ||= {})[name] = calls[name];
    this.instance = new WebAssembly.Instance(this.module, imports);
    this.instance.exports._initialize();
  }

  run(text, target, small) {
    if (!this.instance)
      this.start();
    const e = this.instance.exports, given = new TextEncoder().encode(text);
    const at = e.play_room(given.length);
    if (!at)
      throw new Error("out of memory");
    new Uint8Array(e.memory.buffer, at, given.length).set(given);
    const result = {status: e.play_read(given.length, target, small ? 1 : 0)};
    PARTS.forEach((name, part) => {
      const begin = e.play_part(part);
      result[name] = new TextDecoder().decode(new Uint8Array(e.memory.buffer, begin, e.play_size()));
    });
    return result;
  }

  // `target`: a row of targets.def; `small`: -Os. {status, messages, explain, picture, code, header, formatted, version}. A module that trapped is discarded.
  compile(text, target, small) {
    this.said = "";
    try {
      const result = this.run(text, target, small);
      if (this.instance.exports.memory.buffer.byteLength > MOST_MEMORY)
        this.instance = null;
      return result;
    } catch (error) {
      this.instance = null;
      const result = Object.fromEntries(PARTS.map((name) => [name, ""]));
      return {...result, status: INTERNAL, formatted: text, messages: this.said || `reshapec: error: ${error.message}\n`};
    }
  }
}

// ---- The worker ----

function work() {
  const compiler = fetch("reshapec.wasm")
    .then((answer) => answer.ok ? answer.arrayBuffer() : Promise.reject(new Error(answer.statusText)))
    .then((bytes) => WebAssembly.compile(bytes))
    .then((module) => new Compiler(module));
  self.onmessage = ({data}) => compiler.then(
    (c) => self.postMessage(c.compile(data.text, data.target, data.small)),
    (error) => self.postMessage({failed: error.message}));
}

// ---- The page ----

const PATIENCE = 10000; // milliseconds

function page() {
  const $ = (id) => document.getElementById(id);
  const text = $("text"), picture = $("picture").attachShadow({mode: "open"});
  let worker = null, waiting = false, next = false, timer = 0, began = 0;

  function said(message) {
    $("messages").textContent = message;
    $("messages").hidden = false;
    $("messages").classList.add("wrong");
  }

  function start() {
    worker = new Worker("playground.js");
    worker.onmessage = ({data}) => show(data);
    worker.onerror = () => said("playground.js cannot run: serve this folder, as 'python3 -m http.server' does");
  }

  function stop() {
    worker.terminate();
    waiting = false;
    start();
    said(`reshapec: error: stopped after ${PATIENCE / 1000} seconds`);
    stale(true);
    answered();
  }

  // Compiles the newest text when the previous compilation ends; texts in between are skipped.
  function compile() {
    next = waiting;
    if (waiting)
      return;
    waiting = true;
    timer = setTimeout(stop, PATIENCE);
    worker.postMessage({text: text.value, target: $("target").selectedIndex, small: $("small").checked});
    busy(true);
  }

  // Screen readers and tests wait until the output belongs to the current text.
  function busy(is) {
    document.querySelector("main").setAttribute("aria-busy", String(is));
  }

  function answered() {
    if (next)
      compile();
    else
      busy(false);
  }

  function changed() {
    began = performance.now();
    compile();
    clearTimeout(changed.timer); // browsers limit how often an address changes
    changed.timer = setTimeout(keep, 300);
  }

  // The output for the last valid text remains, marked as outdated.
  function stale(is) {
    for (const id of ["picture", "explain", "code", "header"])
      $(id).classList.toggle("stale", is);
  }

  function show(result) {
    clearTimeout(timer);
    waiting = false;
    if (result.failed) {
      busy(false);
      return said(`reshapec.wasm cannot be loaded (${result.failed}): serve this folder, as 'python3 -m http.server' does`);
    }
    const good = result.status === 0;
    show.formatted = result.formatted;
    showMessages(result.messages);
    text.setAttribute("aria-invalid", String(!good));
    $("messages").classList.toggle("wrong", !good);
    if (good) {
      draw(result.picture);
      $("explain").replaceChildren(...result.explain.trimEnd().split("\n").map(
        (line) => block(line.startsWith("      ") ? "line deep" : "line", line, "\n")));
      for (const id of ["code", "header"])
        $(id).textContent = result[id];
      $("version").textContent = `reshapec ${result.version}`;
    }
    stale(!good);
    $("picture").getBoundingClientRect(); // the time of its layout counts too
    $("time").textContent = `${(performance.now() - began).toFixed(1)} ms`;
    answered();
  }

  function block(name, ...parts) {
    const made = document.createElement("div");
    made.className = name;
    made.append(...parts);
    return made;
  }

  // A picture that is slightly too wide is scaled down; a wider one scrolls, to keep its text readable.
  function fit() {
    const drawn = picture.querySelector("svg"), room = $("picture").clientWidth;
    const width = drawn ? +drawn.getAttribute("width") : 0;
    if (drawn)
      drawn.style.width = `${room < 0.8 * width ? width : Math.min(room, width)}px`;
  }

  // In a shadow tree, since its style sheet would apply to the whole document.
  function draw(svg) {
    const drawn = document.importNode(new DOMParser().parseFromString(svg, "image/svg+xml").documentElement, true);
    drawn.style.cssText = "display: block; height: auto";
    drawn.setAttribute("role", "img");
    drawn.setAttribute("aria-label", "Operators as written, kernels as compiled, and how these walk through memory");
    picture.replaceChildren(drawn);
    fit();
  }

  // "chain.rsh:2:9: error: …": the location becomes a link. The lines after that are the text and a caret below it,
  // which must not be wrapped.
  function showMessages(messages) {
    const lines = messages.trimEnd().split("\n").map((line) => {
      const place = /^chain\.rsh:(\d+):(\d+):/.exec(line);
      if (!place)
        return block(/^\S*: /.test(line) ? "line" : "excerpt", line, "\n");
      const link = document.createElement("a");
      link.href = "#text";
      link.textContent = `line ${place[1]}, column ${place[2]}:`;
      link.onclick = (event) => { event.preventDefault(); go(+place[1], +place[2]); };
      return block("line", link, line.slice(place[0].length), "\n");
    });
    $("messages").hidden = messages === "";
    $("messages").replaceChildren(...(messages ? lines : []));
  }

  // Columns count characters, positions in the text UTF-16.
  function go(line, column) {
    const lines = text.value.split("\n");
    const before = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
    const at = before + Array.from(lines[line - 1] || "").slice(0, column - 1).join("").length;
    text.focus();
    text.setSelectionRange(at, Math.min(at + 1, text.value.length));
  }

  // ---- the link

  function link() {
    const words = new URLSearchParams();
    if ($("target").selectedIndex > 0)
      words.set("target", $("target").value);
    if ($("small").checked)
      words.set("small", "1");
    words.set("text", text.value);
    return `#${words}`;
  }

  function keep() {
    clearTimeout(changed.timer);
    history.replaceState(null, "", link());
  }

  function read() {
    const words = new URLSearchParams(location.hash.slice(1));
    if (!words.has("text"))
      return false;
    text.value = words.get("text");
    $("target").value = words.get("target");
    if ($("target").selectedIndex < 0)
      $("target").selectedIndex = 0;
    $("small").checked = words.get("small") === "1";
    return true;
  }

  // Inserted like typed text, so that it can be undone.
  function replace(value) {
    const before = document.activeElement;
    text.focus();
    text.select();
    if (!document.execCommand("insertText", false, value)) {
      text.value = value;
      changed();
    }
    before.focus();
  }

  function choose() {
    const chosen = $("example").value;
    if (chosen)
      replace(chosen);
    $("example").value = chosen;
  }

  async function copy() {
    keep();
    try {
      await navigator.clipboard.writeText(location.href);
      $("copied").textContent = "Link copied";
    } catch {
      $("copied").textContent = "The link is in the address bar";
    }
    setTimeout(() => { $("copied").textContent = ""; }, 3000);
  }

  // ---- actions

  text.oninput = () => { $("example").value = ""; changed(); };
  $("example").onchange = choose;
  $("target").onchange = $("small").onchange = changed;
  $("format").onclick = () => show.formatted && replace(show.formatted);
  $("link").onclick = copy;
  window.onresize = fit;
  window.onhashchange = () => read() && changed();
  try {
    start();
  } catch {
    return said("a page from a file cannot start the compiler: serve this folder, as 'python3 -m http.server' does");
  }
  if (!read()) {
    $("example").selectedIndex = 1;
    text.value = $("example").value;
  }
  began = performance.now();
  compile();
}

if (typeof module !== "undefined")
  module.exports = {Compiler};
else if (typeof document !== "undefined")
  page();
else
  work();
