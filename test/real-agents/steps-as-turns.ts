// The steps of the scripted agent, played by a model that uses the agent's own tools. So one conformance suite covers
// agents that play steps themselves and agents with a model behind them.
import { join } from 'node:path'
import type { FailureKind } from '../../src/agents/agent.ts'
import type { Step, StepName, StepValue } from '../../src/agents/scripted/scenario.ts'
import { renderScratchpad, SCRATCHPAD_FILE } from '../../src/core/session/scratchpad.ts'
import { signalOf } from '../../src/core/session/signal.ts'
import { type Ask, lastResult, systemText } from '../model-server/ask.ts'
import { inOrder, type Scenario } from '../model-server/scenario.ts'
import { type Fault, hang, type Piece, refuse, type Turn } from '../model-server/turn.ts'

/** The suite asks for a scratchpad in the fourth iteration only. */
const ITERATION = 4

type Said = (ask: Ask) => Piece

/** What a step adds to the turn; each tool call ends one, since what comes after it may hang on its result. */
type Move =
  | { readonly says: Said }
  | { readonly calls: readonly Said[]; readonly after?: Said }
  | { readonly isLast: Turn }
  /** Part of the final message. */
  | { readonly answers: string }
  | { readonly signals: string }

type Moves = { readonly [Name in StepName]: ((value: StepValue<Name>) => Move) | null }

const moves: Moves = {
  write: ({ path, content }) => write(path, () => content),
  append: ({ path, content }) => bash(`printf %s ${quoted(content)} >> ${quoted(path)}`),
  delete: (path) => bash(`rm -r ${quoted(path)}`),
  run: (words) => bash(typeof words === 'string' ? words : words.map(quoted).join(' ')),
  commit: ({ message }) => bash(`git add --all && ${SCRIPTED_GIT} commit --quiet --allow-empty -m ${quoted(message)}`),
  scratchpad: (text) => write(SCRATCHPAD_FILE, () => renderScratchpad(ITERATION, text)),
  // The tool that writes files drops blanks at the ends of lines.
  savePrompt: (path) => ({
    calls: [
      writing(`${path}.base64`, (ask) => Buffer.from(promptIn(ask)).toString('base64')),
      running(`base64 -d ${quoted(path)}.base64 > ${quoted(path)}`),
    ],
  }),
  writeOutside: ({ path, content }) => ({ calls: [() => ({ call: 'Write', input: { file_path: path, content } })] }),
  // Codex refuses every `rm -f`.
  deleteFolder: () => bash('rm -r "$PWD"'),
  leaveChild: ({ ignoreSigterm = false }) => ({
    ...bash(leaving(ignoreSigterm ? "trap '' TERM HUP; " : '')),
    after: (ask) => ({ text: `left process ${lastResult(ask)?.text.trim()}` }),
  }),
  say: (text) => ({ says: () => ({ text }) }),
  answer: (json) => ({ answers: JSON.stringify(json) }),
  answerText: (text) => ({ answers: text }),
  signal: ({ kind, reason }) => {
    const signal = signalOf(kind, reason)
    return { signals: 'reason' in signal ? `${kind}: ${signal.reason}` : kind }
  },
  hang: () => ({ isLast: hang }),
  // The shell of a tool is the agent's child.
  crash: (how) => bash(`kill -${'code' in how ? 'KILL' : how.signal.slice(3)} $PPID; read -r _ < /dev/zero`),
  fail: ({ kind, sentence, untilInSeconds: seconds }) => ({
    isLast: refuse(faultOf(kind), { words: sentence, ...(seconds === undefined ? {} : { resetsInSeconds: seconds }) }),
  }),
  flood: ({ bytes, as }) => ({ says: () => ({ text: flood(bytes, as) }) }),
  usage: null,
  sleep: null,
  linger: null,
  badUtf8: null,
  tornJson: null,
}

export function stepsAsTurns(steps: readonly Step[]): Scenario {
  const lines: (Turn | Scenario)[] = []
  let said: Said[] = []
  let [answer, signal] = ['', '']
  const close = (): void => {
    const all = said
    lines.push((ask) => ({ says: all.map((one) => one(ask)) }))
    said = []
  }
  for (const move of steps.map(moveOf)) {
    if ('answers' in move) answer = move.answers
    else if ('signals' in move) signal = move.signals
    else if ('says' in move) said.push(move.says)
    else if ('calls' in move) {
      for (const call of move.calls) {
        said.push(call)
        close()
      }
      if (move.after !== undefined) said.push(move.after)
    } else {
      // What was said before has to be heard first.
      if (said.length > 0) {
        said.push(() => ({ call: 'Bash', input: { command: 'true' } }))
        close()
      }
      return inOrder(...lines, move.isLast)
    }
  }
  const last = [answer, signal].filter((text) => text !== '').join('\n\n')
  if (last !== '') said.push(() => ({ text: last }))
  close()
  return inOrder(...lines)
}

function moveOf(step: Step): Move {
  const [name, value] = Object.entries(step)[0] as [StepName, never]
  const move = moves[name]
  if (move === null) throw new Error(`a model cannot make an agent ${name}; name it in what the agent lacks`)
  return move(value)
}

const SCRIPTED_GIT = 'git -c user.name=scripted -c user.email=scripted@localhost'

function bash(command: string): Move {
  return { calls: [running(command)] }
}

function running(command: string): Said {
  return () => ({ call: 'Bash', input: { command, description: 'A step of the scenario' } })
}

function write(path: string, content: (ask: Ask) => string): Move {
  return { calls: [writing(path, content)] }
}

function writing(path: string, content: (ask: Ask) => string): Said {
  return (ask) => ({ call: 'Write', input: { file_path: join(folderOf(ask), path), content: content(ask) } })
}

function folderOf(ask: Ask): string {
  const folder = /^ ?- Primary working directory: (.*)$/m.exec(systemText(ask))?.[1]
  if (folder === undefined) throw new Error('the agent does not tell the model which folder it works in')
  return folder
}

/** The last text of the first message: before it stands what the agent itself has to say. */
function promptIn(ask: Ask): string {
  return ask.messages.find(({ from }) => from === 'user')?.texts.at(-1) ?? ''
}

/** Until it has a group and a session of its own, an agent ends it with its shell. */
const IS_AWAY = 'until grep -q " $! $! " /proc/$!/stat; do :; done'

function leaving(trap: string): string {
  const child = `${trap}while :; do sleep 1000; done`
  return `setsid sh -c ${quoted(child)} < /dev/null > /dev/null 2>&1 & ${IS_AWAY}; echo $!`
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}

function flood(bytes: number, as: 'lines' | 'oneLine'): string {
  const line = as === 'lines' ? `${'x'.repeat(63)}\n` : 'x'.repeat(64)
  return line.repeat(bytes / line.length)
}

const faults: Readonly<Partial<Record<FailureKind, Fault>>> = {
  auth: 'auth',
  billing: 'credit',
  rateLimit: 'rateLimit',
  overload: 'overload',
  contextTooLong: 'tooLong',
}

function faultOf(kind: FailureKind): Fault {
  const fault = faults[kind]
  if (fault === undefined) throw new Error(`a model cannot make an agent fail with ${kind}`)
  return fault
}
