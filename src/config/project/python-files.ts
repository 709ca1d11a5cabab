// What a Python project's files say about its tools. It looks for headers and names only, so it needs no parser.
import type { ProjectFiles } from './project-files.ts'

export type PythonTool = 'pytest' | 'ruff' | 'mypy'

export interface PythonFiles {
  readonly pyproject: string
  readonly setupCfg: string
  readonly toxIni: string
  /** The existing ones, with their text. */
  readonly requirements: readonly { readonly name: string; readonly text: string }[]
}

const requirementNames = [
  'requirements.txt',
  'requirements-dev.txt',
  'requirements_dev.txt',
  'dev-requirements.txt',
  'requirements-test.txt',
  'test-requirements.txt',
]

export async function readPythonFiles(files: ProjectFiles): Promise<PythonFiles> {
  const texts = await Promise.all(requirementNames.map((name) => files.text(name)))
  return {
    pyproject: (await files.text('pyproject.toml')) ?? '',
    setupCfg: (await files.text('setup.cfg')) ?? '',
    toxIni: (await files.text('tox.ini')) ?? '',
    requirements: requirementNames.flatMap((name, index) => {
      const text = texts[index] ?? null
      return text === null ? [] : [{ name, text }]
    }),
  }
}

/** The text between the header `[section]` and the next header; null where there is none. */
export function section(text: string, name: string): string | null {
  const [, ...rest] = text.split(new RegExp(`^\\s*\\[${name.replaceAll('.', '\\.')}\\]\\s*(?:[#;].*)?$`, 'm'))
  return rest[0]?.split(/^\s*\[(?=[A-Za-z])[^=]*\]\s*$/m)[0] ?? null
}

/** `[tool.ruff]`, `[tool.ruff.lint]`, … */
export function hasToolTable(pyproject: string, tool: string): boolean {
  return new RegExp(`^\\s*\\[\\[?tool\\.${tool}[.\\]]`, 'm').test(pyproject)
}

/** The file that lists the tool as a dependency; null where none does. */
export function declaredIn({ pyproject, requirements }: PythonFiles, tool: PythonTool): string | null {
  const required = requirements.find(({ text }) => new RegExp(`^${tool}\\b(?!-)`, 'm').test(text))
  if (required !== undefined) return required.name
  // "pytest>=8" in a list, or pytest = "^8" in a table of Poetry.
  const item = new RegExp(`["']${tool}\\s*(?:["'[<>=~!;@])|^${tool}\\s*=`, 'm')
  return item.test(pyproject) ? 'pyproject.toml' : null
}
