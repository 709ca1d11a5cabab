// The steps of the scripted agent, played by a model that has only our tools: it makes changes with repo_apply_patch.
// It cannot play steps that need a shell.
import type { Step, StepName } from '../../src/agents/scripted/scenario.ts'
import { signalOf } from '../../src/core/session/signal.ts'
import type { Ask } from '../model-server/ask.ts'
import { inOrder, type Scenario } from '../model-server/scenario.ts'
import { hang, type Piece, type Turn } from '../model-server/turn.ts'

type Said = (ask: Ask) => Piece

export function stepsByTools(steps: readonly Step[]): Scenario {
  const lines: (Turn | Scenario)[] = []
  const contents = new Map<string, string>()
  let said: Said[] = []
  let [answer, signal] = ['', '']
  const close = (): void => {
    const all = said
    lines.push((ask) => ({ says: all.map((one) => one(ask)) }))
    said = []
  }
  const call = (tool: string, input: (ask: Ask) => Record<string, unknown>): void => {
    said.push((ask) => ({ call: tool, input: input(ask) }))
    close()
  }
  const put = (path: string, content: string): void => {
    contents.set(path, content)
    call('repo_apply_patch', () => ({ files: [{ path, content }] }))
  }
  for (const step of steps) {
    if ('write' in step) put(step.write.path, step.write.content)
    else if ('append' in step) put(step.append.path, `${contents.get(step.append.path) ?? ''}${step.append.content}`)
    else if ('delete' in step) call('repo_apply_patch', () => ({ diff: deletion(step.delete) }))
    else if ('scratchpad' in step) call('write_scratchpad', () => ({ ...step.scratchpad }))
    else if ('savePrompt' in step)
      call('repo_apply_patch', (ask) => ({ files: [{ path: step.savePrompt, content: promptIn(ask) }] }))
    else if ('say' in step) said.push(() => ({ text: step.say }))
    else if ('answer' in step) answer = JSON.stringify(step.answer)
    else if ('answerText' in step) answer = step.answerText
    else if ('flood' in step) said.push(() => ({ text: flood(step.flood.bytes, step.flood.as) }))
    else if ('signal' in step) {
      const told = signalOf(step.signal.kind, step.signal.reason)
      signal = 'reason' in told ? `${told.kind}: ${told.reason}` : told.kind
    } else if ('hang' in step) {
      // What was said before has to be heard first.
      if (said.length > 0) call('repo_read', () => ({ path: '.' }))
      return inOrder(...lines, hang)
    } else throw new Error(`a model has no ${Object.keys(step)[0] as StepName}; name it in what the agent lacks`)
  }
  const last = [answer, signal].filter((text) => text !== '').join('\n\n')
  if (last !== '') said.push(() => ({ text: last }))
  close()
  return inOrder(...lines)
}

/** Of an empty file. */
function deletion(path: string): string {
  return `diff --git a/${path} b/${path}\ndeleted file mode 100644\nindex e69de29..0000000\n`
}

function promptIn(ask: Ask): string {
  return ask.messages.find(({ from }) => from === 'user')?.texts.at(-1) ?? ''
}

function flood(bytes: number, as: 'lines' | 'oneLine'): string {
  const line = as === 'lines' ? `${'x'.repeat(63)}\n` : 'x'.repeat(64)
  return line.repeat(bytes / line.length)
}
