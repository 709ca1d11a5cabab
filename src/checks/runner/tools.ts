// What is behind the result of a check: its test runner, and the programs that the runner runs on.
import { realpathSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { CheckRun, ProgramDigest } from '../../core/evidence/evidence.ts'
import { programsOf } from '../../core/evidence/runner-version.ts'
import type { Check } from '../check.ts'
import { type FileDigests, openFileDigests } from './file-digests.ts'
import { commandSteps, identifyRunner } from './resolve-runner.ts'

/** `versions`: of the programs, as they say it: `node v24.1.0`. */
export type Tools = (run: CheckRun, versions: readonly string[]) => Promise<Pick<CheckRun, 'runner' | 'toolchain'>>

export function openTools(searchPath: string): (check: Check, folder: string) => Tools {
  const digests = openFileDigests()
  return (check, folder) => {
    if (check.kind !== 'check') return () => Promise.resolve({})
    const identity = identityIn(check, folder, searchPath, digests)
    return async (run, versions) => {
      const runner = await identity
      const toolchain =
        run.tests === null ? [] : await digestsOf(programsOf(run.tests.source, check.command), searchPath, digests)
      return {
        ...(runner === null ? {} : { runner: { ...runner, version: runner.version ?? versionIn(versions) } }),
        ...(toolchain.length === 0 ? {} : { toolchain }),
      }
    }
  }
}

async function identityIn(check: Check, folder: string, searchPath: string, digests: FileDigests) {
  try {
    const root = realpathSync.native(folder)
    const cwd = join(root, check.cwd)
    return await identifyRunner(commandSteps(check.command, cwd), { root, cwd, searchPath, digests })
  } catch {
    return null
  }
}

async function digestsOf(
  programs: readonly string[],
  searchPath: string,
  digests: FileDigests,
): Promise<ProgramDigest[]> {
  const found: ProgramDigest[] = []
  for (const program of programs) {
    for (const folder of searchPath.split(delimiter)) {
      const digest = await digests(join(folder, program))
      if (digest === null) continue
      found.push({ program, digest })
      break
    }
  }
  return found
}

function versionIn([first]: readonly string[]): string | null {
  return first?.split(' ')[1] ?? null
}
