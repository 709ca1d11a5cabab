// The channel of one run: a file to which reporters of our own write what the test runners did, and what brings those
// reporters into the runners. A program of the run can find and forge it, but not by accident.
import { randomBytes } from 'node:crypto'
import { lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { RunOptions } from '../check.ts'
import { jestReporterText } from './jest-text.ts'
import { mochaHookText } from './mocha-text.ts'
import { NODE_DEFAULT_TEXT, nodeReporterText } from './node-text.ts'
import { preloadText } from './preload-text.ts'
import { PLUGIN, PLUGIN_REFUSED, pytestText } from './pytest-text.ts'
import type { ChannelTerms } from './terms.ts'
import { vitestReporterText } from './vitest-text.ts'

const PRELOAD = 'ralph-test-names.cjs'

export interface ChannelPlace {
  /** Of this run alone. */
  readonly root: string
  /** The checkout. */
  readonly folder: string
  readonly options: RunOptions
  readonly reach: ChannelReach
}

/** The runners that can be reached by their environment. */
export interface ChannelReach {
  /** Not where the command has its own path of Python modules, or none. */
  readonly pytest: boolean
  /** Not before Node 20, and not where its arguments name a reporter without a destination. */
  readonly nodeTest: boolean
}

export const FULL_REACH: ChannelReach = { pytest: true, nodeTest: true }

const NODE_REFUSED =
  /--test-reporter\S* is not allowed in NODE_OPTIONS|'--test-reporter' must match the number of specified '--test-reporter-destination'/

/** What is left where a program refused what it found in its environment; null: none did. */
export function reachAfter(reach: ChannelReach, output: string): ChannelReach | null {
  const left = {
    pytest: reach.pytest && !PLUGIN_REFUSED.test(output),
    nodeTest: reach.nodeTest && !NODE_REFUSED.test(output),
  }
  return left.pytest === reach.pytest && left.nodeTest === reach.nodeTest ? null : left
}

export interface Channel {
  /** Variables for every program of the run. */
  readonly variables: Readonly<Record<string, string>>
  /** Files that changed since they were written: the run may have loaded something else. */
  changed(): readonly string[]
  /** What the reporters wrote. */
  written(): string
  readonly nonce: string
}

/**
 * Writes the files for one run, into a folder of that run alone. The run learns the path from its environment, so the
 * run and its tests can write there; such a change reaches no other run, and is found when the run is over.
 */
export function openChannel({ root, folder, options, reach }: ChannelPlace): Channel {
  const nonce = randomBytes(16).toString('hex')
  const log = join(root, `${randomBytes(8).toString('hex')}.log`)
  const preload = join(root, PRELOAD)
  const { only = [], stopAtFirstRed = false } = options
  const reporters = reportersIn(root)
  const loading = `--require ${JSON.stringify(preload)}`
  const nodeOptions = reach.nodeTest ? [loading, ...reporters.inEnvironment].join(' ') : loading
  const { nodeTest, vitest, jest, mocha } = reporters
  const terms: ChannelTerms = {
    log,
    nonce,
    options: nodeOptions,
    preload: loading,
    reporters: { nodeTest, vitest, jest, mocha, isInEnvironment: reach.nodeTest },
    folder,
    only,
    stop: stopAtFirstRed,
  }
  const python = join(root, 'python')
  const files = new Map([
    [preload, preloadText(terms)],
    [reporters.node, nodeReporterText(terms)],
    [reporters.nodeDefault, NODE_DEFAULT_TEXT],
    [vitest, vitestReporterText(terms)],
    [jest, jestReporterText(terms)],
    [mocha, mochaHookText(terms)],
    ...(reach.pytest ? [[join(python, `${PLUGIN}.py`), pytestText(terms)] as const] : []),
  ])
  if (reach.pytest) mkdirSync(python)
  for (const [path, text] of files) writeFileSync(path, text, { flag: 'wx', mode: 0o400 })
  writeFileSync(log, '', { flag: 'wx', mode: 0o600 })
  const stamps = new Map([...files.keys()].map((path) => [path, stampOf(path)]))
  const addopts = ['-rpfEsxX', ...(stopAtFirstRed ? ['-x'] : [])]
  return {
    nonce,
    variables: {
      NODE_OPTIONS: nodeOptions,
      GOFLAGS: stopAtFirstRed ? '-v -failfast' : '-v',
      ...(reach.pytest
        ? { PYTEST_ADDOPTS: [...addopts, '-p', PLUGIN].join(' '), PYTHONPATH: python }
        : { PYTEST_ADDOPTS: addopts.join(' ') }),
    },
    changed: () =>
      [...files]
        .filter(([path, text]) => stampOf(path) !== stamps.get(path) || readText(path) !== text)
        .map(([path]) => basename(path)),
    written: () => readLog(log),
  }
}

/** Where the files are; those of node:test also as its options. */
function reportersIn(root: string) {
  const at = (name: string): string => join(root, name)
  const [node, nodeDefault] = [at('ralph-node-test.cjs'), at('ralph-node-default.cjs')]
  const option = (file: string, destination: string): readonly string[] => [
    `--test-reporter=${pathToFileURL(file).href}`,
    `--test-reporter-destination=${destination}`,
  ]
  // Node opens the destination anew for each run, so the reporter writes to the log by itself.
  const own = option(node, at('nothing'))
  return {
    node,
    nodeDefault,
    nodeTest: own,
    inEnvironment: [...own, ...option(nodeDefault, 'stdout')].map((word) => JSON.stringify(word)),
    vitest: at('ralph-vitest.mjs'),
    jest: at('ralph-jest.cjs'),
    mocha: at('ralph-mocha.cjs'),
  }
}

/** A line for each of 100,000 tests; what is beyond is left out, and then a runner has not said that it ended. */
const LOG_BYTES_MAX = 64 * 1024 * 1024

function readLog(path: string): string {
  try {
    return readFileSync(path).subarray(0, LOG_BYTES_MAX).toString('utf8')
  } catch {
    return ''
  }
}

/** No program can set back a file's change time, so a file that was changed and restored is found as well. */
function stampOf(path: string): string {
  try {
    const { ino, mode, ctimeNs } = lstatSync(path, { bigint: true })
    return `${ino} ${mode} ${ctimeNs}`
  } catch {
    return ''
  }
}

/** Two changes within one tick of the clock have the same time. */
function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
