import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { project, type Project } from '../rig/project.ts'
import { SIA_GIVES_UP, work } from '../rig/sessions.ts'
import { steady, story } from '../rig/story.ts'
import { KEPT } from '../rig/probes-off.ts'

const two = { role: 'implementer', task: 'two', steps: work('two') }
const wrong = { role: 'implementer', task: 'wrong', steps: work('wrong', 4, 3) }

function built(): Project {
  const made = project({ script: [two, wrong, SIA_GIVES_UP] })
  made.ralph(['build'])
  return made
}

describe('looking at a build', () => {
  it('log tells every fact with its time and number, of one task where asked, and in full', () => {
    const made = built()
    const lines = made.ralph(['log']).stdout.trim().split('\n')
    expect(steady(lines[0] ?? '')).toBe('TIME     1  build started: 2 tasks')
    expect(lines.map((line) => Number(line.slice(19, 26)))).toEqual(lines.map((_, at) => at + 1))
    const own = made.ralph(['log', '--task', 'wrong']).stdout.trim().split('\n')
    expect(own.every((line) => line.includes('wrong: ')) && own.length < lines.length).toBe(true)
    expect(made.ralph(['log', '--task', 'wrong', '--full']).stdout).toMatch(/\n {4,}4 !== 3\n/)
    const facts = made
      .ralph(['log', '--json'])
      .stdout.trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object)
    expect(facts).toHaveLength(lines.length)
    expect(facts[0]).toMatchObject({ type: 'buildStarted', seq: 1, taskCount: 2 })
  })

  it('log --transcript tells what the agents said', () => {
    const made = built()
    expect(steady(made.ralph(['log', '--task', 'two', '--transcript']).stdout)).toBe(
      'TIME  two: iteration 1.1, scripted, 0:00\n  working on two\n',
    )
    expect(steady(made.ralph(['log', '--task', 'wrong', '--transcript']).stdout)).toContain(
      'wrong: iteration 2.1, scripted, 0:00\n  working on wrong\nwrong: iteration 2.1, sia\n',
    )
    const [first] = made.ralph(['log', '--transcript', '--json']).stdout.split('\n')
    expect(JSON.parse(first ?? '')).toMatchObject({
      task: 'two',
      attempt: 1,
      iteration: 1,
      role: 'implementer',
      type: 'text',
      text: 'working on two',
    })
  })

  it('warns where the checkout changed meanwhile, in the story, the log and the report', () => {
    const made = project()
    const outside = { writeOutside: { path: `${made.folder}/one.js`, content: 'export const one = () => 7\n' } }
    made.play({ role: 'implementer', task: 'two', steps: [outside, ...work('two')] })
    made.ok('create', 'two', 'Add two')
    const { code, stdout } = made.ralph(['build'])
    const sentence = 'your checkout changed meanwhile: one.js (by you, or by an agent outside its folder'
    expect([code, story(stdout).filter((line) => line.includes(sentence)).length]).toEqual([0, 1])
    expect(made.ralph(['log']).stdout).toContain(sentence)
    expect(made.ralph(['report']).stdout).toMatch(/## Your checkout changed meanwhile\n\n.*\n\n- one\.js\n\n## Go on/)
    expect(made.json('report')).toMatchObject({ checkoutChanged: { refs: [], paths: ['one.js'], more: 0 } })
    expect(built().ralph(['log']).stdout).not.toContain('your checkout changed')
  })

  it('diff shows what a task changed: merged, or so far', () => {
    const made = built()
    const merged = made.ralph(['diff', 'two'])
    expect([merged.code, merged.stderr]).toEqual([0, ''])
    expect(merged.stdout).toContain('+export const two = () => 1\n')
    expect(merged.stdout).not.toContain('wrong')
    const soFar = made.ralph(['diff'])
    expect(soFar.stdout).toContain('+export const wrong = () => 4\n')
    expect(soFar.stderr).toMatch(/^This is what the last iteration left; what is there now: \/.*\n$/)
    expect(made.json('diff', 'two')).toMatchObject({
      task: 'two',
      isWhole: true,
      files: [{ path: 'two.js', change: 'added' }, { path: 'two.test.js' }],
    })
    made.ok('create', 'new', 'New')
    expect(made.ralph(['diff', 'new'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^Error: task 'new' has no attempt in this build yet/),
    })
  })

  it('report is the summary in markdown', () => {
    const made = built()
    const { code, stdout } = made.ralph(['report'])
    expect([code, steady(stdout).split('\n')[0]]).toEqual([0, '# Build BUILD: waiting for you'])
    expect(steady(stdout)).toContain(`| \`COMMIT\` | two | Add two | ${KEPT} |`)
    expect(stdout).toContain('## Waits for you\n\n### wrong: Add wrong\n')
    expect(made.json('report')).toMatchObject({ status: 'human_needed', markdown: stdout })
  })

  it('watch follows from another process, and ends as the build does', async () => {
    const made = project({ script: [{ ...two, steps: [{ sleep: 1500 }, ...work('two')] }] })
    const run = made.start(['build'])
    await run.saw('two: iteration 1.1')
    const watch = made.start(['watch'])
    const json = made.start(['watch', '--json'])
    const [end, facts] = await Promise.all([watch.ended, json.ended, run.ended])
    expect([end.code, story(steady(end.stdout)).at(-1)]).toEqual([0, 'build complete'])
    expect(end.stdout).toMatch(/\nAll tasks are complete\.\n/)
    const last = facts.stdout
      .trim()
      .split('\n')
      .slice(-2)
      .map((line) => JSON.parse(line) as object)
    expect(last).toMatchObject([{ type: 'buildComplete' }, { type: 'done', exit: 0 }])
    expect(made.ralph(['watch'])).toMatchObject({ code: 0, stdout: end.stdout.slice(end.stdout.indexOf('\nMerged')) })
  })

  it('watch of a build that needs a human says so', () => {
    const made = built()
    const { code, stdout } = made.ralph(['watch'])
    expect([code, stdout]).toEqual([3, expect.stringContaining('\nTask wrong waits for you: Add wrong\n')])
  })
})

describe('what was made and not merged', () => {
  it('recover lists it and brings it back into a new folder', () => {
    const made = built()
    const pins = JSON.parse(made.ralph(['recover', '--json']).stdout) as {
      ref: string
      task: string
      attempt: number
    }[]
    expect(pins.map(({ task, attempt }) => [task, attempt]).toSorted()).toEqual([
      ['two', 1],
      ['wrong', 1],
      ['wrong', 2],
    ])
    expect(made.ralph(['recover']).stdout.split('\n')[0]).toBe('PINNED (UTC)         TASK   TRY  REF')
    const ref = pins.find(({ task }) => task === 'wrong')?.ref ?? ''
    const { code, stdout } = made.ralph(['recover', '--restore', ref, '--to', '../back'])
    expect([code, stdout]).toEqual([0, `${join(made.root, 'back')}\n`])
    expect(readdirSync(join(made.root, 'back')).toSorted()).toEqual([
      'one.js',
      'one.test.js',
      'package.json',
      'ralph.toml',
      'two.js',
      'two.test.js',
      'wrong.js',
      'wrong.test.js',
    ])
    expect(made.ralph(['recover', '--restore', ref, '--to', '../back'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/exists already; name a new folder/),
    })
  })

  it('clean keeps what an unfinished build of another branch needs', () => {
    const made = built()
    made.git('switch', '--quiet', '--create', 'elsewhere')
    expect(made.json('clean', '--dry-run')).toEqual({ removed: [], wouldRemove: [] })
  })

  it('clean forgets only what no unfinished build needs, and only when told', () => {
    const made = built()
    expect(made.json('clean', '--dry-run')).toEqual({
      removed: [],
      wouldRemove: expect.not.arrayContaining([{ what: expect.stringContaining('pins'), bytes: 0 }]),
    })
    made.ralph(['skip'])
    made.ralph(['build'])
    const transcripts = join(made.folder, '.git/ralph/transcripts', made.build())
    expect(made.ralph(['clean'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('add --yes to remove this'),
    })
    expect(made.ralph(['clean', '--dry-run']).stdout).toMatch(/3 pins of build b_\w+\n/)
    expect([
      existsSync(transcripts),
      (JSON.parse(made.ralph(['recover', '--json']).stdout) as object[]).length,
    ]).toEqual([true, 3])
    expect(made.ralph(['clean', '--yes'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/\nremoved [\d.]+ [KM]iB\n$/),
    })
    expect([existsSync(transcripts), JSON.parse(made.ralph(['recover', '--json']).stdout)]).toEqual([false, []])
    expect(made.git('log', '--format=%s', `ralph/${made.build()}`)).toBe('feat: Add two\nstart\n')
    expect(made.json('status')).toMatchObject({ completedTasks: ['two'] })
  })
})
