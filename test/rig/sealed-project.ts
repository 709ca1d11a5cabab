// A project whose planner writes sealed examples, and what its sessions saw.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LandedNote } from '../../src/core/evidence/attestation.ts'
import { CHECK, project, type Project } from './project.ts'
import { answers, SIA_GIVES_UP, wire } from './sessions.ts'

export const CANARY = 'CANARY4711'
export const called = (given: string, returns: string) => ({
  call: { module: 'shout.js', name: 'shout', args: [given], returns },
})
export const EXAMPLES = [called(`${CANARY}a`, `${CANARY}A!`), called('b', 'B!'), called('', '!')]

export const TEST = `import { test } from 'node:test'
import assert from 'node:assert/strict'
import { shout } from './shout.js'
test('shout', () => assert.equal(shout('x'), 'X!'))
`
export const RIGHT = 'export const shout = (text) => `${text.replace(/[a-z]+$/, (one) => one.toUpperCase())}!`\n'
/** A table of the visible value. */
export const CHEAT = "export const shout = (text) => (text === 'x' ? 'X!' : '')\n"

export const complete = { signal: { kind: 'TASK_COMPLETE' } }
export const write = (path: string, content: string) => ({ write: { path, content } })

/** Keeps the prompt of the session outside of its folder. */
function keepsPrompt(root: string): object[] {
  return [
    { savePrompt: 'prompt.txt' },
    { run: `cat prompt.txt >> '${root}/prompts'; echo >> '${root}/prompts'; rm prompt.txt` },
  ]
}

export function toml(root: string, more = ''): string {
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
  /** What the last session does besides. */
  readonly steps?: (root: string) => readonly object[]
}

/** A project whose planner makes one task with examples. */
export function planned({ code, more = '', examples = EXAMPLES, steps = () => [] }: Play): Project {
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

export function reviewer({ root }: Project, answer: object): void {
  writeFileSync(join(root, 'reviewer.sh'), `cat > '${root}/review'\necho '${JSON.stringify(answer)}'\n`)
}

export const textIn = ({ root }: Project, name: string): string =>
  existsSync(join(root, name)) ? readFileSync(join(root, name), 'utf8') : ''

export function note(made: Project): LandedNote {
  return JSON.parse(made.git('notes', '--ref', 'ralph', 'show', `ralph/${made.build()}`)) as LandedNote
}

interface SomeFact {
  readonly type: string
  readonly sentence?: string
  readonly sealed?: string
}

export function facts(made: Project): SomeFact[] {
  const { stdout } = made.ralph(['log', '--json'])
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as SomeFact)
}
