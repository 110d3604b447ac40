// Formulas stand in the pages as TeX between $ signs, as code hosts show them too; KaTeX sets them.
renderMathInElement(document.body, {
  delimiters: [
    { left: "\\(", right: "\\)", display: false },
    { left: "\\[", right: "\\]", display: true },
  ],
});
