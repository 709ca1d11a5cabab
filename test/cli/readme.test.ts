// Every command of the README is run. The two set-up commands are what CI runs (`npm test`) and what `npm start` runs.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { RALPH, run, scratch } from './ralph.ts'

const root = join(import.meta.dirname, '../..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const blocks = [...readme.matchAll(/^```sh\n(.*?)^```/gms)].map((match) => match[1] ?? '')
const scripts = (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> })
  .scripts

describe('README.md', () => {
  it('sets up with exactly two commands, which are scripts of this package', () => {
    expect(blocks.filter((block) => block.startsWith('npm '))).toEqual([
      'npm install && npm start\n',
      'npm install && npm test\n',
    ])
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(['start', 'test', 'check', 'bench']))
  })

  it('shows commands that work, in order, in one repository', () => {
    const made = scratch()
    const bin = join(made.root, 'bin')
    mkdirSync(bin)
    writeFileSync(join(bin, 'ralph'), `#!/bin/sh\nexec '${process.execPath}' '${RALPH}' "$@"\n`)
    // What a user of the README has: an agent that is installed and logged in, and a project with tests.
    writeFileSync(join(bin, 'claude'), '#!/bin/sh\necho 1.0\n')
    for (const program of ['ralph', 'claude']) chmodSync(join(bin, program), 0o755)
    writeFileSync(join(made.folder, 'package.json'), '{"scripts":{"test":"node --test"}}')
    const commands = blocks.filter((block) => !block.startsWith('npm ')).join('')
    const env = { ...made.env, PATH: `${bin}:${made.env['PATH']}`, ANTHROPIC_API_KEY: 'k' }
    const { code, stdout, stderr } = run('bash', ['-euc', commands], { folder: made.folder, env })
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('Wrote') })
    expect(stdout).toContain('1 open, 0 active, 1 done, 0 blocked, 0 deleted')
    expect(stdout).toContain('Ready.')
  })

  it('runs the tour of the task store to its end', () => {
    const { status, stdout } = spawnSync(process.execPath, [join(root, 'examples/task-tour.ts')], { encoding: 'utf8' })
    expect(status).toBe(0)
    expect(stdout).toContain('$ ralph task plan-status')
  })
})
