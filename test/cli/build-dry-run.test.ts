import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CHECK, project } from '../rig/project.ts'
import { SIA_GIVES_UP, work } from '../rig/sessions.ts'
import { steady } from '../rig/story.ts'

const PLAN = '# Progress: Numbers\n\n## Tasks\n\n- [ ] Add two {#two}\n- [x] Add one {#one}\n'

describe('ralph build --dry-run', () => {
  it('tells all about a new build over a file, and makes nothing', () => {
    const made = project()
    made.write('PLAN.md', PLAN)
    const { code, stdout, stderr } = made.ralph(['build', 'PLAN.md', '--dry-run', '-n', '3', '--workers', '2'])
    expect([code, stderr]).toEqual([0, 'Dry run: nothing is started and nothing is changed.\n'])
    expect(
      stdout
        .replace(/\/.*scripted-agent.js/, 'PROGRAM')
        .replace(/plays \/.*scenario/, 'plays scenario')
        .replace(/about \d+/, 'about N'),
    ).toBe(
      `Build       would start a new build, over PLAN.md
Tasks       1 open, 0 active, 0 done, 0 blocked, 0 deleted
Next        two: Add two (attempt 1, iteration 1)
Agent       scripted: PROGRAM (plays scenario.json)
            ready
Checks      unit: ${CHECK}  (ralph.toml line 6)
Setup       none
Limits      2 attempts before SIA, 1 intervention before a human
            10 iterations an attempt, 0 of 200 done in this build, no budget
            this run: 3 iterations, 2 workers
Prompt      valid: every placeholder is filled, about N tokens
Last tries  none
`,
    )
    expect(existsSync(join(made.folder, '.git/ralph'))).toBe(false)
    expect(made.git('for-each-ref', '--format=%(refname)')).toBe('refs/heads/main\n')
    expect(made.read('PLAN.md')).toBe(PLAN)
  })

  it('tells where an unfinished build would go on, with its last tries, and changes nothing in the store', () => {
    const made = project({ script: [{ role: 'implementer', task: 'wrong', steps: work('wrong', 1, 2) }, SIA_GIVES_UP] })
    made.ralph(['build', '--once'])
    const before = made.state()
    const { stdout } = made.ralph(['build', '--dry-run'])
    expect(steady(stdout)).toContain('Build       would go on with BUILD, which is running, over the open tasks\n')
    expect(stdout).toContain('Next        wrong: Add wrong (attempt 2, iteration 1)\n')
    expect(stdout).toContain(', 1 of 200 done in this build,')
    expect(steady(stdout)).toMatch(/\nLast tries {2}TIME {2}wrong 1\.1 {2}0:0\d {2}TASK_COMPLETE\n$/)
    expect(made.state()).toEqual(before)
  })

  it('what waited for a human in an aborted build would be tried afresh', () => {
    const stuck = { role: 'implementer', task: 'wrong', steps: [{ signal: { kind: 'TASK_STUCK', reason: 'how?' } }] }
    const made = project({ script: [stuck, SIA_GIVES_UP] })
    made.ralph(['build'])
    made.ralph(['abort'])
    expect(made.ralph(['build', '--dry-run']).stdout).toContain(
      'Next        wrong: Add wrong (attempt 1, iteration 1)\n',
    )
  })

  it('says what stands in the way: no agent, no checks, a prompt that cannot be filled', () => {
    const made = project({ script: [{ task: 'two', steps: work('two') }] })
    made.write('ralph.toml', '[agents]\ndefault = "scripted"\n[checks]\n')
    made.write('.ralph/prompts/PROMPT_build.md', 'Do {{everything}}.\n')
    const { code, stdout } = made.ralph(['build', '--dry-run'])
    expect(code).toBe(0)
    expect(stdout).toContain('            NOT READY: no scenario is set for the scripted agent; ')
    expect(stdout).toContain('Checks      NONE: nothing could be verified; ')
    expect(stdout).toMatch(/^Prompt {6}NOT VALID: .*PROMPT_build\.md: nothing fills \{\{everything\}\}/m)
  })

  it('tells what a session could choose from with --claim agent', () => {
    const made = project({ script: [{ task: 'two', steps: work('two') }] })
    for (const id of ['three', 'four']) made.ok('create', id, `Add ${id}`, ...(id === 'four' ? ['--deps', 'two'] : []))
    const { code, stdout } = made.ralph(['build', '--dry-run', '--claim', 'agent'])
    expect([code, stdout]).toEqual([0, expect.stringContaining('Next        the session chooses one of two, three\n')])
    expect(stdout).toMatch(/^Prompt {6}valid: every placeholder is filled, about [\d,]+ tokens$/m)
    expect(made.json('build', '--dry-run', '--claim', 'agent')).toMatchObject({
      next: null,
      offer: ['two', 'three'],
      run: { claim: 'agent' },
    })
    made.write('.ralph/prompts/PROMPT_claim.md', 'Choose.\n')
    expect(made.ralph(['build', '--dry-run', '--claim', 'agent']).stdout).toMatch(
      /^Prompt {6}NOT VALID: .*PROMPT_claim\.md: it lacks \{\{snapshot\}\}/m,
    )
  })

  it('is one document with --json', () => {
    const made = project({ script: [{ task: 'two', steps: work('two') }] })
    expect(made.json('build', '--dry-run')).toMatchObject({
      build: null,
      source: null,
      counts: { open: 1 },
      next: { id: 'two', attempt: 1, iteration: 1, does: 'iterate' },
      agent: { name: 'scripted', readiness: { ready: true } },
      checks: [{ name: 'unit', command: CHECK }],
      limits: { attempts: 2 },
      prompt: { tokens: expect.any(Number) },
      recent: [],
    })
  })
})
