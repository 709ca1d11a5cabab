import { beforeAll, describe, expect, it } from 'vitest'
import { inProcess, type InProcess, sharedInProcess } from '../rig/in-process.ts'
import { type Ended, printed, refused, scratch, timeless } from '../rig/scratch.ts'

let standing: InProcess
beforeAll(async () => {
  standing = sharedInProcess()
  const { ok } = standing
  await ok('create', 'db/01', 'Make the schema', '-p', '1', '-c', 'feat', '-s', '["Write it","Try it"]')
  await ok('create', 'api/01', 'Serve it', '-r', 'specs/api.md', '--ref', '#12', '--deps', 'db/01', '-d', 'Two\nlines')
  await ok('create', 'ui/01', 'Show it', '--deps', 'api/01,db/01')
  await ok('create', 'doc/01', 'Say it', '-p', '3')
  await ok('create', 'old/01', 'Never mind')
  await ok('delete', 'old/01')
  await ok('claim', 'doc/01', '--agent', 'a7f2')
  return standing.remove
})

const DB = `## Task db/01
id: db/01
title: Make the schema
priority: 1
status: open
category: feat
steps:
- Write it
- Try it
`
const DOC = `## Task doc/01
id: doc/01
title: Say it
priority: 3
status: active
assignee: a7f2
lease_expires_at: TIME
retry_count: 0
`
const API = `## Task api/01
id: api/01
title: Serve it
priority: 2
status: open
spec: specs/api.md
ref: #12
deps: db/01
`

async function shown(...words: string[]): Promise<Ended> {
  const { stdout, ...end } = await standing.task(...words)
  return { ...end, stdout: timeless(stdout) }
}

describe('ralph task peek', () => {
  it('shows what can be claimed, then what is active, one section each', async () => {
    expect(await shown('peek')).toEqual(printed(`${DB}\n${DOC}`))
  })

  it('says nothing where there is nothing', () => {
    expect(scratch().task('peek')).toEqual(printed(''))
  })

  it('goes by priority, then age, and shows no more than asked for, yet all that are active', () => {
    const { ok } = scratch()
    for (const [id, priority] of ['c2', 'a1', 'd2', 'b0', 'e9', 'f9'].map((one) => [one, one.slice(1)] as const))
      ok('create', id, id, '-p', priority)
    for (const id of ['e9', 'f9']) ok('claim', id)
    const ids = (...words: string[]) =>
      ok('peek', ...words)
        .match(/^id: .*/gm)
        ?.map((line) => line.slice(4))
    expect(ids()).toEqual(['b0', 'a1', 'c2', 'd2', 'e9', 'f9'])
    expect(ids('-n', '1')).toEqual(['b0', 'e9', 'f9'])
    expect(ids('-n', '9007199254740991')).toEqual(['b0', 'a1', 'c2', 'd2', 'e9', 'f9'])
  })

  it('shows a task once whose lease ran out, among the claimable ones', async () => {
    const { ok } = inProcess()
    await ok('create', 'a', 'A', '-p', '9')
    await ok('create', 'b', 'B', '-p', '0')
    await ok('claim', 'b', '--lease', '0')
    expect((await ok('peek')).match(/^id: .*/gm)).toEqual(['id: b', 'id: a'])
  })

  it.each(['0', '-1', 'x', '', '1.5'])('refuses -n %j', async (count) => {
    expect(await standing.task('peek', '-n', count)).toEqual(refused(1, '-n must be a positive integer'))
  })
})

describe('ralph task list', () => {
  const LIVING = `ID      P  S       CAT   TITLE            AGENT
db/01   1  open    feat  Make the schema  -
api/01  2  open    -     Serve it         -
ui/01   2  open    -     Show it          -
doc/01  3  active  -     Say it           a7f2
`
  it.each([
    [[], LIVING],
    [
      ['--all'],
      `ID      P  S        CAT   TITLE            AGENT
db/01   1  open     feat  Make the schema  -
api/01  2  open     -     Serve it         -
ui/01   2  open     -     Show it          -
old/01  2  deleted  -     Never mind       -
doc/01  3  active   -     Say it           a7f2
`,
    ],
    [
      ['--status', 'deleted,active'],
      `ID      P  S        CAT  TITLE       AGENT
old/01  2  deleted  -    Never mind  -
doc/01  3  active   -    Say it      a7f2
`,
    ],
    [
      ['--status', ' deleted', '--status', 'active', '--assignee', 'a7f2'],
      `ID      P  S       CAT  TITLE   AGENT
doc/01  3  active  -    Say it  a7f2
`,
    ],
    [['--status', 'active', '--markdown'], DOC],
    [
      ['--status', 'open', '--markdown'],
      `${DB}\n${API}\n## Task ui/01
id: ui/01
title: Show it
priority: 2
status: open
deps: api/01, db/01
`,
    ],
  ])('%j', async (words, stdout) => {
    expect(await shown('list', ...words)).toEqual(printed(stdout))
  })

  it.each([[['--assignee', 'nobody']], [['--status', 'done']]])('%j finds none, and says so aside', async (words) => {
    expect(await standing.task('list', ...words)).toEqual({ code: 0, stdout: '', stderr: 'No tasks.\n' })
  })

  it('keeps columns straight under wide letters', async () => {
    const { ok } = inProcess()
    await ok('create', 'a', '日本語 🎉 é', '-c', 'x')
    await ok('create', 'b', 'plain', '-c', 'größe')
    expect(await ok('list')).toBe(`ID  P  S     CAT    TITLE        AGENT
a   2  open  x      日本語 🎉 é  -
b   2  open  größe  plain        -
`)
  })

  it.each([
    [['--all', '--status', 'open'], refused(1, '--all and --status are mutually exclusive')],
    [
      ['--status', 'open,closed'],
      refused(1, "unknown status 'closed', use open, active, waiting, done, skipped, split, deleted"),
    ],
    [['--assignee', ''], refused(1, 'an agent ID is 1 to 128 characters without white space or control characters')],
    [['-x'], refused(1, 'unknown flag -x', 'task list [--status a,b] [--all] [--assignee ID] [--markdown]')],
  ])('refuses %j', async (words, end) => {
    expect(await standing.task('list', ...words)).toEqual(end)
  })
})

it('aligns the columns of a list with wide letters and emoji in it', async () => {
  const { ok } = inProcess()
  await ok('create', 'a', '表を作る', '-c', 'db')
  await ok('create', 'b', 'Ship it 🚀', '-c', '仕')
  await ok('create', 'c', 'Plain')
  expect(await ok('list')).toBe(
    [
      'ID  P  S     CAT  TITLE       AGENT',
      'a   2  open  db   表を作る    -',
      'b   2  open  仕   Ship it 🚀  -',
      'c   2  open  -    Plain       -',
      '',
    ].join('\n'),
  )
})
