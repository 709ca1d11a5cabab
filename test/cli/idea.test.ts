// Ideas on their way through the pipeline, with the real program.
import { describe, expect, it } from 'vitest'
import { timeless } from '../rig/scratch.ts'
import { project } from '../rig/project.ts'
import { answers, GOAL, PLAN, planner, SIA_GIVES_UP, wire, work } from '../rig/sessions.ts'
import { steady } from '../rig/story.ts'

const worker = (id: string, ...more: Parameters<typeof work> extends [string, ...infer Rest] ? Rest : never) => ({
  role: 'implementer',
  task: id,
  steps: work(id, ...more),
})

type SetupProducts = ReturnType<typeof project>

const idea = (made: SetupProducts, ...words: readonly string[]) => made.ralph(['idea', ...words])
const phase = (made: SetupProducts, id = 'shop') => made.json('idea', 'show', id)['phase']

/** Every move of an idea, as `to: reason`. */
function moves(made: SetupProducts, id = 'shop'): string[] {
  const told = made.json('idea', 'show', id)['moves'] as readonly { to: string; reason: string }[]
  return told.map(({ to, reason }) => steady(`${to}: ${reason}`))
}

function ready(made: SetupProducts, ...flags: readonly string[]): void {
  idea(made, 'add', GOAL, '--id', 'shop', ...flags)
  idea(made, 'move', 'shop', 'ideation_ready', '-m', 'clear')
}

describe('ralph idea', () => {
  it('adds, lists and shows; without a store there is none, and none is made', () => {
    const made = project()
    made.git('clean', '-fdxq')
    expect(idea(made, 'list')).toEqual({
      code: 0,
      stdout: '',
      stderr: "No ideas; 'ralph idea add TEXT' writes one down.\n",
    })
    const unknown = "Error: idea 'shop' not found; 'ralph idea list' names them [RALPH_IDEA_NOT_FOUND]\n"
    expect(idea(made, 'show', 'shop')).toEqual({ code: 2, stdout: '', stderr: unknown })
    expect(made.state()).toBeNull()
    made.write('IDEA.md', '# A shop\n\nWith a cart.\n')
    expect(idea(made, 'add', 'IDEA.md', '--id', 'shop').stdout).toBe('shop\n')
    expect(idea(made, 'add', 'Something else').stdout).toMatch(/^i_[0-9a-z]{14,}\n$/)
    expect(idea(made, 'list', '--phase', 'ideation', '--limit', '1').stderr).toMatch(
      /^There are more: ralph idea list --after \d+\n$/,
    )
    expect(timeless(idea(made, 'show', 'shop').stdout)).toBe(
      [
        'ID:          shop',
        'Title:       A shop',
        'Phase:       ideation',
        'Next:        ideation_ready, paused, failed',
        'Base:        main',
        'Advance:     manual',
        'Created:     TIME',
        'Updated:     TIME',
        '',
        'Wanted:',
        '  # A shop',
        '',
        '  With a cart.',
        '',
      ].join('\n'),
    )
  })

  it.each([
    [['add'], 1, 'missing what is wanted [RALPH_USAGE]'],
    [['add', 'x', '--id', 'shop'], 1, "idea 'shop' already exists (phase: ideation) [RALPH_IDEA_EXISTS]"],
    [
      ['add', 'x', '--id', 'a b'],
      1,
      'an idea ID is 1 to 128 characters without white space or control characters [RALPH_IDEA_ID_BAD]',
    ],
    [
      ['list', '--phase', 'dreaming'],
      1,
      "unknown phase 'dreaming', use ideation, ideation_ready, specification, spec_ready, building, build_review, deployed, paused, failed [RALPH_PHASE_UNKNOWN]",
    ],
    [['list', '--limit', '0'], 1, 'a page has 1 to 1000 ideas [RALPH_USAGE]'],
    [
      ['move', 'shop', 'building'],
      1,
      "idea 'shop' cannot go from ideation to building; from there it can go to ideation_ready, paused, failed [RALPH_IDEA_MOVE_ILLEGAL]",
    ],
    [['move', 'shop', 'ideation_ready', '--override'], 1, '--override needs -m REASON, which is kept [RALPH_USAGE]'],
    [['move', 'nobody', 'paused'], 2, "idea 'nobody' not found; 'ralph idea list' names them [RALPH_IDEA_NOT_FOUND]"],
  ] as const)('%j is refused and changes nothing', (words, code, sentence) => {
    const made = project()
    idea(made, 'add', GOAL, '--id', 'shop')
    const before = made.state()
    const end = idea(made, ...words)
    expect({ code: end.code, stdout: end.stdout, stderr: end.stderr.split('\n')[0] }).toEqual({
      code,
      stdout: '',
      stderr: `Error: ${sentence}`,
    })
    expect(made.state()).toEqual(before)
  })
})

describe('from an idea to the base branch', () => {
  it('by itself, where it may', () => {
    const made = project({ tasks: 'planned', script: [answers()] })
    ready(made, '--auto-advance')
    expect(idea(made, 'move', 'shop', 'specification').stdout).toBe('shop: ideation_ready -> spec_ready\n')
    expect(made.json('idea', 'show', 'shop')['spec']).toMatchObject({ id: 'idea:shop', graph: { notes: 'As asked.' } })
    expect(idea(made, 'move', 'shop', 'building', '-m', 'go').code).toBe(0)
    expect(moves(made)).toEqual([
      'ideation_ready: clear',
      'specification: asked for',
      'spec_ready: a spec with 2 tasks',
      'building: go',
      'build_review: the build is complete',
      'deployed: shipped to main as COMMIT',
    ])
    expect(made.git('log', '--format=%s', '-2', 'main')).toBe('feat: Add three\nfeat: Add two\n')
    expect(made.read('three.js')).toContain('three')
  })

  it('step by step, with a spec that somebody wrote; whoever builds it plans first', () => {
    const made = project({ tasks: 'planned', script: [answers()] })
    ready(made)
    made.write('SPEC.md', 'All about two and three')
    expect(idea(made, 'move', 'shop', 'spec_ready').stderr).toContain(
      "idea 'shop' cannot go to spec_ready: it has no spec yet",
    )
    expect(idea(made, 'move', 'shop', 'spec_ready', '--spec', 'SPEC.md').code).toBe(0)
    expect(idea(made, 'move', 'shop', 'building', '--no-run').stdout).toBe('shop: spec_ready -> building\n')
    expect(made.ralph(['build']).code).toBe(0)
    expect(phase(made)).toBe('build_review')
    expect(idea(made, 'move', 'shop', 'deployed').stdout).toBe('shop: build_review -> deployed\n')
    expect(made.git('log', '--format=%s', '-1', 'main')).toBe('feat: Add three\n')
  })

  it('waits for a human, goes on when it is answered, and is kept by the gate', () => {
    const made = project()
    const stuck = { role: 'implementer', task: 'two', attempt: 1, steps: work('two', 1, 2) }
    made.play(answers({ tasks: [wire({ id: 'two' })], notes: '' }), stuck, { ...stuck, attempt: 2 }, SIA_GIVES_UP)
    ready(made, '--auto-advance')
    idea(made, 'move', 'shop', 'specification')
    expect(idea(made, 'move', 'shop', 'building').code).toBe(3)
    expect(phase(made)).toBe('paused')
    const asks =
      "idea 'shop' cannot go to building: a task of its build waits for a human; 'ralph status' tells how to answer it"
    expect(idea(made, 'move', 'shop', 'building').stderr).toBe(`Error: ${asks} [RALPH_IDEA_NOT_READY]\n`)
    expect(made.ralph(['skip']).code).toBe(0)
    expect(phase(made)).toBe('building')
    expect(made.ralph(['build']).stderr).toContain('Idea shop is in build_review: ')
    const gate = idea(made, 'move', 'shop', 'deployed')
    expect([gate.code, gate.stdout]).toEqual([4, ''])
    expect(gate.stderr).toContain("idea 'shop' is not deployed, the ship gate has its reasons: ")
    expect(gate.stderr).toContain("task 'two' was skipped")
    expect(idea(made, 'move', 'shop', 'deployed', '--override', '-m', 'done by hand').code).toBe(0)
    const [last] = (made.json('idea', 'show', 'shop')['moves'] as object[]).slice(-1)
    expect(last).toMatchObject({ to: 'deployed', reason: 'done by hand', overridden: ['shipGate'] })
  })

  it('a planner that has no plan leaves it failed, from where it is asked again', () => {
    const made = project({ tasks: 'planned', script: [planner({ answer: { tasks: [] } })] })
    ready(made)
    const end = idea(made, 'move', 'shop', 'specification')
    expect([end.code, phase(made)]).toEqual([1, 'failed'])
    made.play(answers(PLAN), worker('two'), worker('three'))
    expect(idea(made, 'move', 'shop', 'specification').code).toBe(0)
    expect(phase(made)).toBe('spec_ready')
  })

  it('paused and given up, its build obeys', () => {
    const made = project({ tasks: 'planned', script: [answers()] })
    ready(made)
    idea(made, 'move', 'shop', 'specification')
    idea(made, 'move', 'shop', 'building', '--no-run')
    const state = () => made.json('status')['status']
    idea(made, 'move', 'shop', 'paused', '-m', 'not now')
    expect([phase(made), state()]).toEqual(['paused', 'paused'])
    idea(made, 'move', 'shop', 'building', '--no-run')
    expect([phase(made), state()]).toEqual(['building', 'active'])
    idea(made, 'move', 'shop', 'failed', '-m', 'never')
    expect([phase(made), state()]).toEqual(['failed', 'failed'])
    expect(moves(made).slice(-3)).toEqual(['paused: not now', 'building: asked for', 'failed: never'])
  })
})

it('a build that nobody had an idea for has one', () => {
  const made = project({ script: [worker('two')] })
  expect(made.ralph(['build']).code).toBe(0)
  const { ideas } = made.json('idea', 'list') as { ideas: { title: string; phase: string }[] }
  expect(ideas.map(({ title, phase: at }) => [steady(title), at])).toEqual([
    ['Build BUILD over the open tasks', 'build_review'],
  ])
})
