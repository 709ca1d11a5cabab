import { describe, expect, it } from 'vitest'
import { project, type Project } from '../rig/project.ts'
import { work } from '../rig/sessions.ts'

const two = { role: 'implementer', task: 'two', attempt: 1, steps: work('two', 2) }
const again = { role: 'implementer', task: 'two', steps: work('two', 22) }
const three = { role: 'implementer', task: 'three', steps: work('three', 3) }
const approves = {
  role: 'reviewer',
  steps: [{ answer: { decision: 'approve', reasons: ['asked for'], required_fixes: [] } }],
}

function steady(text: string): string {
  return text.replaceAll(/\b[0-9a-f]{10}\b/g, 'COMMIT').replaceAll(/\bb_\w+/g, 'BUILD')
}

/** All that the store holds, but that a tree was red: this is remembered where nothing else is changed. */
function kept(made: Project): unknown {
  const tables = made.state() as { name: string; rows: { kind?: string }[] }[]
  return tables.map(({ name, rows }) => ({ name, rows: rows.filter(({ kind }) => kind !== 'redCheck') }))
}

describe('ralph revert', () => {
  it('takes the last patch back with a verified commit, and its task is built again', () => {
    const made = project({ script: [two, three, again, approves] })
    expect(made.ralph(['build']).code).toBe(0)
    const end = made.ralph(['revert'])
    expect({ code: end.code, stdout: steady(end.stdout), stderr: end.stderr }).toEqual({
      code: 0,
      stdout: 'three: COMMIT was taken back by COMMIT on ralph/BUILD\n',
      stderr: "Verifying …\nThe task is open again; 'ralph build' goes on with it.\n",
    })
    const branch = `ralph/${made.build()}`
    expect(made.git('ls-tree', '--name-only', branch)).not.toContain('three.js')
    expect(made.git('log', '--format=%s', branch).split('\n').slice(0, 2)).toEqual([
      'revert: Add three',
      'feat: Add three',
    ])
    expect(made.task('show', 'three').stdout).toMatch(/^Status: +open$/m)
    expect(made.ralph(['build']).code).toBe(0)
    expect(made.git('log', '--format=%s', branch).split('\n')[0]).toBe('feat: Add three')
    expect(made.ralph(['verify'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('4 commits: every one is proved') as string,
    })
  })

  it('takes back the one that is named', () => {
    const made = project({ script: [two, three, again, approves] })
    expect(made.ralph(['build']).code).toBe(0)
    expect(made.json('revert', 'two')).toMatchObject({ task: 'two' })
    expect(made.ralph(['build']).code).toBe(0)
    expect(made.git('show', `ralph/${made.build()}:two.js`)).toBe('export const two = () => 22\n')
  })

  it('changes nothing where later work needs the patch, or nothing was merged', () => {
    const needs = [
      {
        write: { path: 'three.js', content: "import { two } from './two.js'\nexport const three = () => two() + 1\n" },
      },
      ...work('three', 3).filter((step) => !JSON.stringify(step).includes('"three.js"')),
    ]
    const made = project({ script: [two, { role: 'implementer', task: 'three', steps: needs }] })
    expect(made.ralph(['revert'])).toMatchObject({ code: 2 })
    expect(made.ralph(['build']).code).toBe(0)
    const head = made.git('rev-parse', `ralph/${made.build()}`)
    const before = kept(made)
    const end = made.ralph(['revert', 'two'])
    expect([end.code, end.stdout]).toEqual([4, ''])
    expect(end.stderr).toMatch(
      /taking back [0-9a-f]{10} would leave the branch unproved, so nothing was changed: unit failed/,
    )
    expect([made.git('rev-parse', `ralph/${made.build()}`), kept(made)]).toEqual([head, before])
    expect(made.ralph(['revert', 'two']).stderr).toContain('unit was red on this very tree before')
    expect(made.ralph(['revert', 'nobody'])).toMatchObject({ code: 2 })
  })
})
