// The package as another project installs it: packed and with types. The programs of the guide and of examples/ run
// unchanged.
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { publint } from 'publint'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PIPELINE_PHASES } from '../../src/index.ts'
import { run, type Scratch, sharedScratch } from '../rig/scratch.ts'
import { served } from '../http/served.ts'
import { project } from '../rig/project.ts'
import { steady } from '../rig/story.ts'
import { answers } from '../rig/sessions.ts'

const ROOT = join(import.meta.dirname, '../..')
const GUIDE = readFileSync(join(ROOT, 'docs/guide/library.md'), 'utf8')
const shown = [...GUIDE.matchAll(/^```ts\n(.*?)^```\n```text\n(.*?)^```$/gms)].map(([, program = '', output = '']) => ({
  program,
  output,
}))
const EXAMPLES = ['idea-in-process.ts', 'build-in-process.ts', 'idea-over-http.ts']
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

let scratch: Scratch
let app: string

const succeed = (command: string, args: readonly string[], folder: string): string => {
  const { code, stdout, stderr } = run(command, args, { folder, env: { PATH: process.env['PATH'] ?? '' } })
  if (code !== 0) throw new Error(`${command} ${args.join(' ')}: ${stdout}${stderr}`)
  return stdout
}

/** Without the comment that says what it is. */
const programOf = (example: string): string => readFileSync(join(app, example), 'utf8').split('\n').slice(2).join('\n')

/** A project that has installed what `npm pack` makes. */
beforeAll(() => {
  succeed(process.execPath, [join(ROOT, 'scripts/types.ts')], ROOT)
  scratch = sharedScratch()
  app = join(scratch.root, 'app')
  const installed = join(app, 'node_modules/ralph-runtime')
  mkdirSync(installed, { recursive: true })
  const env = { PATH: process.env['PATH'] ?? '', HOME: scratch.root }
  const packed = run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', scratch.root], {
    folder: ROOT,
    env,
  })
  succeed('tar', ['-xzf', join(scratch.root, packed.stdout.trim()), '--strip-components=1', '-C', installed], ROOT)
  for (const part of ['@types', 'undici-types'])
    symlinkSync(join(ROOT, 'node_modules', part), join(app, 'node_modules', part))
  writeFileSync(join(app, 'package.json'), '{"type":"module"}\n')
  for (const example of EXAMPLES) cpSync(join(ROOT, 'examples', example), join(app, example))
  writeFileSync(join(app, 'tsconfig.json'), JSON.stringify({ compilerOptions: OPTIONS, files: EXAMPLES }))
})

afterAll(() => scratch.remove())

describe('the package', () => {
  it('is in order', async () => {
    const { messages } = await publint({ pkgDir: ROOT, pack: false, strict: true })
    expect(messages).toEqual([])
  })

  it('has types with which programs compile', () => {
    const { code, stdout, stderr } = run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', app], scratch)
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  it('exports the same names as the source', async () => {
    const built = (await import(join(ROOT, 'dist/index.js'))) as object
    expect(Object.keys(built).toSorted()).toEqual(Object.keys(await import('../../src/index.ts')).toSorted())
  })
})

describe('programs that use it', () => {
  it('an idea in one process, as the guide shows it', () => {
    const made = project({ tasks: 'planned', script: [answers()] })
    expect(programOf('idea-in-process.ts')).toBe(shown[0]?.program)
    const ended = run(process.execPath, [join(app, 'idea-in-process.ts')], made)
    expect({ code: ended.code, stderr: ended.stderr, stdout: ended.stdout }).toEqual({
      code: 0,
      stderr: '',
      stdout: shown[0]?.output,
    })
    expect(made.git('log', '--format=%s', '-1', 'main')).toBe('feat: Add three\n')
  })

  it('a build by the functions of the HTTP API, as the guide shows it', () => {
    const made = project({ tasks: 'planned' })
    expect(programOf('build-in-process.ts')).toBe(shown[1]?.program)
    const ended = run(process.execPath, [join(app, 'build-in-process.ts')], made)
    expect({ code: ended.code, stderr: ended.stderr, stdout: steady(ended.stdout) }).toEqual({
      code: 0,
      stderr: '',
      stdout: steady(shown[1]?.output ?? ''),
    })
    expect(made.git('log', '--format=%s', '-1', 'main')).toBe('feat: Add two\n')
  })

  it('an idea over HTTP', async () => {
    const made = project({ tasks: 'planned', script: [answers()] })
    const { address, token } = await served(made)
    const env = { ...made.env, RALPH_URL: address, RALPH_TOKEN: token }
    const ended = run(process.execPath, [join(app, 'idea-over-http.ts')], { folder: made.folder, env })
    expect(ended.stderr).toBe('')
    const told = ended.stdout.trim().split('\n')
    // The feed leaves out states that end before the reader asks again.
    expect(PIPELINE_PHASES.filter((phase) => told.includes(phase))).toEqual(told)
    expect([told.includes('spec_ready'), told.at(-1)]).toEqual([true, 'deployed'])
    expect(made.git('log', '--format=%s', '-1', 'main')).toBe('feat: Add three\n')
  })
})
