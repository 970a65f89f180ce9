;;; rsh-mode.el --- Texts of reshapec -*- lexical-binding: t; -*-
;; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

;; Version: 0.1.0
;; Package-Requires: ((emacs "27.1"))
;; Keywords: languages

;;; Commentary:
;; Colors and indents .rsh files; M-x eglot starts the language server, `reshapec lsp'.

;;; Code:

(defgroup rsh nil "Texts of reshapec." :group 'languages)

(defcustom rsh-server '("reshapec" "lsp")
  "The language server, with its options."
  :type '(repeat string))

(defconst rsh-types
  '("i2" "i4" "i8" "i16" "i32" "i64" "u1" "u2" "u4" "u8" "u16" "u32" "u64" "f16" "bf16" "f32" "f64"
    "f8e4m3fn" "f8e4m3fnuz" "f8e5m2" "f8e5m2fnuz" "f8e8m0" "f4e2m1" "bool" "c64" "c128" "string"))

(defconst rsh-constants '("true" "false" "True" "False" "None" "inf" "nan" "newaxis"))

(defconst rsh-font-lock-keywords
  `(("\\_<\\(graph\\)\\_>\\(?:[ \t]+\\([A-Za-z_][A-Za-z_0-9]*\\)\\)?"
     (1 font-lock-keyword-face) (2 font-lock-function-name-face nil t))
    ("\\_<where\\_>" . font-lock-keyword-face)
    ("\\_<in\\_>[ \t]*\\[" (0 font-lock-keyword-face))
    ("\\_<import\\_>[ \t]*\"" (0 font-lock-preprocessor-face))
    ("\\_<\\(for\\)[ \t]+[A-Za-z_][A-Za-z_0-9]*[ \t]+\\(in\\)\\_>" (1 font-lock-keyword-face) (2 font-lock-keyword-face))
    ("\\_<\\(view\\|inplace\\)\\_>[ \t]+[A-Za-z_]" (1 font-lock-keyword-face))
    ("[]A-Za-z0-9_\"][ \t]+\\(lod\\|placed\\|layout\\|strides\\|align\\)\\_>" (1 font-lock-keyword-face))
    ("\\_<[A-Za-z_][A-Za-z_0-9]*\\(?:\\.[A-Za-z_][A-Za-z_0-9]*\\)*[ \t]*("
     (0 font-lock-function-name-face))
    (,(regexp-opt rsh-types 'symbols) . font-lock-type-face)
    (,(regexp-opt rsh-constants 'symbols) . font-lock-constant-face)
    ("\\_<\\([A-Za-z_][A-Za-z_0-9]*\\)[ \t]*:" (1 font-lock-variable-name-face))))

(defvar rsh-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?# "<" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?_ "_" table)
    (modify-syntax-entry ?. "." table)
    (modify-syntax-entry ?' "." table)
    (dolist (sign '(?+ ?- ?* ?/ ?% ?& ?| ?^ ?~ ?< ?> ?=))
      (modify-syntax-entry sign "." table))
    table))

(defun rsh-indent-line ()
  "Indent by four columns for each open bracket.
A line that begins with |> goes one step further."
  (interactive)
  (let* ((depth (save-excursion
                  (back-to-indentation)
                  (- (car (syntax-ppss)) (if (looking-at "[])}]") 1 0) (if (looking-at "|>") -1 0))))
         (column (* 4 (max depth 0))))
    (if (<= (current-column) (current-indentation))
        (indent-line-to column)
      (save-excursion (indent-line-to column)))))

;;;###autoload
(define-derived-mode rsh-mode prog-mode "rsh"
  "Texts of reshapec, a compiler of reshape and layout operators."
  (setq-local comment-start "# ")
  (setq-local comment-start-skip "#+[ \t]*")
  (setq-local indent-tabs-mode nil)
  (setq-local fill-column 120)
  (setq-local indent-line-function #'rsh-indent-line)
  (setq-local font-lock-defaults '(rsh-font-lock-keywords)))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.rsh\\'" . rsh-mode))

(defvar eglot-server-programs)
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs (cons 'rsh-mode (lambda (&rest _) rsh-server))))

(provide 'rsh-mode)
;;; rsh-mode.el ends here
