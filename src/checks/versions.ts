// The versions of the tools behind a result. A program on PATH is asked once, and again when its file changes.
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withoutEscapes } from '../core/test-output/plain-lines.ts'
import { packagesOf, programsOf } from '../core/evidence/runner-version.ts'
import { outputText } from '../system/process/head-tail-buffer.ts'
import { run } from '../system/process/spawn.ts'
import { checkEnvironment, searchPath, type EnvironmentParts } from './environment.ts'
import { fileOnPath } from './toolchain.ts'
import type { TestCount } from '../core/test-output/read-tests.ts'

/** Shims of version managers may be slow; without an answer the evidence has no version. */
const ASK_TIMEOUT_MS = 5_000

/** The runners of a count and what they ran on; `folder`: where the check ran. */
export type Versions = (tests: TestCount | null, command: string, folder: string) => Promise<readonly string[]>

export function openVersions(user: EnvironmentParts['user']): Versions {
  const asked = new Map<string, Promise<string | null>>()
  const versionOf = (program: string): Promise<string | null> => {
    const file = fileOnPath(searchPath(user['PATH']), program)
    if (file === null) return Promise.resolve(null)
    const known = asked.get(file) ?? ask(user, program)
    asked.set(file, known)
    return known
  }
  return async (tests, command, folder) => {
    if (tests === null) return []
    const packages = packagesOf(tests.source).map((name) => installedVersion(folder, name))
    const found = await Promise.all([...packages, ...programsOf(tests.source, command).map(versionOf)])
    return found.filter((version) => version !== null)
  }
}

/** `node v24.1.0`, `python3 3.12.1`, `go go1.22.1`, `cargo 1.77.0` */
async function ask(user: EnvironmentParts['user'], program: string): Promise<string | null> {
  const place = { home: tmpdir(), temporary: tmpdir(), folder: tmpdir() }
  const ended = await run({
    argv: [program, program === 'go' ? 'version' : '--version'],
    cwd: tmpdir(),
    env: checkEnvironment({ user, ...place }),
    deadlineMs: ASK_TIMEOUT_MS,
  })
  if (ended.how !== 'exited' || ended.code !== 0) return null
  const version = /\bv?(?:go)?\d+\.\d[\w.+-]*/.exec(withoutEscapes(outputText(ended.stdout)))?.[0]
  return version === undefined ? null : `${program} ${version}`
}

async function installedVersion(folder: string, name: string): Promise<string | null> {
  try {
    const text = await readFile(join(folder, 'node_modules', name, 'package.json'), 'utf8')
    const { version } = JSON.parse(text) as { version?: unknown }
    return typeof version === 'string' ? `${name} ${version}` : null
  } catch {
    return null
  }
}
