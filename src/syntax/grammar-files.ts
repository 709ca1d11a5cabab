// Where the grammars are: in the packages that ship them while the program runs from its source, and in `dist/grammars`
// where it is bundled.
import type { Language } from '../core/syntax/syntax-tree.ts'

/** The parser itself, compiled like the grammars. */
export const PARSER_FILE = 'web-tree-sitter/web-tree-sitter.wasm'

export const GRAMMAR_FILES: Readonly<Record<Language, string>> = {
  javascript: '@vscode/tree-sitter-wasm/wasm/tree-sitter-javascript.wasm',
  typescript: '@vscode/tree-sitter-wasm/wasm/tree-sitter-typescript.wasm',
  tsx: '@vscode/tree-sitter-wasm/wasm/tree-sitter-tsx.wasm',
  python: '@vscode/tree-sitter-wasm/wasm/tree-sitter-python.wasm',
  go: '@vscode/tree-sitter-wasm/wasm/tree-sitter-go.wasm',
  rust: '@vscode/tree-sitter-wasm/wasm/tree-sitter-rust.wasm',
  java: '@vscode/tree-sitter-wasm/wasm/tree-sitter-java.wasm',
  ruby: '@vscode/tree-sitter-wasm/wasm/tree-sitter-ruby.wasm',
  c: 'tree-sitter-c/tree-sitter-c.wasm',
}
