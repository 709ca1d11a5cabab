// The end of the demo: the commits, the evidence for each of them, and commands to try next.
import { styleText } from 'node:util'
import { shellWord } from '../../core/values/shell-word.ts'
import { basename, sep } from 'node:path'
import { branchOf } from '../../core/builds/build.ts'
import { mergedJson } from '../text/closing.ts'
import { table } from '../table.ts'
import type { Outcome, Row } from './outcome.ts'
import type { Place } from './place.ts'

const SHORT = 10

export function closing({ report, log, rows }: Outcome, place: Place): string {
  const { folder } = place
  const branch = branchOf(report.build.id)
  return [
    `\n${styleText('bold', `The branch ${branch}`)}`,
    log,
    `\n${styleText('bold', 'The evidence')}: what Ralph ran on the tree of each commit`,
    evidenceTable(rows).trimEnd(),
    `\nThe repository is ${folder}`,
    'Its main branch and its checkout are as they were: taking the work over is left to you.',
    `\n${styleText('bold', 'Look around')}`,
    ...tries(place, branch, rows).map(([command, about]) => `  ${command}\n      ${styleText('dim', about)}`),
    '',
  ].join('\n')
}

function evidenceTable(rows: readonly Row[]): string {
  const head = ['TASK', 'COMMIT', 'TREE', 'CHECKS', 'TESTS', 'EVIDENCE', 'ATTEMPTS', 'ITERATIONS']
  const cells = rows.map(({ task, commit, tree, evidence, testsRun, attempts, iterations }) => [
    task,
    commit.slice(0, SHORT),
    tree.slice(0, SHORT),
    evidence?.checks.map(({ name }) => name).join(', ') ?? '',
    String(testsRun),
    evidence?.probes?.strength ?? evidence?.verdict ?? 'unverified',
    String(attempts),
    String(iterations),
  ])
  return table(head, cells)
}

function tries(
  { folder, programs }: Place,
  branch: string,
  rows: readonly Row[],
): readonly (readonly [string, string])[] {
  const ralph = ownName(process.argv[1] ?? 'ralph')
  const last = rows.at(-1)?.commit.slice(0, SHORT) ?? branch
  return [
    [`cd ${shellWord(folder)}`, 'where all of this works'],
    ...(programs === null
      ? []
      : [[`export PATH=${shellWord(programs)}:"$PATH"`, 'with the Node that the checks ran on'] as const]),
    [`git log --stat ${branch}`, 'what was made, one commit a task'],
    [`git notes --ref ralph show ${last}`, 'the proof that a commit carries'],
    [`${ralph} status`, 'how the build stands'],
    [`${ralph} log --task discount`, 'how the false claim was caught, fact by fact'],
    [`${ralph} diff tax`, 'what a task changed'],
    [`${ralph} report`, 'the summary for the morning after'],
    [`${ralph} ship`, 'runs the checks once more in a clean clone, and takes the work over into main'],
  ]
}

/** A command that works in any folder. */
function ownName(path: string): string {
  const isInstalled = basename(path) === 'ralph' && !path.split(sep).includes('node_modules')
  return isInstalled ? 'ralph' : `node ${shellWord(path)}`
}

export function closingJson(
  { report, rows, problems }: Outcome,
  { folder, start }: Place,
): Readonly<Record<string, unknown>> {
  return {
    type: 'done',
    ok: problems.length === 0,
    problems,
    folder,
    sessionId: report.build.id,
    branch: branchOf(report.build.id),
    start,
    commits: rows.map((row) => {
      const { tree, attempts, iterations, evidence } = row
      return { ...mergedJson(row), tree, evidenceTree: evidence?.tree ?? null, attempts, iterations }
    }),
  }
}
