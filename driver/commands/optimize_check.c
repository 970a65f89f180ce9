// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs both models in Python with onnxruntime, whose own optimizer is disabled, since it would change both models.
#include "driver/commands/optimize_check.h"

#include "driver/base/tools.h"

#include <string.h>
#include <sys/stat.h>

// argv: the model, the new model, a file for the answer: a word and a line.
//
//   Values are chosen for open sizes: the first of a tensor is usually a batch, the others are distinct where possible,
//   and equal names have equal sizes.
static const char program[] =
    "import sys\n"
    "def answer(word, line):\n"
    "    open(sys.argv[3], 'w').write(word + ' ' + ' '.join(str(line).split())[:300])\n"
    "    sys.exit(0)\n"
    "try:\n"
    "    import numpy as np, onnxruntime as ort\n"
    "except ImportError as error:\n"
    "    answer('missing', error)\n"
    "def load(path):\n"
    "    o = ort.SessionOptions()\n"
    "    o.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL\n"
    "    o.intra_op_num_threads, o.log_severity_level = 1, 4\n"
    "    return ort.InferenceSession(path, o, providers=['CPUExecutionProvider'])\n"
    "KINDS = {'float': 'f4', 'double': 'f8', 'float16': 'f2', 'bool': '?', 'string': 'O',\n"
    "         **{f'{u}int{b}': f'{u[:1] or \"i\"}{b // 8}' for u in ('u', '') for b in (8, 16, 32, "
    "64)}}\n"
    "def feed(session, first, size, growth, seed):\n"
    "    random, named, fed = np.random.default_rng(seed), {}, {}\n"
    "    for i in session.get_inputs():\n"
    "        dims, left = [], first\n"
    "        for d in i.shape:\n"
    "            known = d if isinstance(d, int) and d >= 0 else named.get(d)\n"
    "            dims.append(left if known is None else known)\n"
    "            if known is None:\n"
    "                left = size if left == first else left * growth\n"
    "                if isinstance(d, str) and d != '?':\n"
    "                    named[d] = dims[-1]\n"
    "        kind = np.dtype(KINDS[i.type[7:-1]])\n"
    "        v = random.standard_normal(dims) if kind.kind == 'f' else random.integers(0, 2, "
    "dims)\n"
    "        fed[i.name] = np.asarray(v if dims or kind.kind in 'f?' else 16000 % 2 ** (8 * "
    "kind.itemsize - 1))"
    ".astype(kind)\n"
    "    return fed\n"
    "try:\n"
    "    old = load(sys.argv[1])\n"
    "except Exception as error:\n"
    "    answer('refused', error)\n"
    "try:\n"
    "    new = load(sys.argv[2])\n"
    "except Exception as error:\n"
    "    answer('different', f'the new model is refused: {error}')\n"
    "runs, why = 0, ''\n"
    "for size in (64, 320, 512, 576, 32, 5, 2, 1, 1024, 4096, 16000, 32000):\n"
    "    for first, growth in ((1, 1), (3, 2), (3, 1)):\n"
    "        if runs >= 2:\n"
    "            break\n"
    "        try:\n"
    "            fed = feed(old, first, size, growth, runs)\n"
    "            wanted = old.run(None, fed)\n"
    "        except Exception as error:\n"
    "            why = why or error\n"
    "            continue\n"
    "        try:\n"
    "            got = new.run(None, fed)\n"
    "        except Exception as error:\n"
    "            answer('different', f'the new model fails: {error}')\n"
    "        for o, a, b in zip(old.get_outputs(), wanted, got):\n"
    "            if isinstance(a, np.ndarray) and (a.shape, a.dtype) != (b.shape, b.dtype):\n"
    "                answer('different', f\"output '{o.name}': {a.dtype}{list(a.shape)}, now "
    "{b.dtype}{list(b.shape)}\")\n"
    "            if isinstance(a, np.ndarray) and a.dtype.kind != 'O' and a.tobytes() != "
    "b.tobytes():\n"
    "                count = np.count_nonzero(np.frombuffer(a.tobytes(), 'u1') != "
    "np.frombuffer(b.tobytes(), 'u1'))\n"
    "                answer('different', f\"output '{o.name}': {count} of {a.nbytes} bytes\")\n"
    "            if not isinstance(a, np.ndarray) or a.dtype.kind == 'O':\n"
    "                if str(a) != str(b):\n"
    "                    answer('different', f\"output '{o.name}'\")\n"
    "        runs += 1\n"
    "    if runs >= 2:\n"
    "        break\n"
    "if not runs:\n"
    "    answer('refused', why)\n"
    "answer('equal', f'outputs equal to the bit on {runs} random inputs (onnxruntime "
    "{ort.__version__}, its "
    "optimizer off)')\n";

Exit optimize_check_can(const Options *options) {
  struct stat from, to;
  if (strcmp(options->output, "-") == 0)
    return usage_error(COMMAND_OPTIMIZE, "--check runs a file: give -o FILE");
  if (stat(options->output, &to) != 0)
    return EXIT_DONE;
  if (!S_ISREG(to.st_mode) && !S_ISDIR(to.st_mode)) // a folder is refused when it is written
    return usage_error(COMMAND_OPTIMIZE, "--check runs a file, but '%s' is a pipe or a device",
                       options->output);
  if (stat(options->file, &from) == 0 && from.st_dev == to.st_dev && from.st_ino == to.st_ino)
    return usage_error(COMMAND_OPTIMIZE,
                       "--check also runs the old model: give another name with -o");
  return EXIT_DONE;
}

static bool begins(const char *text, const char *word, const char **rest) {
  size_t length = strlen(word);
  if (strncmp(text, word, length) != 0)
    return false;
  *rest = text + length;
  return true;
}

Exit optimize_check(const Options *options, const char **line) {
  static const char *const pythons[] = {"python3", "python", NULL};
  Arena *arena = options->arena;
  const char *python = tool_find(arena, pythons), *folder = python ? folder_make(arena) : NULL;
  const char *rest = "";
  Bytes bytes;
  if (!python)
    return input_error("--check needs 'python3' with onnxruntime: none is on PATH");
  if (!folder)
    return input_error("--check needs a folder for files: set TMPDIR");
  const char *log = folder_file(arena, folder, "log"), *to = folder_file(arena, folder, "answer");
  const char *command[] = {python, "-c", program, options->file, options->output, to, NULL};
  if (!tool_run(command, log) || !file_read_whole(arena, to, &bytes))
    return input_error("--check: '%s' fails: %s", python, tool_complaint(arena, log));
  const char *text = arena_text(arena, (const char *)bytes.data, bytes.size);
  if (begins(text, "equal ", line))
    return EXIT_DONE;
  if (begins(text, "missing ", &rest))
    return input_error("--check needs onnxruntime in '%s': pip install onnxruntime (%s)", python,
                       rest);
  if (begins(text, "refused ", &rest))
    return input_error("--check: onnxruntime does not run '%s' on random inputs: %s", options->file,
                       rest);
  (void)begins(text, "different ", &rest);
  fprintf(stderr, "reshapec: internal error: the outputs of '%s' differ from those of '%s': %s\n",
          options->output, options->file, rest);
  return EXIT_INTERNAL;
}
