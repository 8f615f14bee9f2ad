import js from "@eslint/js";
import globals from "globals";

export default [
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2023, sourceType: "module", globals: globals.browser },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: { complexity: ["error", 15], "max-len": ["error", { code: 120 }] },
  },
  {
    files: ["**/offline/worker.js"], // the server writes these two before it: companion/web/offline.py
    languageOptions: { globals: { ...globals.serviceworker, KEPT: "readonly", VERSION: "readonly" } },
  },
];
