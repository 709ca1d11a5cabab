// `ralph idea move`
import { refuse } from '../../core/error/error.ts'
import { writtenSpec } from '../../core/idea/spec-text.ts'
import { pipelinePhase } from '../../operations/ideas/ideas.ts'
import { type MovedIdea, moveIdea, type MoveOptions } from '../../operations/ideas/move-idea.ts'
import { knownAgent } from '../run/options.ts'
import type { Call, Command } from '../command.ts'
import { print, printError, printJson } from '../output.ts'
import { textOf } from './add.ts'
import { terminalIdeaActions } from '../run/idea-actions.ts'
import { ideaNamed, openIdeaContext } from './look.ts'

export const move: Command = {
  usage: 'idea move ID PHASE [-m REASON] [--spec FILE] [--override] [--agent NAME] [--no-run]',
  who: 'operator',
  about:
    'Moves an idea on, and starts what the phase is for: specification asks the planner, building builds, deployed ships\n' +
    'through the gate. An illegal move is refused, and the legal ones are named.',
  flags: [
    { long: 'message', short: 'm', takes: 'value', value: 'REASON', about: 'why; kept with the move' },
    { long: 'spec', takes: 'value', value: 'FILE|-', about: 'the spec it has from now on, written by you' },
    { long: 'override', takes: 'nothing', about: 'although something it needs is missing; needs -m, and is recorded' },
    { long: 'agent', takes: 'value', value: 'NAME', about: 'who plans or builds' },
    { long: 'no-run', takes: 'nothing', about: "only move it: 'ralph build' builds, you write the spec" },
  ],
  wordsMax: 2,
  run: async (call) => {
    const to = call.words[1]
    if (to === undefined) throw refuse('USAGE', { message: 'missing phase' })
    const options = await optionsOf(call, to)
    const agent = call.flags.get('agent')
    const who = agent === undefined ? null : knownAgent(agent)
    const context = await openIdeaContext(call)
    const actions = terminalIdeaActions(context, call, who, call.flags.has('no-run') ? 'by-hand' : 'planned')
    const moved = await moveIdea(context, actions, ideaNamed(call), options)
    const runs = moved.starts === 'build' || moved.starts === 'resumeBuild'
    if (runs && !call.flags.has('no-run')) return build(call, moved)
    tell(call, moved)
  },
}

async function optionsOf(call: Call, to: string): Promise<MoveOptions> {
  const [reason, spec] = [call.flags.get('message')?.trim(), call.flags.get('spec')]
  if (call.flags.has('override') && !reason)
    throw refuse('USAGE', { message: '--override needs -m REASON, which is kept' })
  return {
    to: pipelinePhase(to),
    reason: reason || 'asked for',
    missing: call.flags.has('override') ? 'overridden' : 'refused',
    ...(spec === undefined ? {} : { spec: writtenSpec(ideaNamed(call), await textOf(call, spec)) }),
  }
}

/** Goes on as `ralph build` does, and then reports what becomes of the idea. */
async function build(call: Call, { idea, build: begun }: MovedIdea): Promise<void> {
  if (begun !== null) printError(`Idea ${idea.id} is in ${idea.phase}: build ${begun.id}.\n`)
  const agent = call.flags.get('agent')
  const flags = new Map(agent === undefined ? [] : [['agent', agent]])
  const { build: command } = await import('../run/build.ts')
  await command.run({ ...call, words: [], flags })
}

function tell(call: Call, { idea, from, build: begun }: MovedIdea): void {
  if (call.wantsJson) return printJson({ ...idea, from, build: begun?.id ?? null })
  print(`${idea.id}: ${from} -> ${idea.phase}\n`)
  if (idea.phase === 'building' && begun !== null) printError(`Build ${begun.id} is started; 'ralph build' runs it.\n`)
  if (idea.phase === 'ideation_ready')
    printError(`'ralph idea move ${idea.id} specification' lets the planner write its spec.\n`)
  if (idea.phase === 'spec_ready') printError(`'ralph idea move ${idea.id} building' builds it.\n`)
}
