// Reads source code with tree-sitter, compiled to WebAssembly. The parser is loaded with the first file, and each
// grammar with the first file of its language.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import type * as TreeSitter from 'web-tree-sitter'
import { languageOf } from '../core/syntax/languages.ts'
import type { Language, Source } from '../core/syntax/syntax-tree.ts'
import { GRAMMAR_FILES, PARSER_FILE } from './grammar-files.ts'
import { plainTree } from './plain-tree.ts'
import type { Syntax } from './syntax.ts'

/** Longer files are data or generated. */
const TEXT_MAX = 512 * 1024
/** No file that people write takes longer; the text of an agent may. */
const PARSE_MS_MAX = 5_000

export function openSyntax(): Syntax {
  let library: Promise<typeof TreeSitter> | null = null
  const parsers = new Map<Language, Promise<TreeSitter.Parser>>()

  const parserOf = async (language: Language): Promise<TreeSitter.Parser> => {
    const { Parser, Language: Grammar } = await (library ??= load())
    const parser = new Parser()
    parser.setLanguage(await Grammar.load(await readFile(grammarFile(GRAMMAR_FILES[language]))))
    return parser
  }

  return {
    async read(path, text): Promise<Source | null> {
      const language = languageOf(path)
      if (language === null || text.length > TEXT_MAX) return null
      let parser = parsers.get(language)
      if (parser === undefined) {
        parser = parserOf(language)
        parsers.set(language, parser)
      }
      return parse(await parser, path, language, text)
    },
  }
}

function parse(parser: TreeSitter.Parser, path: string, language: Language, text: string): Source | null {
  const started = performance.now()
  const isTooSlow = (): boolean => performance.now() - started > PARSE_MS_MAX
  const tree = parser.parse(text, null, { progressCallback: isTooSlow })
  if (tree === null) {
    parser.reset()
    return null
  }
  try {
    const root = tree.rootNode.hasError ? null : plainTree(tree)
    return root === null ? null : { path, language, text, root }
  } finally {
    tree.delete()
  }
}

async function load(): Promise<typeof TreeSitter> {
  const [library, wasmBinary] = await Promise.all([import('web-tree-sitter'), readFile(grammarFile(PARSER_FILE))])
  await library.Parser.init({ wasmBinary })
  return library
}

/** `dist/grammars` as seen from `dist` and from the folders in it; in a checkout the package's own file. */
function grammarFile(file: string): string {
  const bundled = ['grammars', '../grammars'].map((folder) => join(import.meta.dirname, folder, basename(file)))
  return bundled.find((path) => existsSync(path)) ?? createRequire(import.meta.url).resolve(file)
}
