// Honest work that touches tests goes straight on where the tests of the base speak for it; the evidence says so.
import { describe, expect, it } from 'vitest'
import type { LandedNote } from '../../src/core/evidence/attestation.ts'
import { project, type Project } from '../rig/project.ts'
import { story } from '../rig/story.ts'
import { KEPT } from '../rig/probes-off.ts'

const complete = { signal: { kind: 'TASK_COMPLETE' } }
const write = (path: string, ...lines: string[]) => ({ write: { path, content: `${lines.join('\n')}\n` } })

const HEAD = [
  "import { test } from 'node:test'",
  "import assert from 'node:assert/strict'",
  "import { one } from './one.js'",
]
const works = (...steps: object[]) => ({ role: 'implementer', steps: [...steps, complete] })

/** A build of one task with no reviewer to clear a finding. */
function built(made: Project, title: string): { readonly code: number | null; readonly told: readonly string[] } {
  made.ok('create', 'work', title)
  made.write('ralph.toml', `${made.read('ralph.toml')}[review]\nwhen = "never"\n`)
  const { code, stdout } = made.ralph(['build'])
  return { code, told: story(stdout) }
}

function notesOf(made: Project): readonly string[] {
  const note = made.git('notes', '--ref', 'ralph', 'show', `ralph/${made.build()}`)
  return (JSON.parse(note) as LandedNote).evidence?.notes ?? []
}

const STRAIGHT = expect.arrayContaining([`work: ${KEPT}`, 'work: review: approved'])

describe('an edited test file', () => {
  const longer = write(
    'one.test.js',
    ...HEAD,
    "test('one', () => {",
    '  assert.equal(one(), 1)',
    '  assert.equal(one(2), 2)',
    '})',
  )

  it("needs nobody's look where the tests of the base are green on the new code", () => {
    const made = project({ script: [works(write('one.js', 'export const one = (times = 1) => times'), longer)] })
    expect(built(made, 'Let one() take a number')).toEqual({ code: 0, told: STRAIGHT })
    expect(notesOf(made)).toEqual(["one.test.js was edited; the base's own tests are green on the new code"])
  })

  it('needs one where they are red', () => {
    const test = write('one.test.js', ...HEAD, "test('one', () => assert.equal(one(), 2))")
    const made = project({ script: [works(write('one.js', 'export const one = () => 2'), test)] })
    expect(built(made, 'Work')).toEqual({
      code: 3,
      told: expect.arrayContaining([`work: ${KEPT}, but 1 finding needs a second look`]),
    })
  })

  it('needs one where an assertion is weaker, though they are green', () => {
    const test = write('one.test.js', ...HEAD, "test('one', () => assert.ok(one()))")
    const made = project({ script: [works(write('one.js', 'export const one = () => 2 - 1'), test)] })
    expect(built(made, 'Work')).toEqual({
      code: 3,
      told: expect.arrayContaining([`work: ${KEPT}, but 2 findings need a second look`]),
    })
  })
})

describe('tests with other names in every run', () => {
  const named = (...tests: string[]) => [...HEAD, 'const now = process.hrtime.bigint()', ...tests, ''].join('\n')
  const start = (...steps: object[]): Project => {
    const made = project({ script: [works(...steps)] })
    made.write('two.js', "export const cases = ['one', 'two']\n")
    made.write(
      'one.test.js',
      named(
        "import { cases } from './two.js'",
        'for (const name of cases) test(`${name} at ${now}`, () => assert.equal(one(), 1))',
      ),
    )
    made.git('add', '--all')
    made.git('commit', '--quiet', '-m', 'names')
    return made
  }

  it('are no finding', () => {
    const made = start(write('one.js', 'export const one = () => 2 - 1'))
    expect(built(made, 'Work')).toEqual({ code: 0, told: STRAIGHT })
    expect(notesOf(made)).toEqual([
      'unit: 2 tests have other names in every run of the base, so only the number of tests was compared',
    ])
    expect(made.ralph(['verify', `ralph/${made.build()}`])).toMatchObject({ code: 0 })
  })

  it('are one where there are fewer', () => {
    const made = start(write('two.js', "export const cases = ['one']"))
    const { code, stdout } = (built(made, 'Work'), made.ralph(['status']))
    expect([code, stdout]).toEqual([0, expect.stringContaining('unit: 2 tests ran before and 1 now')])
  })
})

describe('a patch of comments alone', () => {
  const comment = write('one.js', '// The number one.', 'export const one = () => 1')

  it('is what was asked for where the task asks for words', () => {
    expect(built(project({ script: [works(comment)] }), 'Document one() with a comment')).toEqual({
      code: 0,
      told: STRAIGHT,
    })
  })

  it('is looked at where it does not', () => {
    expect(built(project({ script: [works(comment)] }), 'Make one() faster')).toEqual({
      code: 3,
      told: expect.arrayContaining([`work: ${KEPT}, but 1 finding needs a second look`]),
    })
  })
})
