// Runs the examples of a task in a checkout: each in a process of its own with the environment of a check, bounded in
// time and output, and with nothing left behind.
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import { delimiter, isAbsolute, join, relative } from 'node:path'
import { type CallExample, type CommandExample, languageOf, type SealedExample } from '../../core/sealed/example.ts'
import {
  type CallEnd,
  callResult,
  commandResult,
  type ExampleResult,
  NO_TIME_LEFT,
  PRINTED_TOO_MUCH,
  TOOK_TOO_LONG,
} from '../../core/sealed/example-result.ts'
import type { Ended } from '../../system/process/ended.ts'
import { outputText } from '../../system/process/head-tail-buffer.ts'
import { run } from '../../system/process/spawn.ts'
import type { ExampleBounds } from '../check.ts'
import type { CheckEnvironment } from '../environment.ts'
import type { CheckPlace } from '../run-check.ts'
import { withTempHome } from '../temp-home.ts'
import { checkEnvironment } from '../environment.ts'
import { type CallRequest, NODE_PROGRAM, PYTHON_PROGRAM } from './call-program.ts'

/** Of one example. */
const DEADLINE_MS = 10_000
const OUTPUT_CAP_BYTES = 1024 * 1024
/** The result file is written by the tree's own process; a longer one is no answer. */
const RESULT_LENGTH_MAX = 4 * 1024 * 1024
const GRACE_MS = 500

export async function tryExamples(
  examples: readonly SealedExample[],
  place: CheckPlace,
  bounds: ExampleBounds = {},
): Promise<ExampleResult[]> {
  const results: ExampleResult[] = []
  const startedAt = performance.now()
  for (const example of examples) {
    const left = Math.min(DEADLINE_MS, (bounds.limitMs ?? Number.POSITIVE_INFINITY) - (performance.now() - startedAt))
    results.push(left <= 0 ? NO_TIME_LEFT : await tryExample(example, place, left))
  }
  return results
}

interface Room {
  readonly folder: string
  /** Outside of the tree, for this example alone. */
  readonly root: string
  readonly env: CheckEnvironment
  readonly deadlineMs: number
  readonly signal: AbortSignal | undefined
}

/** Each has a home and a temporary folder of its own, so that no example sees what another left. */
function tryExample(example: SealedExample, place: CheckPlace, deadlineMs: number): Promise<ExampleResult> {
  return withTempHome((own) => {
    const { folder, user, signal } = place
    const env = checkEnvironment({ user, home: place.home ?? own.home, temporary: own.temporary, folder })
    const room = { folder, root: own.root, env: { ...env, PYTHONDONTWRITEBYTECODE: '1' }, deadlineMs, signal }
    return 'call' in example ? tryCall(example, room) : tryCommand(example, room)
  })
}

async function tryCommand(example: CommandExample, room: Room): Promise<ExampleResult> {
  const { argv, stdin } = example.command
  const ended = await runIn(room, argv, stdin)
  if (ended.how === 'notStarted') return { is: 'missing', answer: `the program '${argv[0] ?? ''}' cannot be started` }
  const cut = cutShort(ended, room.signal)
  if (cut !== null) return cut
  return commandResult(example, { exit: ended.code ?? -1, stdout: outputText(ended.stdout) })
}

async function tryCall(example: CallExample, room: Room): Promise<ExampleResult> {
  const { module } = example.call
  if (!isFileInside(room.folder, module)) return { is: 'missing', answer: `there is no ${module}` }
  const started = performance.now()
  let last: ExampleResult = { is: 'unclear', answer: 'no loader' }
  for (const loader of loadersFor(room, module)) {
    const deadlineMs = room.deadlineMs - (performance.now() - started)
    if (deadlineMs <= 0) break
    last = await callWith(example, { ...room, deadlineMs }, loader)
    if (last.is !== 'unclear') return last
  }
  return last
}

interface Loader extends Pick<CallRequest, 'load'> {
  readonly argv: (program: string) => readonly string[]
  readonly program: string
}

const NODE: Loader = { argv: (program) => ['node', program], program: NODE_PROGRAM, load: 'import' }

/** In this order, as long as the module cannot be loaded: Node itself, then what the project has. */
function loadersFor({ folder, env }: Room, module: string): readonly Loader[] {
  const language = languageOf(module)
  if (language === 'javascript') return [NODE]
  if (language === 'python') return [python(folder, env)]
  const has = (name: string): boolean => existsSync(join(folder, 'node_modules', name, 'package.json'))
  return [
    NODE,
    // The Node that runs Ralph reads TypeScript, also where the one on PATH is too old to.
    { ...NODE, argv: (program) => [process.execPath, program] },
    ...(has('tsx') ? [{ ...NODE, argv: (program: string) => ['node', '--import', 'tsx', program] }] : []),
    ...(has('ts-node')
      ? [
          {
            ...NODE,
            argv: (program: string) => ['node', '-r', 'ts-node/register/transpile-only', program],
            load: 'require' as const,
          },
        ]
      : []),
  ]
}

/** The environment that the project's setup made comes first. */
function python(folder: string, { PATH = '' }: CheckEnvironment): Loader {
  const own = ['.venv', 'venv'].map((name) => join(folder, name, 'bin', 'python')).find((path) => existsSync(path))
  const known = PATH.split(delimiter).some((path) => existsSync(join(path, 'python3'))) ? 'python3' : 'python'
  return { argv: (program) => [own ?? known, program], program: PYTHON_PROGRAM, load: 'import' }
}

async function callWith(example: CallExample, room: Room, loader: Loader): Promise<ExampleResult> {
  const { module, name, args } = example.call
  // Nobody can guess its name, and the module's code runs only after the request is read.
  const place = join(room.root, randomUUID())
  mkdirSync(place, { mode: 0o700 })
  const isPython = loader.program === PYTHON_PROGRAM
  const program = join(place, isPython ? 'call.py' : 'call.mjs')
  const result = join(place, 'result.json')
  writeFileSync(program, loader.program)
  const request: CallRequest = { folder: room.folder, module, name, args, result, load: loader.load }
  const ended = await runIn(room, loader.argv(program), JSON.stringify(request))
  if (ended.how === 'notStarted') return { is: 'unclear', answer: ended.sentence }
  const cut = cutShort(ended, room.signal)
  if (cut !== null) return cut
  const end = readEnd(result)
  if (end === null) return { is: 'unclear', answer: `the loader did not start (${endText(ended)})` }
  if (end.is === 'started') return { is: 'fails', answer: `ended before it answered (${endText(ended)})` }
  return callResult(example, end)
}

function endText({ code, signal }: Ended): string {
  return code === null ? `signal ${signal ?? 'unknown'}` : `exit code ${code}`
}

function runIn(room: Room, argv: readonly string[], input: string): Promise<Ended> {
  const { folder, env, deadlineMs, signal } = room
  return run({
    argv,
    cwd: folder,
    env,
    input,
    deadlineMs,
    graceMs: GRACE_MS,
    outputCapBytes: OUTPUT_CAP_BYTES,
    keep: { headBytes: OUTPUT_CAP_BYTES, tailBytes: 0 },
    ...(signal === undefined ? {} : { signal }),
  })
}

/** Null: it came to its own end. Rejects where the caller stopped it. */
function cutShort(ended: Ended, signal: AbortSignal | undefined): ExampleResult | null {
  switch (ended.how) {
    case 'deadline':
    case 'idle':
    case 'lingered':
      return TOOK_TOO_LONG
    case 'flooded':
      return PRINTED_TOO_MUCH
    case 'aborted':
      throw signal?.reason ?? new Error('the examples were stopped')
    default:
      return null
  }
}

/** Null: not even the program that makes the call came to run. */
function readEnd(path: string): CallEnd | Started | null {
  try {
    const text = readFileSync(path, 'utf8')
    if (text.length > RESULT_LENGTH_MAX) return { is: 'strange', what: 'a value that is too long' }
    const end = JSON.parse(text) as CallEnd | Started
    return typeof end === 'object' && end !== null && ENDS.includes(end.is) ? end : null
  } catch {
    return null
  }
}

interface Started {
  readonly is: 'started'
}

const ENDS: readonly (CallEnd | Started)['is'][] = [
  'started',
  'returned',
  'threw',
  'missing',
  'broken',
  'unloadable',
  'strange',
]

/** A link in the tree must not lead out of it. */
function isFileInside(folder: string, module: string): boolean {
  try {
    const path = relative(realpathSync.native(folder), realpathSync.native(join(folder, module)))
    return path !== '' && !path.startsWith('..') && !isAbsolute(path)
  } catch {
    return false
  }
}
