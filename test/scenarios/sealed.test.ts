// Sealed examples in whole builds: who writes them, what they do, and that no implementer sees their values.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { LandedNote } from '../../src/core/evidence/attestation.ts'
import { CHECK, project, type Project, type ProjectOptions } from '../rig/project.ts'
import { answers, SIA_GIVES_UP, wire } from '../rig/sessions.ts'

const LIBRARY = join(import.meta.dirname, '../../dist/index.js')
const CANARY = 'CANARY4711'
const called = (given: string, returns: string) => ({
  call: { module: 'shout.js', name: 'shout', args: [given], returns },
})
const EXAMPLES = [called(`${CANARY}a`, `${CANARY}A!`), called('b', 'B!'), called('', '!')]

const TEST = `import { test } from 'node:test'
import assert from 'node:assert/strict'
import { shout } from './shout.js'
test('shout', () => assert.equal(shout('x'), 'X!'))
`
const RIGHT = 'export const shout = (text) => `${text.replace(/[a-z]+$/, (one) => one.toUpperCase())}!`\n'
/** A table of the visible value. */
const CHEAT = "export const shout = (text) => (text === 'x' ? 'X!' : '')\n"

const complete = { signal: { kind: 'TASK_COMPLETE' } }
const write = (path: string, content: string) => ({ write: { path, content } })

/** Keeps the prompt of the session outside of its folder. */
function keepsPrompt(root: string): object[] {
  return [
    { savePrompt: 'prompt.txt' },
    { run: `cat prompt.txt >> '${root}/prompts'; echo >> '${root}/prompts'; rm prompt.txt` },
  ]
}

function toml(root: string, more = ''): string {
  const reviewer = join(root, 'reviewer.sh')
  return `[agents]
default = "scripted"
reviewer = "command"
[agent.scripted]
scenario = "../scenario.json"
[agent.command]
command = ["sh", ${JSON.stringify(reviewer)}]
[checks]
unit = "${CHECK}"
[limits]
attempts = 2
interventions = 1
${more}`
}

interface Play {
  /** The implementer's sessions by iteration; the last one is played again and again. */
  readonly code: readonly string[]
  readonly more?: string
  readonly examples?: readonly object[]
  readonly options?: ProjectOptions
  /** What the last session does besides. */
  readonly steps?: (root: string) => readonly object[]
}

/** A project whose planner makes one task with examples. */
function planned({ code, more = '', examples = EXAMPLES, steps = () => [] }: Play): Project {
  const made = project({ tasks: {}, toml: (root) => toml(root, more) })
  const task = {
    ...wire({ id: 'shout' }),
    acceptance: ["shout(text) in shout.js returns the text in capitals and '!': shout('x') is 'X!'"],
    files_expected: ['shout.js'],
    examples,
  }
  const session = (text: string, at: number) => ({
    role: 'implementer',
    ...(at === code.length - 1 ? {} : { attempt: 1, iteration: at + 1 }),
    steps: [
      ...keepsPrompt(made.root),
      ...(at === code.length - 1 ? steps(made.root) : []),
      write('shout.js', text),
      write('shout.test.js', TEST),
      complete,
    ],
  })
  made.play(answers({ tasks: [task], notes: '' }), ...code.map(session), SIA_GIVES_UP)
  return made
}

function reviewer({ root }: Project, answer: object): void {
  writeFileSync(join(root, 'reviewer.sh'), `cat > '${root}/review'\necho '${JSON.stringify(answer)}'\n`)
}

const textIn = ({ root }: Project, name: string): string =>
  existsSync(join(root, name)) ? readFileSync(join(root, name), 'utf8') : ''

function note(made: Project): LandedNote {
  return JSON.parse(made.git('notes', '--ref', 'ralph', 'show', `ralph/${made.build()}`)) as LandedNote
}

interface SomeFact {
  readonly type: string
  readonly sentence?: string
  readonly sealed?: string
}

function facts(made: Project): SomeFact[] {
  const { stdout } = made.ralph(['log', '--json'])
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as SomeFact)
}

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

describe('an implementer that looks everywhere', () => {
  it('finds no value: not in its folder, environment, prompt, commands, socket or log', () => {
    const found = (root: string): string => `'${root}/found'`
    const looks = (root: string): readonly object[] => [
      {
        run: `env >> ${found(root)}; set >> ${found(root)}; cat /proc/$$/environ /proc/$PPID/environ >> ${found(root)} 2>&1; true`,
      },
      { run: `grep -rs . . --exclude-dir=node_modules >> ${found(root)}; git log -p >> ${found(root)} 2>&1; true` },
      {
        run: [
          'task show shout',
          'task show shout --json',
          'task show shout --with-deps',
          'task show shout --sealed',
          'task show shout --sealed --json',
          'task list --all --json',
          'task list --markdown',
          'task peek',
          'task claim',
          'task deps shout',
          'log',
          'log --json',
          'log --full',
          'log --transcript',
          'log --transcript --json',
          'status --json',
          'report',
          'report --json',
          'idea list --json',
          'diff',
          'build --dry-run',
          'doctor --json',
        ]
          .flatMap((words) => [`ralph ${words}`, `env -u RALPH_SOCKET ralph ${words}`])
          .map((line) => `echo '$ ${line}' >> ${found(root)}; ${line} >> ${found(root)} 2>&1 </dev/null`)
          .concat('true')
          .join('; '),
      },
      {
        run: `${process.execPath} --input-type=module -e 'import { openRalph } from ${JSON.stringify(LIBRARY)}; const ralph = await openRalph(); for (const verb of ["sealed", "task", "plan", "transcript", "rows", "search"]) try { console.log(JSON.stringify(await ralph[verb]({ id: "shout", text: "a" }))) } catch (error) { console.log(error.message) } await ralph.close()' >> ${found(root)} 2>&1; true`,
      },
      {
        run: `printf '%s\\n' '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}' '{"jsonrpc":"2.0","method":"notifications/initialized"}' '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"task_claim","arguments":{}}}' '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"build_status","arguments":{}}}' | ralph mcp >> ${found(root)} 2>&1; true`,
      },
    ]
    const made = planned({ code: [CHEAT, RIGHT], steps: looks })
    expect(made.ralph(['build', 'Shout']).code).toBe(0)
    const seen = textIn(made, 'found') + textIn(made, 'prompts')
    expect(seen).not.toContain(CANARY)
    // It did look: the task, the engine and the refusals answered.
    expect(seen).toContain('Title:       Add shout')
    expect(seen).toContain('"name":"ralph"')
    expect(seen).toContain("'ralph.sealed' is for the operator")
    expect(seen).toContain("'ralph task show' is for the operator")
    expect(seen.split('is for the operator: what a build has started cannot do it').length).toBeGreaterThan(4)
    expect(made.ok('show', 'shout', '--sealed')).toContain(CANARY)
  })
})
