// The plugin's hooks as Claude Code runs them: real processes, a real store.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Ended, RALPH, scratch, type Scratch } from '../rig/scratch.ts'
import { HANG_MS } from '../rig/hang.ts'

const PLUGIN = join(import.meta.dirname, '../../plugin')
const SESSION = '0f8b7a52-1111-4222-8333-444455556666'
const EXITED = 'session exited without completing task'
const FULL = 'the context of the session was full before the task was done; make the task smaller'

interface HookFile {
  readonly hooks: Readonly<Record<string, readonly { hooks: readonly { command: string; timeout: number }[] }[]>>
}

const { hooks } = JSON.parse(readFileSync(join(PLUGIN, 'hooks/hooks.json'), 'utf8')) as HookFile

/** Runs the plugin's command for an event in a shell, as Claude Code does. */
function fire(made: Scratch, event: 'SessionEnd' | 'PreCompact', env: Record<string, string> = {}): Ended {
  const command = hooks[event]?.[0]?.hooks[0]?.command ?? ''
  const { PATH } = env
  const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', command], {
    cwd: made.root,
    encoding: 'utf8',
    input: JSON.stringify({ session_id: SESSION, cwd: made.folder, hook_event_name: event }),
    env: {
      ...made.env,
      CLAUDE_PLUGIN_ROOT: PLUGIN,
      CLAUDE_PROJECT_DIR: made.folder,
      PATH: PATH ?? withRalph(made).PATH,
      ...env,
    },
    timeout: HANG_MS,
  })
  return { code: status, stdout, stderr }
}

/** A PATH in which `ralph` is this very program, or the given script. */
function withRalph(made: Scratch, script = `exec "${process.execPath}" "${RALPH}" "$@"`): { PATH: string } {
  const bin = join(made.root, 'bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, 'ralph'), `#!/bin/sh\n${script}\n`)
  chmodSync(join(bin, 'ralph'), 0o755)
  return { PATH: `${bin}:/usr/bin:/bin` }
}

const quiet = { code: 0, stdout: '', stderr: '' }
const standing = (made: Scratch, id: string) => {
  const { status, assignee, retry_count, fail_reason } = JSON.parse(made.ok('show', id, '--json')) as Record<
    string,
    unknown
  >
  return { status, assignee, retry_count, fail_reason }
}
const released = (fail_reason: string) => ({ status: 'open', assignee: null, retry_count: 1, fail_reason })

describe('the hooks', () => {
  it('are bounded by Claude Code as well', () => {
    const timeouts = Object.values(hooks).flatMap((groups) =>
      groups.flatMap((group) => group.hooks.map((h) => h.timeout)),
    )
    expect([Object.keys(hooks), timeouts]).toEqual([
      ['SessionEnd', 'PreCompact'],
      [10, 10],
    ])
  })

  it.each([
    ['by the name it was given', 'mine', { RALPH_AGENT_ID: 'mine' }],
    ['by the id in the environment', 'claude-abc', { CLAUDE_CODE_SESSION_ID: 'abc' }],
    ['by the id on stdin', `claude-${SESSION}`, {}],
  ])('SessionEnd gives back what the session holds, known %s, and nothing else', (_, agent, env) => {
    const made = scratch()
    for (const id of ['--one', 'two', 'other', 'open']) made.ok('create', '--', id, 'A title with id: two in it')
    made.ok('claim', '--agent', agent, '--', '--one')
    made.ok('claim', 'two', '--agent', agent)
    made.ok('claim', 'other', '--agent', 'somebody')
    expect(fire(made, 'SessionEnd', env)).toEqual(quiet)
    expect(standing(made, 'two')).toEqual(released(EXITED))
    expect(JSON.parse(made.ok('show', '--json', '--', '--one'))).toMatchObject(released(EXITED))
    expect(standing(made, 'other')).toMatchObject({ status: 'active', assignee: 'somebody' })
    expect(fire(made, 'SessionEnd', env)).toEqual(quiet)
    expect(standing(made, 'two')).toEqual(released(EXITED))
  })

  it('SessionEnd leaves alone what is done', () => {
    const made = scratch()
    made.ok('create', 'one', 'One')
    made.ok('claim', 'one', '--agent', 'mine')
    made.ok('done', 'one', '--agent', 'mine')
    expect(fire(made, 'SessionEnd', { RALPH_AGENT_ID: 'mine' })).toEqual(quiet)
    expect(standing(made, 'one')).toMatchObject({ status: 'done' })
  })

  it('PreCompact gives the task back, keeps a person from compacting once, and says why', () => {
    const made = scratch()
    made.ok('create', 'one', 'One')
    made.ok('claim', 'one', '--agent', 'mine')
    const env = { RALPH_AGENT_ID: 'mine' }
    expect(fire(made, 'PreCompact', env)).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^Ralph has given back one, .*\/ralph-build.*\n$/),
    })
    expect(standing(made, 'one')).toEqual(released(FULL))
    expect(fire(made, 'PreCompact', env)).toEqual(quiet)
  })

  it('PreCompact ends a session of a loop', () => {
    const made = scratch()
    // What the loop would answer for: one task at first, then none.
    const fake = `case "$2" in list) printf 'ID  P\\none 2\\n' ;; fail) echo "$*" >> ${JSON.stringify(join(made.root, 'said'))} ;; esac`
    const path = withRalph(made, fake)
    const script = `sleep 30 & export CLAUDE_PID=$!; sh ${JSON.stringify(join(PLUGIN, 'hooks/ralph-release.sh'))} pre-compact; echo $?; wait $CLAUDE_PID; echo $?`
    const env = { ...made.env, ...path, CLAUDE_PROJECT_DIR: made.folder, RALPH_AGENT_ID: 'mine', RALPH_SOCKET: '/x' }
    const { stdout } = spawnSync('/bin/sh', ['-c', script], { encoding: 'utf8', env, timeout: HANG_MS })
    expect(stdout).toBe('0\n143\n')
    expect(readFileSync(join(made.root, 'said'), 'utf8')).toBe(`task fail --agent mine --reason ${FULL} -- one\n`)
  })

  it.each<[string, (made: Scratch) => Record<string, string>]>([
    ['Ralph', () => ({ PATH: '/usr/bin:/bin' })],
    ['the folder', (made) => ({ CLAUDE_PROJECT_DIR: join(made.root, 'gone') })],
    ['a repository', (made) => ({ CLAUDE_PROJECT_DIR: made.root })],
    [
      'a usable store',
      (made) => {
        mkdirSync(join(made.folder, '.git/ralph'))
        symlinkSync('/dev/null', join(made.folder, '.git/ralph/ralph.db'))
        return {}
      },
    ],
    ['an engine that answers', () => ({ RALPH_SOCKET: '/nowhere/to/be/found' })],
    ['a Ralph that works', (made) => withRalph(made, 'echo no; exit 3')],
  ])('are content without %s', (_, prepare) => {
    const made = scratch()
    const env = prepare(made)
    for (const event of ['SessionEnd', 'PreCompact'] as const) expect(fire(made, event, env)).toEqual(quiet)
  })

  it('do not wait for a Ralph that hangs, and leave nothing behind', () => {
    const made = scratch()
    const mark = join(made.root, 'ended')
    const path = withRalph(
      made,
      `trap 'echo stopped > ${JSON.stringify(mark)}; exit 1' TERM\nwhile :; do sleep 1; done`,
    )
    expect(fire(made, 'SessionEnd', path)).toEqual(quiet)
    expect(readFileSync(mark, 'utf8')).toBe('stopped\n')
  })
})
