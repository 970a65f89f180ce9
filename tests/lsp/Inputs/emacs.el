;; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;; The mode for Emacs on a text: what it is called, colors and indentation.
(load (expand-file-name "editors/emacs/rsh-mode.el" (getenv "ROOT")) nil t)
(setq enable-local-variables nil)

(defun say (format &rest arguments) (princ (concat (apply #'format format arguments) "\n")))

(find-file "demo.rsh")
(say "mode %s" major-mode)
(font-lock-ensure)
(dolist (word '("graph" "g(" "x:" "u8" "align" "view" "where" "größe" "transpos(" "f32" "flatten"))
  (goto-char (point-min))
  (search-forward word)
  (say "color %s %s" word (get-text-property (match-beginning 0) 'face)))

(let ((text (buffer-string)))
  (goto-char (point-min))
  (while (re-search-forward "^ +" nil t)
    (replace-match ""))
  (indent-region (point-min) (point-max))
  (say "indentation %s" (if (string= text (buffer-string)) "the same" (buffer-string))))

(with-temp-buffer
  (rsh-mode)
  (insert "graph g(\nx: u8[\n2]\n) -> y {\ny = x\n|> transpose([\n0])\n}\n")
  (indent-region (point-min) (point-max))
  (say "%s" (buffer-string)))

;; The server is the one that eglot starts: of eglot only its table is needed.
(with-temp-file "eglot.el" (insert "(defvar eglot-server-programs nil) (provide 'eglot)"))
(load (expand-file-name "eglot.el") nil t)
(say "server %s" (funcall (cdr (assq 'rsh-mode eglot-server-programs))))
