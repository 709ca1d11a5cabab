// The package as another project has it: what package.json exports, with types, and the guide's program run as it stands.
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { answers, plannedProject } from '../cli/planned-project.ts'
import { run } from '../cli/ralph.ts'

const ROOT = join(import.meta.dirname, '../..')
const GUIDE = readFileSync(join(ROOT, 'docs/guide/library.md'), 'utf8')
const [, program = '', output = ''] = /^```ts\n(.*?)^```\n```text\n(.*?)^```$/ms.exec(GUIDE) ?? []
const OPTIONS = {
  module: 'NodeNext',
  target: 'ES2023',
  strict: true,
  noEmit: true,
  types: ['node'],
  skipLibCheck: false,
  // The types of Node are not ours to judge, and are found where they are linked from.
  preserveSymlinks: true,
}

beforeAll(() => {
  const ended = run(process.execPath, [join(ROOT, 'scripts/types.ts')], {
    folder: ROOT,
    env: { PATH: process.env['PATH'] ?? '' },
  })
  if (ended.code !== 0) throw new Error(`the types cannot be made: ${ended.stdout}${ended.stderr}`)
})

it('the guide has a program that compiles and does what it says', () => {
  const made = plannedProject(answers())
  const app = join(made.root, 'app')
  mkdirSync(join(app, 'node_modules/ralph-runtime'), { recursive: true })
  for (const part of ['package.json', 'dist', 'bin', 'plugin'])
    symlinkSync(join(ROOT, part), join(app, 'node_modules/ralph-runtime', part))
  for (const part of ['@types', 'undici-types'])
    symlinkSync(join(ROOT, 'node_modules', part), join(app, 'node_modules', part))
  writeFileSync(join(app, 'package.json'), '{"type":"module"}\n')
  writeFileSync(join(app, 'app.ts'), program)
  writeFileSync(join(app, 'tsconfig.json'), JSON.stringify({ compilerOptions: OPTIONS, files: ['app.ts'] }))
  const how = { folder: made.folder, env: made.env }
  const compiled = run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', app], how)
  expect([compiled.code, compiled.stdout, compiled.stderr]).toEqual([0, '', ''])
  const ended = run(process.execPath, [join(app, 'app.ts')], how)
  expect([ended.code, ended.stderr, ended.stdout]).toEqual([0, '', output])
  expect(made.git('log', '--format=%s', '-1', 'main')).toBe('feat: Add three\n')
})

it('exports the same names as the source', async () => {
  const built = (await import(join(ROOT, 'dist/index.js'))) as object
  expect(Object.keys(built).toSorted()).toEqual(Object.keys(await import('../../src/index.ts')).toSorted())
})
