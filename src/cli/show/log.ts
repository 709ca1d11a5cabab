// What happened in a build, fact by fact, with times; and what its agents said.
import type { Build } from '../../core/builds/build.ts'
import { refuse } from '../../core/error/error.ts'
import { type Fact, type RecordedFact, taskOf } from '../../core/fact/fact.ts'
import { type TaskId, taskId } from '../../core/values/id.ts'
import { formatInstant } from '../../core/values/instant.ts'
import { factsOf, followFacts } from '../../operations/builds/build-facts.ts'
import { isOver } from '../../core/builds/build.ts'
import { type BuildContext, findBuild } from '../../operations/builds/builds.ts'
import type { Call, Command } from '../command.ts'
import { print, printJson } from '../output.ts'
import { openExistingContext } from '../run/build-context.ts'
import { onInterrupt } from '../run/interrupt.ts'
import { firstLine, shownLines, shownText } from '../text/sanitize.ts'
import { describeFact, describeFactBelow, usedIn } from '../text/describe-fact.ts'
import { printTranscripts } from './transcript.ts'
import { wireFact } from '../../operations/feed/feed-piece.ts'

export const log: Command = {
  usage: 'log [BUILD] [--task ID] [--follow] [--full] [--transcript]',
  // The planner wrote the sealed examples, and a reviewer saw them.
  who: (flags) => (flags.has('transcript') ? 'operator' : 'anyone'),
  about: 'Prints what happened in a build, with times in UTC; or, with --transcript, what its agents said and did.',
  flags: [
    { long: 'task', takes: 'value', value: 'ID', about: 'only what is about this task' },
    { long: 'follow', short: 'f', takes: 'nothing', about: 'go on as it happens, until the build ends' },
    { long: 'full', takes: 'nothing', about: 'errors, questions and answers to their last line' },
    { long: 'transcript', takes: 'nothing', about: "the agents' own words, iteration by iteration" },
  ],
  wordsMax: 1,
  run: async (call) => {
    const context = await openExistingContext(call)
    const build = await findBuild(context, call.words[0])
    const task = await wantedTask(context, call)
    if (call.flags.has('transcript')) return printTranscripts(context, call, build, task)
    const facts = call.flags.has('follow') ? untilTheEnd(context, build) : factsOf(context, build.id, 0)
    for await (const recorded of facts) printFacts(call, build, task, recorded)
  },
}

async function wantedTask({ store, scope }: BuildContext, { flags }: Call): Promise<TaskId | null> {
  const named = flags.get('task')
  if (named === undefined) return null
  const id = taskId(named)
  if ((await store.tasks.find(scope, id)) === null) throw refuse('TASK_NOT_FOUND', { id })
  return id
}

function printFacts(call: Call, build: Build, task: TaskId | null, recorded: readonly RecordedFact[]): void {
  const wanted = recorded.filter(({ fact }) => task === null || taskOf(fact) === task)
  for (const one of wanted) {
    if (call.wantsJson) printJson(wireFact(build, one))
    // The fact before says why the attempt failed.
    else if (call.flags.has('full') && one.fact.type !== 'taskFailed') print(lineOf(one) + detailOf(one.fact))
    else print(lineOf(one))
  }
}

/** Every fact has a line here, also those that are not worth one while one looks on. */
function lineOf({ seq, at, fact }: RecordedFact): string {
  const line = describeFact(fact, at)
  const about = taskOf(fact)
  const text = line?.text ?? [unsaid(fact), usedIn(fact)].filter((part) => part !== '').join(' · ')
  const below = describeFactBelow(fact).map((one) => `${' '.repeat(29)}${one}\n`)
  const sentence = `${about === null ? '' : `${shownText(about)}: `}${text}\n`
  return `${formatInstant(at)}  ${String(seq).padStart(4)}  ${sentence}${below.join('')}`
}

/** The live view announces interventions by their own line; here each fact has its own. */
function unsaid(fact: Fact): string {
  if (fact.type !== 'intervened') return fact.type
  const { intervention } = fact
  return intervention.type === 'escalate'
    ? `SIA answers: escalate, ${firstLine(intervention.reason)}`
    : `SIA answers: ${intervention.type}, by ${intervention.technique}`
}

/** What a line had no room for. */
function detailOf(fact: Fact): string {
  const texts = Object.values(fact).flatMap((value) =>
    typeof value === 'object' && value !== null ? Object.values(value) : [value],
  )
  const long = texts.filter((text) => typeof text === 'string' && text.trim().includes('\n'))
  return long.flatMap((text) => shownLines(String(text)).map((line) => `    ${line}`.trimEnd().concat('\n'))).join('')
}

async function* untilTheEnd(context: BuildContext, build: Build): AsyncGenerator<readonly RecordedFact[]> {
  const over = new AbortController()
  const stop = (): void => {
    process.exitCode = 130
    over.abort()
  }
  const quiet = onInterrupt({ stop, kill: stop })
  if (isOver(build.state)) over.abort()
  try {
    for await (const facts of followFacts(context, build.id, 0, over.signal)) {
      yield facts
      if (isOver((await findBuild(context, build.id)).state)) over.abort()
    }
  } finally {
    over.abort()
    quiet()
  }
}
