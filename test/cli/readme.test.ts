// Every command of the README is run. `npm test` is what CI runs; what `npm start` runs is in test/scenarios/demo.test.ts.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { RALPH, run, scratch } from '../rig/scratch.ts'

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
    const program = (name: string, text: string) => {
      writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`)
      chmodSync(join(bin, name), 0o755)
    }
    mkdirSync(bin)
    program('ralph', `exec '${process.execPath}' '${RALPH}' "$@"`)
    // What a user of the README has: an agent that is installed and logged in, and a project with tests.
    program('claude', `if [ "$1" = auth ]; then echo '{"loggedIn":true}'; else echo 2.1.325; fi`)
    const plan = {
      tasks: [
        { id: 'login', title: 'Log in with a password', goal: 'x', acceptance: ['y'] },
        { id: 'docs', title: 'Describe the login', goal: 'x', acceptance: ['y'], depends_on: ['login'] },
      ],
    }
    program(
      'my-agent',
      `if grep -q "^ID: " "$2"; then date +%N >> work.txt; echo TASK_COMPLETE; else echo '${JSON.stringify(plan)}'; fi`,
    )
    writeFileSync(join(made.folder, 'package.json'), '{"type":"module","scripts":{"test":"node --test"}}')
    writeFileSync(join(made.folder, 'a.test.js'), "import { test } from 'node:test'\ntest('works', () => {})\n")
    made.git('add', '-A')
    made.git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '-qm', 'start')
    const [setUp = '', work = ''] = blocks.filter((block) => !block.startsWith('npm '))
    const settings = /^```toml\n(.*?)^```/ms.exec(readme)?.[1] ?? ''
    const script = `${setUp}cat > ralph.toml <<'END'\n${settings}END\n${work}`
    const env = { ...made.env, PATH: `${bin}:${made.env['PATH']}`, ANTHROPIC_API_KEY: 'k' }
    const { code, stdout } = run('bash', ['-euc', script], { folder: made.folder, env })
    expect(code).toBe(0)
    expect(stdout).toContain('Ready.')
    expect(stdout).toContain('All tasks are complete.')
    expect(made.git('log', '--format=%s', '--all', '--grep=Task ID').trim().split('\n').toSorted()).toEqual([
      'feat: Describe the login',
      'feat: Log in with a password',
    ])
  })

  it('runs the tour of the task store to its end', () => {
    const { status, stdout } = spawnSync(process.execPath, [join(root, 'examples/task-tour.ts')], { encoding: 'utf8' })
    expect(status).toBe(0)
    expect(stdout).toContain('$ ralph task plan-status')
  })
})
