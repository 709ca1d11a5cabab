// The channel of one run: a file to which reporters of our own write what the test runners did, and what brings those
// reporters into the runners. A program of the run can find and forge it, but not by accident.
import { randomBytes } from 'node:crypto'
import { lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { RunOptions } from '../check.ts'
import { preloadText } from './preload-text.ts'
import { PLUGIN, pytestText } from './pytest-text.ts'
import type { ChannelTerms } from './terms.ts'

const PRELOAD = 'ralph-test-names.cjs'

export interface ChannelPlace {
  /** Of this run alone. */
  readonly root: string
  /** The checkout. */
  readonly folder: string
  readonly options: RunOptions
  /** `without`: for a command whose environment keeps pytest from finding it. */
  readonly pytestPlugin: 'with' | 'without'
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
export function openChannel({ root, folder, options, pytestPlugin }: ChannelPlace): Channel {
  const nonce = randomBytes(16).toString('hex')
  const log = join(root, `${randomBytes(8).toString('hex')}.log`)
  const preload = join(root, PRELOAD)
  const nodeOptions = `--require ${JSON.stringify(preload)}`
  const { only = [], stopAtFirstRed = false } = options
  const terms: ChannelTerms = { log, nonce, options: nodeOptions, folder, only, stop: stopAtFirstRed }
  const python = join(root, 'python')
  const files = new Map([
    [preload, preloadText(terms)],
    ...(pytestPlugin === 'with' ? [[join(python, `${PLUGIN}.py`), pytestText(terms)] as const] : []),
  ])
  for (const [path, text] of files) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text, { flag: 'wx', mode: 0o400 })
  }
  writeFileSync(log, '', { flag: 'wx', mode: 0o600 })
  const states = new Map([...files.keys()].map((path) => [path, stateOf(path)]))
  const addopts = ['-rpfEsxX', ...(stopAtFirstRed ? ['-x'] : [])]
  return {
    nonce,
    variables: {
      NODE_OPTIONS: nodeOptions,
      GOFLAGS: stopAtFirstRed ? '-v -failfast' : '-v',
      ...(pytestPlugin === 'with'
        ? { PYTEST_ADDOPTS: [...addopts, '-p', PLUGIN].join(' '), PYTHONPATH: python }
        : { PYTEST_ADDOPTS: addopts.join(' ') }),
    },
    changed: () => [...states].filter(([path, state]) => stateOf(path) !== state).map(([path]) => basename(path)),
    written: () => readLog(log),
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
function stateOf(path: string): string {
  try {
    const { ino, mode, ctimeNs } = lstatSync(path, { bigint: true })
    return `${ino} ${mode} ${ctimeNs} ${readFileSync(path, 'utf8')}`
  } catch {
    return ''
  }
}
