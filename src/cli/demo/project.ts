// The project that the demo starts from: a corner shop that knows its products and nothing else yet. Node runs its
// TypeScript as it is, so there is nothing to install.

export const projectFiles: Readonly<Record<string, string>> = {
  'README.md':
    '# Corner shop\n\nPrices are whole cents. `npm test` runs the tests, `npm run lint` looks at the sources.\n',
  'package.json': `{
  "name": "corner-shop",
  "private": true,
  "type": "module",
  "scripts": { "test": "node --test --test-isolation=none", "lint": "node scripts/lint.ts" }
}
`,
  'ralph.toml': `# What Ralph runs, on exactly the files that it would merge.
[checks]
lint = "node scripts/lint.ts"
unit = "node --test --test-isolation=none"

# A second pair of eyes on every change, also on a green one.
[review]
when = "always"

# Plays a file instead of thinking: put a real agent here.
[agents]
default = "scripted"
[agent.scripted]
scenario = "../scenario.json"
`,
  'scripts/lint.ts': `// Every module has tests beside it, and nobody leaves a note to come back later.
import { existsSync, globSync, readFileSync } from 'node:fs'

const modules = globSync('src/*.ts')
const problems = modules.flatMap((path) => [
  ...(path.endsWith('.test.ts') || existsSync(path.replace(/\\.ts$/, '.test.ts')) ? [] : [path + ' has no tests']),
  ...(/\\bTODO\\b/.test(readFileSync(path, 'utf8')) ? [path + ' has a TODO'] : []),
])
for (const problem of problems) console.log(problem)
process.exitCode = problems.length > 0 ? 1 : 0
`,
  'src/product.ts': `export interface Product {
  readonly name: string
  readonly cents: number
}

export const tea: Product = { name: 'Tea', cents: 399 }
export const cup: Product = { name: 'Cup', cents: 1250 }
`,
  'src/product.test.ts': `import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { cup, tea } from './product.ts'

test('prices are whole cents', () => {
  for (const { cents } of [cup, tea]) equal(Number.isInteger(cents), true)
})
`,
}
