// A task that is removed during its build is reported: in the closing sentence, in every view of the build, and by the
// ship gate.
import { describe, expect, it } from 'vitest'
import { openRalph } from '../../src/index.ts'
import { project, type Project } from '../rig/project.ts'
import { steady } from '../rig/story.ts'
import { work } from '../rig/sessions.ts'

const FILE = `# Progress: Shop

## Goal
Numbers.

## Tasks
- [ ] Add two {#two}
- [ ] Take payments {#pay}

## Analysis
None yet.

## Recent Attempts
`
const two = (...more: readonly object[]) => ({ role: 'implementer', steps: [...more, ...work('two', 2)] })

function engine(...sessions: readonly object[]): Project {
  const made = project({ script: sessions })
  made.write('PROGRESS.md', FILE)
  made.git('add', '--all')
  made.git('commit', '--quiet', '-m', 'plan')
  return made
}

describe('a task that was removed', () => {
  it('from the progress file while an agent worked: is said, and ship asks about it', async () => {
    const made = engine()
    made.play(two({ run: `sed -i '/{#pay}/d' '${made.folder}/PROGRESS.md'` }))
    const end = made.ralph(['build', 'PROGRESS.md'])
    expect([end.code, end.stdout]).toEqual([
      0,
      expect.stringContaining("All tasks are complete; 1 was removed while it ran: 'pay' Take payments.\n") as string,
    ])
    const line = "'pay' Take payments (TIME UTC, while an agent worked: 'ralph ship' asks about it)\n"
    expect(steady(made.ralph(['status']).stdout)).toContain(`\nRemoved from the plan: ${line}`)
    expect(steady(made.ralph(['report']).stdout)).toContain(`\n## Removed from the plan\n\n- ${line}`)
    const removed = [{ id: 'pay', title: 'Take payments', during: 'session' }]
    expect(made.json('status')).toMatchObject({ removed })
    const what = "task 'pay' (Take payments) was removed from the plan while an agent of the build worked"
    const refused = made.ralph(['ship'])
    expect([refused.code, refused.stdout]).toEqual([4, expect.stringContaining(`- ${what}\n`) as string])
    expect(made.json('ship')['reasons']).toMatchObject([{ code: 'skipped', what, clear: 'ralph ship --allow-skipped' }])

    const ralph = await openRalph({ folder: made.folder, env: made.env })
    const id = made.build()
    expect(await ralph.view({ id })).toMatchObject({ removed })
    expect(await ralph.evidence({ id })).toMatchObject({ removed })
    expect(await ralph.gate({ project_id: id })).toMatchObject({ ok: false, removed })
    await ralph.close()

    const shipped = made.ralph(['ship', '--allow-skipped', '--yes'])
    expect([shipped.code, shipped.stdout]).toEqual([
      0,
      expect.stringContaining("1 task was removed from its plan: 'pay' Take payments.\n") as string,
    ])
    const facts = made.ralph(['log', '--json']).stdout.trimEnd().split('\n')
    expect(JSON.parse(facts.at(-1) ?? '')).toMatchObject({ type: 'shipped', allowed: ['skipped'] })
  })

  it('while nobody worked: is said, and that is all', () => {
    const made = project({ script: [{ ...two(), task: 'two' }] })
    made.ok('create', 'pay', 'Take payments')
    expect(made.ralph(['build', '--once']).code).toBe(0)
    // A minute ago: right after its end, what a session left running may still write.
    made.sql('UPDATE spending SET started_at = started_at - 60000')
    made.ok('delete', 'pay')
    const end = made.ralph(['build'])
    expect([end.code, end.stdout]).toEqual([
      0,
      expect.stringContaining("complete; 1 was removed while it ran: 'pay' Take payments.\n") as string,
    ])
    expect(made.json('status')).toMatchObject({ removed: [{ id: 'pay', during: 'pause' }] })
    const dry = made.ralph(['ship', '--dry-run'])
    expect([dry.code, dry.stdout]).toEqual([
      0,
      expect.stringContaining("1 task was removed from its plan: 'pay' Take payments.\n") as string,
    ])
  })
})
