// What proving costs beside the check itself: counting and naming tests, looking at the patch, judging it a second time.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { Check } from '../src/checks/check.ts'
import { openChecks } from '../src/checks/checks.ts'
import { checkEnvironment } from '../src/checks/environment.ts'
import type { CheckRun } from '../src/core/evidence/evidence.ts'
import { findings, type Suspect } from '../src/core/findings/patch-findings.ts'
import type { TreeId } from '../src/core/values/id.ts'
import { inventoryFindings } from '../src/core/evidence/inventory.ts'
import type { Benchmark } from './benchmark.ts'
import type { Group } from './figures.ts'
import { interleave } from './interleave.ts'
import { build, type Built, CHECK, makeProject, type PatchKind, TESTS } from './verify-project.ts'

const TASKS = 10
const PATCH_FILES = 5
const PATCH_LINES = 200

export const verify: Benchmark = {
  name: 'verify',
  rounds: 5,
  run: async (folder, rounds) => {
    const added = await oneCheck(folder, rounds)
    const built = new Map<PatchKind, Built>()
    for (const kind of ['adds', 'edits'] as const) built.set(kind, build(join(folder, kind), TASKS, kind))
    return {
      name: 'verify',
      about: [
        `'${CHECK}' with ${TESTS} tests; a patch of ${PATCH_FILES} files with ${PATCH_LINES} lines each; builds of ${TASKS} tasks.`,
        'A second opinion is given where a patch touches a test of the base: the check is run once more, with that test as it was.',
      ],
      groups: [
        added,
        ...[...built].map(([kind, one]) => spanGroup(kind, one)),
        ...[...built].map(([kind, one]) => runGroup(kind, one)),
      ],
    }
  },
}

async function oneCheck(root: string, rounds: number): Promise<Group> {
  const folder = join(root, 'project')
  makeProject(folder)
  const checks = openChecks({ cacheFolder: join(root, 'cache'), env: process.env })
  const check: Check = { name: 'unit', kind: 'check', command: CHECK, cwd: '.', timeoutMs: 60_000 }
  const run = (): Promise<CheckRun> => checks.run({ folder, tree: 'tree' as TreeId }, check, [])
  const before = await run()
  if (before.names?.passed.length !== TESTS) throw new Error(`of ${TESTS} tests these were named: ${before.names}`)
  const suspect = suspectPatch()
  const measured = await interleave(
    [
      { name: `${CHECK}, alone`, measure: async () => timed(() => bare(folder)) },
      { name: 'run by Ralph: counted, named, digested', measure: () => timedAsync(run) },
      { name: 'inventory and guard, of these', measure: async () => timed(() => looked(before, suspect)) },
    ],
    rounds,
  )
  const goals = [undefined, 1.15, 0.05]
  return {
    title: 'one check',
    unit: 'ms',
    figures: measured.map(({ name, samples }, at) => {
      const ratio = goals[at]
      return { name, samples, ...(ratio === undefined ? {} : { goal: { bound: 'at most' as const, ratio } }) }
    }),
  }
}

function bare(folder: string): void {
  // The same Node and the same environment as a check.
  const env = checkEnvironment({ user: process.env, home: folder, temporary: folder, folder })
  const { status } = spawnSync('/bin/sh', ['-c', CHECK], { cwd: folder, env })
  if (status !== 0) throw new Error(`${CHECK} ended with ${status}`)
}

function looked(run: CheckRun, suspect: Suspect): void {
  const guarded = { protect: { paths: ['ralph.toml'] }, limits: { filesPerPatch: PATCH_FILES } }
  const found = [...inventoryFindings([run], [run]), ...findings(suspect, guarded)]
  if (found.length > 0) throw new Error(`an ordinary patch has findings: ${JSON.stringify(found)}`)
}

function suspectPatch(): Suspect {
  const paths = Array.from({ length: PATCH_FILES }, (_, file) => `src/part-${file}.js`)
  const lines = Array.from(
    { length: PATCH_LINES },
    (_, line) => `+export const value${line} = compute(${line}, 'some text')`,
  )
  const diff = paths.map((path) =>
    [
      `diff --git a/${path} b/${path}`,
      'new file mode 100644',
      '--- /dev/null',
      `+++ b/${path}`,
      `@@ -0,0 +1,${PATCH_LINES} @@`,
      ...lines,
    ].join('\n'),
  )
  const files = paths.map((path) => ({ path, change: 'added' as const }))
  const task = { type: null, title: 'Add files', description: null }
  return { files, diff: `${diff.join('\n')}\n`, isWhole: true, contents: new Map(), specs: [], task }
}

/** The first task also checks the base, which all others take over. */
function spanGroup(kind: PatchKind, { spans, own }: Built): Group {
  return {
    title: kind === 'adds' ? 'verifying a task' : 'verifying a task, with a second opinion',
    unit: 'ms',
    figures: [
      { name: 'its checks, by their own clock', samples: own.slice(1) },
      { name: "from 'verifying' to 'verified'", samples: spans.slice(1), goal: { bound: 'at most', ratio: 1.3 } },
    ],
  }
}

function runGroup(kind: PatchKind, { runs }: Built): Group {
  const needed = kind === 'adds' ? TASKS : 2 * TASKS
  return {
    title: `a build of ${TASKS} tasks${kind === 'adds' ? '' : ', each with a second opinion'}`,
    unit: 'runs',
    figures: [
      { name: 'trees to be judged, without the base', samples: [needed] },
      { name: 'runs of the check', samples: [runs], goal: { bound: 'at most', ratio: (needed + 1) / needed } },
    ],
  }
}

function timed(work: () => void): number {
  const startedAt = performance.now()
  work()
  return performance.now() - startedAt
}

async function timedAsync(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}
