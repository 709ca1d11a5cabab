import { hostname } from 'node:os'
import { describe, expect, it } from 'vitest'
import { inProcess } from '../rig/in-process.ts'
import { printed, refused, run, scratch, timeless } from '../rig/scratch.ts'

const GONE_PID = 2_147_483_647

describe('ralph task agent', () => {
  it('gives out ids of four hexadecimal digits, each once', async () => {
    const { ok } = inProcess()
    const ids: string[] = []
    for (let times = 0; times < 5; times += 1) ids.push(await ok('agent', 'register'))
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{4}\n$/)
    expect(new Set(ids).size).toBe(5)
  })

  it('lists who announced itself, and tells who is gone', () => {
    const { ok, sql, task } = scratch()
    const [mine, gone, far] = [[], ['--pid', String(GONE_PID)], []].map((pid) => ok('agent', 'register', ...pid).trim())
    sql(`UPDATE agents SET hostname = 'far.example.org' WHERE id = '${far}'`)
    const { stdout, ...end } = task('agent', 'list')
    expect(end).toEqual({ code: 0, stderr: '' })
    const [head, ...rows] = timeless(stdout)
      .trimEnd()
      .split('\n')
      .map((row) => row.split(/ {2,}/))
    expect(head).toEqual(['ID', 'PID', 'HOSTNAME', 'STARTED', 'STATUS'])
    const pid = String(process.pid)
    expect(new Set(rows)).toEqual(
      new Set([
        [mine, pid, hostname(), 'TIME', 'active'],
        [gone, String(GONE_PID), hostname(), 'TIME', 'gone'],
        [far, pid, 'far.example.org', 'TIME', 'unknown'],
      ]),
    )
  })

  it('takes for the agent the shell that called it', () => {
    const { folder, env } = scratch()
    const line = 'id=$(ralph task agent register) && ralph task agent list && echo $$'
    const ralph = `ralph() { '${process.execPath}' '${import.meta.dirname}/../../bin/ralph.js' "$@"; }`
    const { stdout } = run('bash', ['-c', `${ralph}; ${line}`], { folder, env })
    const [, row = '', shell = ''] = stdout.split('\n')
    expect(row.split(/ {2,}/)[4]).toBe('active')
    expect(shell).toMatch(/^\d+$/)
  })

  it('forgets who leaves', () => {
    const { ok, task } = scratch()
    const id = ok('agent', 'register').trim()
    expect(task('agent', 'deregister', id)).toEqual(printed(`deregistered ${id}\n`))
    expect(task('agent', 'deregister', id)).toEqual(refused(2, `agent '${id}' not found`))
    expect(task('agent', 'list')).toEqual({ code: 0, stdout: '', stderr: 'No agents.\n' })
  })

  it('leaves alone the tasks of who leaves: their leases run out', async () => {
    const { as, ok } = inProcess()
    await ok('create', 'a', 'A')
    const id = (await ok('agent', 'register')).trim()
    await as(id, 'claim')
    await ok('agent', 'deregister', id)
    expect(await ok('list', '--assignee', id, '--markdown')).toContain(`\nassignee: ${id}\n`)
  })

  const GROUP = 'task agent register | list | deregister ID'
  it.each([
    [['agent'], refused(1, 'missing command', GROUP)],
    [['agent', 'x'], refused(1, 'unknown command x', GROUP)],
    [['agent', 'unregister'], refused(1, "unknown command unregister; did you mean 'register'?", GROUP)],
    [['agent', '-x'], refused(1, 'unknown flag -x', GROUP)],
    [['agent', 'deregister'], refused(1, 'missing agent ID', 'task agent deregister ID')],
    [['agent', 'deregister', 'ffff'], refused(2, "agent 'ffff' not found")],
    [['agent', 'register', '--pid', '0'], refused(1, '--pid must be a positive integer')],
    [['agent', 'register', '--pid', '2147483648'], refused(1, '--pid must be at most 2147483647')],
  ])('%j is refused', async (words, end) => {
    expect(await inProcess().task(...words)).toEqual(end)
  })
})
