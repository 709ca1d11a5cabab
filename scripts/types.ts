// Writes the type declarations of the library: those of src/index.ts and of everything it imports.
import { execFileSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, normalize } from 'node:path'
import { contractTypes } from './contract-types.ts'

const OUT = 'dist/types'
const made = mkdtempSync(join(tmpdir(), 'ralph-types-'))
try {
  const compiler = join(import.meta.dirname, '../node_modules/.bin/tsc')
  execFileSync(compiler, ['-p', 'tsconfig.library.json', '--outDir', made], { stdio: 'inherit' })
  const found = new Set(globSync('**/*.d.ts', { cwd: made }))
  const wanted = new Set(['index.d.ts'])
  const read = (file: string): string =>
    file === 'operations/contract/contract.d.ts' ? contractTypes() : readFileSync(join(made, file), 'utf8')
  for (const file of wanted) {
    const text = read(file).replaceAll(
      /((?:from |import\()['"])(\.{1,2}\/[^'"]+)\.ts(['"])/g,
      (_, before: string, path: string, after: string) => {
        const target = normalize(join(dirname(file), `${path}.d.ts`))
        if (!found.has(target)) throw new Error(`${file} leads to ${target}, which is not there`)
        wanted.add(target)
        // Every compiler accepts this name, also without an option for `.ts`.
        return `${before}${path}.js${after}`
      },
    )
    await mkdir(dirname(join(OUT, file)), { recursive: true })
    await writeFile(join(OUT, file), text)
  }
} finally {
  rmSync(made, { recursive: true, force: true })
}
