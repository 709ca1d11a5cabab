import { beforeAll, describe, expect, it } from 'vitest'
import { inProcess, type InProcess, sharedInProcess } from '../rig/in-process.ts'
import { printed, refused, scratch, timeless } from '../rig/scratch.ts'

let standing: InProcess
beforeAll(async () => {
  standing = sharedInProcess()
  const { ok } = standing
  await ok('create', 'db/01', 'Make the schema', '-p', '1', '-c', 'feat', '-s', '["Write it","Try it"]')
  await ok('create', 'api/01', 'Serve it', '-r', 'specs/api.md', '--ref', '#12', '--deps', 'db/01', '-d', 'Two\nlines')
  await ok('create', 'ui/01', 'Show it', '--deps', 'api/01,db/01')
  await ok('create', 'doc/01', 'Say it', '-p', '3')
  await ok('claim', 'doc/01', '--agent', 'a7f2')
  return standing.remove
})

describe('ralph task show', () => {
  const API_PAGE = `ID:          api/01
Title:       Serve it
Status:      open
Priority:    2
Description: Two
             lines
Spec:        specs/api.md
Ref:         #12
Created:     TIME
Updated:     TIME
Claims:      new behaviour, which a test must show
`
  it.each([
    [
      ['db/01'],
      `ID:          db/01
Title:       Make the schema
Status:      open
Priority:    1
Category:    feat
Created:     TIME
Updated:     TIME
Claims:      new behaviour, which a test must show

Steps:
  1. Write it
  2. Try it
`,
    ],
    [['api/01'], API_PAGE],
    [
      ['api/01', '--with-deps'],
      `${API_PAGE}
Dependencies:
  db/01 (open)
`,
    ],
    [
      ['doc/01'],
      `ID:          doc/01
Title:       Say it
Status:      active
Priority:    3
Assignee:    a7f2
Created:     TIME
Updated:     TIME
Lease:       until TIME
Claims:      new behaviour, which a test must show
`,
    ],
  ])('%j', async (words, stdout) => {
    expect(timeless(await standing.ok('show', ...words))).toBe(stdout)
  })

  it('tells what became of a task, and what its blockers left behind', () => {
    const { ok } = scratch()
    for (const id of ['one', 'two']) ok('create', id, id)
    ok('create', 'last', 'Last', '--deps', 'one,two')
    ok('claim', 'one')
    ok('fail', 'one', '--reason', 'no network\nat all')
    ok('claim', 'one')
    ok('done', 'one', '--result', '{"commit": "abc", "note": "x y"}')
    expect(timeless(ok('show', 'one'))).toBe(`ID:          one
Title:       one
Status:      done
Priority:    2
Created:     TIME
Updated:     TIME
Retries:     1
Fail reason: no network
             at all
Said done:   not verified yet: the next build does it, or 'ralph verify --task'
Result:      {"commit":"abc","note":"x y"}
Claims:      new behaviour, which a test must show
`)
    expect(ok('show', 'last', '--with-deps')).toMatch(
      /\n\nDependencies:\n {2}one \(done\)\n {2}two \(open\)\n\nBlocker Results:\n {2}one: \{"commit":"abc","note":"x y"\}\n$/,
    )
  })

  it('does not let a description command the terminal', async () => {
    const { ok } = inProcess()
    await ok('create', 'a', 'A', '-d', 'red \u001b[31m\u009b2J\ttab')
    expect(await ok('show', 'a')).toContain('Description: red \\u001b[31m\\u009b2J\ttab\n')
  })
})

describe('ralph task deps', () => {
  it('is a tree', async () => {
    expect(await standing.task('deps', 'ui/01')).toEqual(
      printed(`ui/01 [open] Show it
  api/01 [open] Serve it
    db/01 [open] Make the schema
  db/01 [open] Make the schema
`),
    )
    expect(await standing.task('deps', 'db/01')).toEqual(printed('db/01 [open] Make the schema\n'))
  })

  it('ends, and says so, where a tree of a few tasks has no end', async () => {
    const { plan, task } = inProcess()
    const layer = (n: number) => ['a', 'b', 'c', 'd'].map((letter) => `${letter}${n}`)
    const items = Array.from({ length: 9 }, (_, n) =>
      layer(n).map((id) => ({ id, t: id, deps: n === 0 ? [] : layer(n - 1) })),
    ).flat()
    await plan(...items)
    const { stdout, stderr, code } = await task('deps', 'a8')
    expect({ lines: stdout.split('\n').length - 1, stderr, code }).toEqual({
      lines: 10_000,
      stderr: 'Only the first 10000 lines are shown.\n',
      code: 0,
    })
  })
})

it.each(['show', 'deps'])('ralph task %s refuses what is not there', async (command) => {
  const usage = command === 'show' ? 'task show ID [--with-deps] [--sealed]' : 'task deps ID'
  expect(await standing.task(command)).toEqual(refused(1, 'missing task ID', usage))
  expect(await standing.task(command, 'x')).toEqual(refused(2, "task 'x' not found"))
})
