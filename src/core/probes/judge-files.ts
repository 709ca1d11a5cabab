// What judges the work, beyond files that look like tests: scripts that the checks run, data that tests compare with,
// helpers that only tests use, settings of runners. A patch that changes them is judged again as the base had them.
import { ruleOfPath } from '../findings/path-findings.ts'
import { kindOf } from '../findings/file-kind.ts'
import { isOfTests } from './changed-file.ts'

export type JudgeRole = 'test' | 'settings' | 'script' | 'data' | 'helper'

export interface JudgeInput {
  /** Changed files that the base has. */
  readonly changed: readonly string[]
  /** Files that the checks run, followed from their commands. */
  readonly scripts: ReadonlySet<string>
  /** For a changed path: the files of the base that mention it by name. */
  readonly mentions: (path: string) => readonly string[]
}

/** The changed files that judge, with what they are. */
export function judgeFiles({ changed, scripts, mentions }: JudgeInput): ReadonlyMap<string, JudgeRole> {
  return new Map(
    changed.flatMap((path) => {
      const role = roleOf(path, scripts, mentions)
      return role === null ? [] : [[path, role] as const]
    }),
  )
}

function roleOf(path: string, scripts: ReadonlySet<string>, mentions: JudgeInput['mentions']): JudgeRole | null {
  if (scripts.has(path)) return 'script'
  if (isOfTests(path)) return 'test'
  const rule = ruleOfPath(path)?.rule
  if (rule === 'runnerConfig' || rule === 'packageTool') return 'settings'
  if (rule === 'script') return 'script'
  const users = mentions(path).filter((file) => file !== path)
  const tests = users.filter(isOfTests)
  if (tests.length === 0) return null
  if (kindOf(path) !== 'code') return 'data'
  // A file of code that tests use is judged; only one that nothing else uses is a helper.
  return tests.length === users.length && looksLikeHelper(path) ? 'helper' : null
}

const helpers =
  /(?:^|[/._-])(?:helpers?|utils?|support|fixtures?|matchers?|assert(?:ions?)?|mocks?|stubs?|fakes?|doubles?|harness|testing|expect(?:ed)?)(?=[/._-]|$)/i

function looksLikeHelper(path: string): boolean {
  return helpers.test(path)
}

/** The words of a command or script that may be paths: `node scripts/test.mjs && ./check.sh` */
export function pathWords(text: string): string[] {
  const words = text.split(/[\s;&|()<>"'`=,]+/).map((word) => word.replace(/^\.\//, ''))
  return [...new Set(words.filter((word) => /^[\w@][\w@./-]*$/.test(word) && /[./]/.test(word)))]
}

/** The scripts of a manifest that a command runs: `npm test`, `npm run check`, `yarn lint`. */
export function scriptNames(command: string): string[] {
  const runs = /\b(?:npm|pnpm|yarn|bun)\s+(?:run(?:-script)?\s+)?(?:--?[\w=-]+\s+)*([\w:.-]+)/g
  const names = [...command.matchAll(runs)].flatMap(([, name]) =>
    name === undefined ? [] : [name === 't' ? 'test' : name],
  )
  return names.flatMap((name) => [`pre${name}`, name, `post${name}`])
}
