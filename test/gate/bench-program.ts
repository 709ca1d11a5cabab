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
import { type Case, loadCorpus, type Runner, type SealedExample } from './corpus.ts'
import { play, takesTypes } from './play.ts'
import { lacking } from './runners.ts'
import { sealedSettings } from './sealed-settings.ts'
import { type Result, type Run, type SealedResult, tablesOf } from './table.ts'

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

const { cases, sealed: allSealed } = loadCorpus()
const playsSealed = sealedSettings([]) !== null
const asked = cases.filter(isAsked).filter((_, at) => inShare(at))
const notRun = new Map<Runner, readonly [string, number]>()
for (const { project } of asked) {
  const why = lacking(project.runner)
  if (why !== null) notRun.set(project.runner, [why, (notRun.get(project.runner)?.[1] ?? 0) + 1])
}
const sealed = allSealed.filter(({ of }) => asked.includes(of))
const playable = asked.filter(({ project }) => !notRun.has(project.runner))
const results: Result[] = []
const sealedResults: SealedResult[] = []
const failed: string[] = []

interface Job {
  readonly name: string
  readonly work: () => Promise<void>
}

/** The examples of a task are there to tell work that only looks right. */
const examplesFor = ({ kind, task }: Case): readonly SealedExample[] =>
  playsSealed && kind === 'semantic' ? task.sealed : []

const jobs: readonly Job[] = [
  ...playable.map((one) => ({
    name: one.id,
    work: async () => void results.push({ of: one, played: await play(one, examplesFor(one)) }),
  })),
  ...(playsSealed ? sealed : [])
    .filter(({ of }) => playable.includes(of))
    .map((one) => ({
      name: one.id,
      work: async () => void sealedResults.push({ of: one, played: await play(one.of, one.examples) }),
    })),
]
let ended = 0
await eachOf(jobs, Number(values.workers), async ({ name, work }) => {
  await work().catch((error: unknown) => failed.push(`${name}: ${String(error)}`))
  ended += 1
  if (process.stderr.isTTY) process.stderr.write(`\r${ended} of ${jobs.length} `)
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
  sealedResults,
  sealedNotRun: playsSealed ? null : 'this version of ralph takes no sealed examples',
  untyped: (await takesTypes())
    ? 0
    : new Set(playable.map(({ task }) => task).filter(({ type }) => type !== null)).size,
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
    sealed: sealedResults.map(({ of, played }) => ({ id: of.id, are: of.are, ...played })),
  }
}
