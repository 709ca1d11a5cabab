// Sealed examples in whole builds: who writes them, and what they do.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { project, type Project } from '../rig/project.ts'
import {
  CANARY,
  called,
  EXAMPLES,
  TEST,
  RIGHT,
  CHEAT,
  complete,
  write,
  textIn,
  toml,
  planned,
  reviewer,
  note,
  facts,
} from '../rig/sealed-project.ts'

describe("a planner's examples", () => {
  it('speak for work that they hold for', () => {
    const made = planned({ code: [RIGHT] })
    expect(made.ralph(['build', 'Shout']).code).toBe(0)
    const [verified] = facts(made).filter(({ type }) => type === 'verified')
    expect(verified?.sentence).toMatch(/; 3 of 3 sealed examples hold$/)
    const { probes } = note(made).evidence ?? {}
    expect(probes?.sealed).toEqual({
      total: 3,
      counted: 3,
      passed: 3,
      onBase: 0,
      failed: [],
      missing: [],
      unsteady: [],
      unclear: [],
      outcome: 'hold',
      readable: true,
    })
    expect(probes?.notes).toContain('the sealed examples could be read by the agent: no sandbox')
    expect(made.ok('show', 'shout', '--sealed')).toBe(
      [
        'Sealed examples, from the plan:',
        `1. {"call":{"module":"shout.js","name":"shout","args":["${CANARY}a"],"returns":"${CANARY}A!"}}`,
        `   holds with this change: returned "${CANARY}A!"`,
        '   missing without it: there is no shout.js',
        '2. {"call":{"module":"shout.js","name":"shout","args":["b"],"returns":"B!"}}',
        '   holds with this change: returned "B!"',
        '   missing without it: there is no shout.js',
        '3. {"call":{"module":"shout.js","name":"shout","args":[""],"returns":"!"}}',
        '   holds with this change: returned "!"',
        '   missing without it: there is no shout.js',
        '',
      ].join('\n'),
    )
  })

  it('send work back once that most of them fail for, without a value, and without an attempt', () => {
    const made = planned({ code: [CHEAT, RIGHT] })
    expect(made.ralph(['build', 'Shout']).code).toBe(0)
    const told = facts(made)
    expect(told.map(({ type }) => type)).not.toContain('taskFailed')
    expect(told.filter(({ type }) => type === 'iterationStarted')).toHaveLength(2)
    const [first, second] = told.filter(({ type }) => type === 'verified')
    expect(first?.sealed).toContain(
      '3 of 3 sealed examples do not hold:\n- example 1, a call of shout in shout.js: does not hold',
    )
    expect(second?.sealed).toBeUndefined()
    expect(textIn(made, 'prompts')).toContain('3 of 3 sealed examples do not hold')
    expect(textIn(made, 'prompts')).not.toContain(CANARY)
  })

  it('go to the reviewer with their values where they fail again; of its words no value reaches the agent', () => {
    const made = planned({ code: [CHEAT, CHEAT, RIGHT] })
    const fix = `shout must give ${CANARY}A! for ${CANARY}a`
    reviewer(made, { decision: 'request_changes', reasons: ['a table'], required_fixes: [fix] })
    expect(made.ralph(['build', 'Shout']).code).toBe(0)
    expect(textIn(made, 'review')).toContain(`"args":["${CANARY}a"],"returns":"${CANARY}A!"`)
    const prompts = textIn(made, 'prompts')
    expect(prompts).toContain('shout must give (a sealed value) for (a sealed value)')
    expect(prompts).not.toContain(CANARY)
    expect(made.ralph(['log', '--json']).stdout).not.toContain(CANARY)
  })

  it('do not stop work where a reviewer finds the examples wrong', () => {
    const wrong = [called('a', 'a?'), called('b', 'b?'), called('c', 'c?')]
    const made = planned({ code: [RIGHT], examples: wrong })
    reviewer(made, { decision: 'approve', reasons: ['the examples are wrong'], required_fixes: [] })
    expect(made.ralph(['build', 'Shout']).code).toBe(0)
    expect(note(made).evidence?.cleared?.reasons).toEqual(['the examples are wrong'])
  })

  it('go to a person where no reviewer is set, who is told how to see them', () => {
    const made = planned({ code: [CHEAT], more: '[review]\nwhen = "never"\n' })
    const { code, stdout } = made.ralph(['build', 'Shout'])
    expect(code).toBe(3)
    expect(stdout).toContain('0 of 3 sealed examples hold')
    expect(stdout).toContain("'ralph task show shout --sealed' shows the examples")
    expect(stdout).not.toContain(CANARY)
  })

  it('of which one fails are a note, and nobody is asked', () => {
    const made = planned({ code: [RIGHT], examples: [...EXAMPLES.slice(0, 2), called('z', 'wrong')] })
    expect(made.ralph(['build', 'Shout']).code).toBe(0)
    const { probes } = note(made).evidence ?? {}
    expect(probes?.sentence).toMatch(/; 2 of 3 sealed examples hold$/)
    expect(probes?.notes).toContain('sealed example 3 does not hold')
    expect(textIn(made, 'review')).toBe('')
  })

  it('that call a name which is not there are told in full', () => {
    const cries = EXAMPLES.map(({ call }) => ({ call: { ...call, name: 'cry' } }))
    const made = planned({ code: [RIGHT, `${RIGHT}export const cry = shout\n`], examples: cries })
    expect(made.ralph(['build', 'Shout']).code).toBe(0)
    expect(facts(made).find(({ sealed }) => sealed !== undefined)?.sealed ?? '').toContain(
      "- example 1, a call of cry in shout.js: shout.js exports no function 'cry'",
    )
  })

  it('that are no examples are asked for once more, and then left out', () => {
    const made = planned({ code: [RIGHT], examples: [{ call: { module: '../x.js' } }] })
    expect(made.ralph(['build', 'Shout']).code).toBe(0)
    expect(note(made).evidence?.probes?.sealed).toBeUndefined()
    expect(made.task('show', 'shout', '--sealed').stderr).toBe('The task has no sealed examples.\n')
  })
})

describe("the operator's examples", () => {
  const own = (examples: unknown) => JSON.stringify({ shout: examples })

  function made(more: string, code = [RIGHT]): Project {
    const one = project({
      tasks: { shout: [] },
      toml: (root) => toml(root, more),
      script: code.map((text, at) => ({
        role: 'implementer',
        ...(at === code.length - 1 ? {} : { attempt: 1, iteration: at + 1 }),
        steps: [write('shout.js', text), write('shout.test.js', TEST), complete],
      })),
    })
    return one
  }

  it('come from a file outside of the repository', () => {
    const one = made('[sealed]\nfile = "~/examples.json"\n')
    writeFileSync(join(one.env['HOME'] ?? '', 'examples.json'), own(EXAMPLES))
    expect(one.ok('show', 'shout', '--sealed')).toMatch(/^Sealed examples, from the file of \[sealed\]; not tried yet:/)
    expect(one.ralph(['build']).code).toBe(0)
    expect(note(one).evidence?.probes?.sealed).toMatchObject({ outcome: 'hold', counted: 3 })
  })

  it('may stand in ralph.toml, where agents can read them', () => {
    const lines = EXAMPLES.map((example) => `'${JSON.stringify(example)}'`).join(', ')
    const one = made(`[sealed.shout]\nexamples = [${lines}]\n`)
    expect(one.ralph(['build']).code).toBe(0)
    expect(note(one).evidence?.probes?.sealed).toMatchObject({ outcome: 'hold', readable: true })
    expect(one.json('task', 'show', 'shout', '--sealed')).toMatchObject({
      id: 'shout',
      from: 'settings',
      examples: EXAMPLES,
      tried: { results: [{ is: 'holds' }, { is: 'holds' }, { is: 'holds' }] },
    })
  })

  it('are refused with one sentence where they are bad, and nothing changes', () => {
    const one = made('[sealed]\nfile = "~/examples.json"\n')
    writeFileSync(join(one.env['HOME'] ?? '', 'examples.json'), own([{ call: { args: CANARY } }]))
    const before = one.state()
    const { code, stderr } = one.ralph(['build'])
    expect(code).toBe(1)
    expect(stderr).toContain(
      "sealed.file: ~/examples.json is refused: task 'shout': example 1: 'module' must be the path of a file in the project",
    )
    expect(stderr).not.toContain(CANARY)
    expect(one.state()).toEqual(before)
  })

  it('are not tried where the probe is turned off, and the evidence says so', () => {
    const one = made('[sealed]\nfile = "~/examples.json"\n[evidence]\nsealed = false\n', [CHEAT])
    writeFileSync(join(one.env['HOME'] ?? '', 'examples.json'), own(EXAMPLES))
    expect(one.ralph(['build']).code).toBe(0)
    const { probes } = note(one).evidence ?? {}
    expect(probes?.sealed).toBeUndefined()
    expect(probes?.skipped).toContainEqual({ probe: 'sealed', why: 'turned off' })
  })

  it('that hang or flood fail, and the build goes on', () => {
    const one = made('[sealed]\nfile = "~/examples.json"\n[review]\nwhen = "never"\n')
    const command = (program: string) => ({ command: { argv: [process.execPath, '-e', program], exit: 0 } })
    const bad = [
      command('setInterval(() => {}, 1000)'),
      command("for (;;) require('fs').writeSync(1, 'x'.repeat(65536))"),
      command("require('net').connect(9, '203.0.113.1').on('error', () => process.exit(7))"),
    ]
    writeFileSync(join(one.env['HOME'] ?? '', 'examples.json'), own(bad))
    expect(one.ralph(['build']).code).toBe(3)
    const { tried } = one.json('task', 'show', 'shout', '--sealed') as { tried: { results: { answer: string }[] } }
    expect(tried.results.slice(0, 2).map(({ answer }) => answer)).toEqual(['took too long', 'printed too much'])
  })
})
