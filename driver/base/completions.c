// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --completions: completion scripts for bash, zsh and fish, generated from the table of options.
#include "driver/base/options.h"

#include <string.h>

// The values of an option: "obj asm ..." for "--emit=obj|asm|...", "x86-64-v2 v3 v4" for a list with commas; "": any
// word, or a file.
static const char *completion_words(const OptionInfo *option, char *words, size_t size) {
  const char *value = strchr(option->shown, '=');
  words[0] = '\0';
  if (!value || value[1] < 'a' || value[1] > 'z') // CPU, FILE
    return words;
  snprintf(words, size, "%s", value + 1);
  for (char *at = words; *at; at++)
    if (*at == '|' || *at == ',' || *at == ']')
      *at = *at == ']' ? '\0' : ' ';
  return words;
}

// The spellings of an option; six for "-O0 -O1 ...".
static const char *spellings_of(const OptionInfo *option) {
  return option->value == VALUE_JOINED ? option->shown : option->spelling;
}

static bool takes_file(const OptionInfo *option) { return strstr(option->shown, "FILE") != NULL; }

static bool has_value(const OptionInfo *option) {
  return option->value != VALUE_NONE && option->value != VALUE_JOINED;
}

static void put_commands(FILE *out, const char *between) {
  for (int c = COMMAND_CHECK; c < COMMAND_COUNT; c++)
    fprintf(out, "%s%s", c > COMMAND_CHECK ? between : "", command_name((Command)c));
}

// ---- bash

static void put_bash_options(FILE *out, Command command) {
  OptionInfo option;
  const char *before = "";
  for (int i = 0; option_at(i, &option); i++)
    if (option.commands & 1u << command) {
      bool joins = option.value == VALUE_EQUALS;
      fprintf(out, "%s%s%s", before, spellings_of(&option), joins ? "=" : "");
      before = " ";
    }
}

static void put_bash(FILE *out) {
  char words[256];
  OptionInfo option;
  fputs("# bash completion for reshapec; made by 'reshapec --completions=bash'.\n"
        "_reshapec() {\n"
        "  local cur=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD-1]} options command= "
        "i\n"
        "  if [[ $cur == = ]]; then cur=\n"
        "  elif [[ $option == = ]]; then option=${COMP_WORDS[COMP_CWORD-2]}\n"
        "  elif [[ $option != -o && $option != -MF ]]; then option=\n"
        "  fi\n"
        "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
        "    case ${COMP_WORDS[i]} in ",
        out);
  put_commands(out, "|");
  fputs(") command=${COMP_WORDS[i]}; break ;; esac\n"
        "  done\n"
        "  case $option in\n",
        out);
  for (int i = 0; option_at(i, &option); i++)
    if (has_value(&option) && *completion_words(&option, words, sizeof words))
      fprintf(out, "  %s) COMPREPLY=($(compgen -W '%s' -- \"$cur\")); return ;;\n", option.spelling,
              words);
  fputs("  ?*) COMPREPLY=($(compgen -f -- \"$cur\")); return ;;\n"
        "  esac\n"
        "  case $command in\n",
        out);
  for (int c = COMMAND_CHECK; c < COMMAND_COUNT; c++) {
    fprintf(out, "  %s) options='", command_name((Command)c));
    put_bash_options(out, (Command)c);
    fputs("' ;;\n", out);
  }
  fputs("  *) options='", out);
  put_bash_options(out, COMMAND_COMPILE);
  fputs("' ;;\n"
        "  esac\n"
        "  if [[ $cur == -* ]]; then\n"
        "    COMPREPLY=($(compgen -W \"$options\" -- \"$cur\"))\n"
        "    [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace\n"
        "  elif ((COMP_CWORD == 1)); then\n"
        "    COMPREPLY=($(compgen -W '",
        out);
  put_commands(out, " ");
  fputs("' -- \"$cur\") $(compgen -f -- \"$cur\"))\n"
        "  else\n"
        "    COMPREPLY=($(compgen -f -- \"$cur\"))\n"
        "  fi\n"
        "}\n"
        "complete -o filenames -F _reshapec reshapec\n",
        out);
}

// ---- zsh

// Text between brackets and quotes: "a]b:c'd" is "a\]b\:c'\''d".
static void put_zsh_text(FILE *out, const char *text) {
  for (; *text; text++) {
    if (*text == '\'')
      fputs("'\\'", out);
    else if (strchr("[]:\\", *text))
      fputc('\\', out);
    fputc(*text, out);
  }
}

static void put_zsh_option(FILE *out, const OptionInfo *option, const char *spelling, int length) {
  char words[256];
  fprintf(out, "    '%.*s", length, spelling);
  if (option->value == VALUE_EQUALS || option->value == VALUE_MAYBE)
    fputs(option->value == VALUE_EQUALS ? "=" : "=-", out);
  else if (option->value == VALUE_NEXT)
    fputc('+', out);
  fputc('[', out);
  put_zsh_text(out, option->help);
  fputc(']', out);
  if (has_value(option)) {
    completion_words(option, words, sizeof words);
    fprintf(out, "%svalue:", option->value == VALUE_MAYBE ? "::" : ":");
    if (*words)
      fprintf(out, "(%s)", words);
    else if (takes_file(option))
      fputs("_files", out);
  }
  fputs("' \\\n", out);
}

static void put_zsh_options(FILE *out, Command command) {
  OptionInfo option;
  fputs("  _arguments -S \\\n", out);
  for (int i = 0; option_at(i, &option); i++) {
    if (!(option.commands & 1u << command))
      continue;
    for (const char *at = spellings_of(&option); *at; at += strcspn(at, " "), at += strspn(at, " "))
      put_zsh_option(out, &option, at, (int)strcspn(at, " "));
  }
  fputs("    '*:file:_files' ;;\n", out);
}

static void put_zsh(FILE *out) {
  fputs("#compdef reshapec\n"
        "# zsh completion for reshapec; made by 'reshapec --completions=zsh'.\n"
        "if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then\n"
        "  compadd ",
        out);
  put_commands(out, " ");
  fputs("\n  _files\n  return\nfi\n"
        "case $words[2] in\n",
        out);
  for (int c = COMMAND_CHECK; c < COMMAND_COUNT; c++) {
    fprintf(out, "%s)\n  shift words; (( CURRENT-- ))\n", command_name((Command)c));
    put_zsh_options(out, (Command)c);
  }
  fputs("*)\n", out);
  put_zsh_options(out, COMMAND_COMPILE);
  fputs("esac\n", out);
}

// ---- fish

static void put_fish_text(FILE *out, const char *text) {
  for (; *text; text++) {
    if (*text == '\'' || *text == '\\')
      fputc('\\', out);
    fputc(*text, out);
  }
}

static void put_fish_option(FILE *out, const OptionInfo *option, const char *spelling, int length) {
  char words[256];
  int dashes = strncmp(spelling, "--", 2) == 0 ? 2 : 1;
  const char *kind = dashes == 2 ? "-l" : length == 2 ? "-s" : "-o";
  fprintf(out, " %s %.*s", kind, length - dashes, spelling + dashes);
  if (has_value(option) && option->value != VALUE_MAYBE)
    fputs(takes_file(option) ? " -r" : " -x", out);
  if (has_value(option) && *completion_words(option, words, sizeof words))
    fprintf(out, " -a '%s'", words);
  fputs(" -d '", out);
  put_fish_text(out, option->help);
  fputs("'\n", out);
}

static void put_fish(FILE *out) {
  OptionInfo option;
  fputs("# fish completion for reshapec; made by 'reshapec --completions=fish'.\n"
        "complete -c reshapec -n __fish_is_first_arg -a '",
        out);
  put_commands(out, " ");
  fputs("'\n", out);
  for (int i = 0; option_at(i, &option); i++)
    for (int c = COMMAND_COMPILE; c < COMMAND_COUNT; c++)
      for (const char *at = spellings_of(&option); *at && option.commands & 1u << c;
           at += strcspn(at, " "), at += strspn(at, " ")) {
        fprintf(out, "complete -c reshapec -n '%s__fish_seen_subcommand_from ",
                c == COMMAND_COMPILE ? "not " : "");
        if (c == COMMAND_COMPILE)
          put_commands(out, " ");
        else
          fputs(command_name((Command)c), out);
        fputc('\'', out);
        put_fish_option(out, &option, at, (int)strcspn(at, " "));
      }
}

void print_completions(Shell shell, FILE *out) {
  switch (shell) {
  case SHELL_BASH:
    put_bash(out);
    break;
  case SHELL_ZSH:
    put_zsh(out);
    break;
  case SHELL_FISH:
    put_fish(out);
    break;
  }
}
