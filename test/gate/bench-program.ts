// `npm run gate-bench`: every case of the corpus through the real `ralph build`, and what became of it as tables.
//
//   --share a/b      the a-th of b parts of the cases
//   --only NAME      cases whose name, category, kind or runner holds this
//   --json FILE      everything that was measured
//   --workers N      so many at a time; default 2
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { eachOf } from './commands.ts'
import { type Case, loadCorpus, type Runner } from './corpus.ts'
import { play } from './play.ts'
import { lacking } from './runners.ts'
import { type Result, type Run, tablesOf } from './table.ts'

const { values } = parseArgs({
  options: {
    share: { type: 'string' },
    only: { type: 'string' },
    json: { type: 'string' },
    workers: { type: 'string', default: '2' },
  },
})

function inShare(at: number): boolean {
  if (values.share === undefined) return true
  const [, part, parts] = /^(\d+)\/(\d+)$/.exec(values.share) ?? []
  if (part === undefined || parts === undefined || Number(part) < 1 || Number(part) > Number(parts))
    throw new Error(`--share is a/b with a from 1 to b, not '${values.share}'`)
  return at % Number(parts) === Number(part) - 1
}

function isAsked({ id, kind, category, project }: Case): boolean {
  return (
    values.only === undefined || [id, kind, category, project.runner].some((name) => name.includes(values.only ?? ''))
  )
}

const { cases, sealed } = loadCorpus()
const asked = cases.filter(isAsked).filter((_, at) => inShare(at))
const notRun = new Map<Runner, readonly [string, number]>()
for (const { project } of asked) {
  const why = lacking(project.runner)
  if (why !== null) notRun.set(project.runner, [why, (notRun.get(project.runner)?.[1] ?? 0) + 1])
}
const playable = asked.filter(({ project }) => !notRun.has(project.runner))
const results: Result[] = []
const failed: string[] = []
await eachOf(playable, Number(values.workers), async (one) => {
  try {
    results.push({ of: one, played: await play(one) })
  } catch (error) {
    failed.push(`${one.id}: ${String(error)}`)
  }
  if (process.stderr.isTTY) process.stderr.write(`\r${results.length + failed.length} of ${playable.length} `)
})

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' }).trim()
const run: Run = {
  date: new Date().toISOString().slice(0, 10),
  commit:
    git('rev-parse', '--short=10', 'HEAD') +
    (git('status', '--porcelain', '--', '../../src') === '' ? '' : ' and changes'),
  results: playable.flatMap((one) => results.find(({ of }) => of === one) ?? []),
  notRun,
  failed,
  sealed,
  sealedNotRun: 'this version of ralph takes no sealed examples',
  untyped: 0,
}
process.stdout.write(`${tablesOf(run)}\n`)
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(asJson(run), null, 2)}\n`)

function asJson({ date, commit, results: all }: Run): object {
  return {
    date,
    commit,
    notRun: Object.fromEntries(notRun),
    failed,
    cases: all.map(({ of, played }) => ({
      id: of.id,
      is: of.is,
      kind: of.kind,
      category: of.category,
      runner: of.project.runner,
      ...played,
    })),
  }
}
