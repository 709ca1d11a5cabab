import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { printed, RALPH, run, type Scratch, scratch, sharedScratch } from '../rig/scratch.ts'

const TASKS = 4_000
let standing: Scratch
beforeAll(() => {
  standing = sharedScratch()
  standing.plan(...Array.from({ length: TASKS }, (_, n) => ({ id: `t${n}`, t: `Task ${n} ${'x'.repeat(100)}` })))
  return standing.remove
})

/** Runs a line of bash with `ralph` in it. */
function bash(line: string, folder = standing.folder) {
  const ralph = `ralph() { '${process.execPath}' '${RALPH}' "$@"; }`
  return run('bash', ['-c', `${ralph}; ${line}`], { folder, env: standing.env })
}

describe('a reader that leaves', () => {
  it.each(['list', 'peek -n 4000', 'list --json', 'list --markdown'])('ends %s quietly', (words) => {
    const { stdout, ...end } = bash(`ralph task ${words} | head -c 20; exit \${PIPESTATUS[0]}`)
    expect(end).toEqual({ code: 0, stderr: '' })
    expect(stdout).toHaveLength(20)
  })

  it('does not turn a refusal into a success', () => {
    const { stderr, ...end } = bash(
      'ralph task show nope 2> >(exec true); echo $?; ralph task show nope --json | true; echo ${PIPESTATUS[0]}',
    )
    expect(end).toEqual({ code: 0, stdout: '2\n2\n' })
    expect(stderr).toBe("Error: task 'nope' not found\n")
  })
})

it('a reader that is slow gets all of it', async () => {
  const { folder, env } = standing
  const child = spawn(process.execPath, [RALPH, 'task', 'list'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for await (const part of child.stdout) {
    text += String(part)
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  if (child.exitCode === null) await once(child, 'exit')
  expect({ code: child.exitCode, lines: text.split('\n').length }).toEqual({ code: 0, lines: TASKS + 2 })
})

it('a plan that comes slowly, on a pipe that does not block, is read to its end', () => {
  // Node makes its stdin non-blocking, and only SIGKILL leaves it so for the next reader.
  const unblock = 'process.stdin.resume(); setTimeout(() => process.kill(process.pid, "SIGKILL"), 20)'
  const line = (id: string) => `echo '{"id": "${id}", "t": "T"}'`
  const { folder, ok } = scratch()
  const { stdout } = bash(
    `{ sleep 0.3; ${line('a')}; sleep 0.1; ${line('b')}; } | { '${process.execPath}' -e '${unblock}'; ralph task plan-sync; }`,
    folder,
  )
  expect(stdout).toBe('inserted: 2, updated: 0, deleted: 0, skipped (done): 0\n')
  expect(ok('plan-status')).toBe('2 open, 0 active, 0 done, 0 blocked, 0 deleted\n')
})

it('a full disk under stdout is an error in one sentence', ({ skip }) => {
  if (process.platform !== 'linux') skip('there is no /dev/full')
  for (const words of ['list', 'list --json', 'show nope --json'])
    expect(bash(`ralph task ${words} > /dev/full`)).toEqual({
      code: words.startsWith('show') ? 2 : 1,
      stdout: '',
      stderr: words.startsWith('show')
        ? "Error: task 'nope' not found\n"
        : 'Error: cannot write the answer to stdout: ENOSPC: no space left on device, write\n',
    })
})

it('a folder that is gone is an error in one sentence', () => {
  const gone = join(standing.root, 'gone')
  mkdirSync(gone)
  const { code, stderr } = bash(`cd '${gone}' && rmdir '${gone}' && ralph task list`)
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: 'Error: cannot read the current folder: it is gone; go to one that exists\n',
  })
  expect(() => rmdirSync(gone)).toThrow('ENOENT')
})

it('no stack trace without --debug, and the answer stays the same with it', () => {
  const plain = standing.task('show', 'nope')
  const debugged = standing.task('show', 'nope', '--debug')
  expect(plain.stderr).toBe("Error: task 'nope' not found\n")
  expect(debugged.stderr).toMatch(/^Error: task 'nope' not found\nRalphError: task 'nope' not found\n {4}at /)
  expect({ ...debugged, stderr: '' }).toEqual({ ...plain, stderr: '' })
  expect(standing.task('show', 't0', '--debug')).toEqual(printed(standing.ok('show', 't0')))
})
