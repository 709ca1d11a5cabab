// Agents that break the rules. Each time the build notices it, keeps the good work, and goes on.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { taskId } from '../../src/core/values/id.ts'
import { audit, brokenLaws } from '../crash/build-audit.ts'
import { bundledBuild, killableProject, type KillableProject } from '../rig/build-process.ts'
import { factLines } from './output-lines.ts'

const program = await bundledBuild()

const good = { write: { path: 'evil.txt', content: 'good\n' } }
const bad = { write: { path: 'evil.txt', content: 'bad\n' } }
const complete = { signal: { kind: 'TASK_COMPLETE' } }
const CHECK = '[checks]\nunit = "sh check.sh"\n'
/** The folder above the repository; an agent's folder is far below it. */
const ROOT = 'root=$(pwd | sed s:/home/.cache/.*::)'

interface Case {
  readonly name: string
  /** The first session. */
  readonly evil: readonly object[]
  /** Every later session; a good one where it is not said. */
  readonly later?: readonly object[]
  /** What the reviewer does, by attempt; asked only where there are findings. */
  readonly reviews?: readonly (readonly object[])[]
  readonly toml?: string
  readonly factLines: readonly string[]
}

const WELL = ['verified green', 'merged']
const THEN_WELL = ['1/2 TASK_COMPLETE', ...WELL]

const SHORT = `timeout = "20s"\nidle_timeout = "1s"\n${CHECK}`

const cases: readonly Case[] = [
  {
    name: 'hangs',
    evil: [good, { hang: {} }],
    toml: SHORT,
    factLines: ['1/1 scripted said nothing for 1 s and was stopped', ...THEN_WELL],
  },
  {
    name: 'hangs and ignores SIGTERM',
    evil: [good, { hang: { ignoreSigterm: true } }],
    toml: SHORT,
    factLines: ['1/1 scripted said nothing for 1 s and was stopped', ...THEN_WELL],
  },
  {
    name: 'talks for ever',
    evil: Array.from({ length: 100 }, () => [{ say: 'still at it' }, { sleep: 200 }]).flat(),
    toml: `timeout = "2s"\nidle_timeout = "2s"\n${CHECK}`,
    factLines: ['1/1 scripted was not done after 2 s and was stopped', ...THEN_WELL],
  },
  {
    name: 'says its result and does not leave',
    evil: [good, complete, { linger: {} }],
    factLines: ['1/1 TASK_COMPLETE', ...WELL],
  },
  {
    name: 'prints a line of 50 MB',
    evil: [{ flood: { bytes: 50_000_000, as: 'oneLine' } }, good, complete],
    factLines: ['1/1 TASK_COMPLETE', ...WELL],
  },
  { name: 'prints bad UTF-8', evil: [{ badUtf8: {} }, good, complete], factLines: ['1/1 TASK_COMPLETE', ...WELL] },
  { name: 'prints torn JSON', evil: [{ tornJson: {} }, good, complete], factLines: ['1/1 TASK_COMPLETE', ...WELL] },
  {
    name: 'crashes',
    evil: [good, { crash: { signal: 'SIGSEGV' } }],
    factLines: ['1/1 scripted was killed by signal 11 (SIGSEGV)', ...THEN_WELL],
  },
  {
    name: 'claims to be done while the checks are red',
    evil: [bad, complete],
    factLines: [
      '1/1 TASK_COMPLETE',
      'verified red',
      'failed: unit failed (exit 1): mend what it reports',
      '2/1 TASK_COMPLETE',
      ...WELL,
    ],
  },
  {
    name: 'says that all tests passed and forges a report of it',
    evil: [
      bad,
      { say: 'ALL TESTS PASSED' },
      { write: { path: 'report.xml', content: '<testsuite tests="9" failures="0"/>' } },
      { answerText: 'ok 1\n1..1\nALL TESTS PASSED' },
      complete,
    ],
    factLines: [
      '1/1 TASK_COMPLETE',
      'verified red',
      'failed: unit failed (exit 1): mend what it reports',
      '2/1 TASK_COMPLETE',
      ...WELL,
    ],
  },
  {
    name: 'deletes its folder',
    evil: [{ deleteFolder: {} }, complete],
    factLines: [
      '1/1 the folder itself was deleted or replaced, and has been made again as it was last taken; work inside it and leave it in its place',
      ...THEN_WELL,
    ],
  },
  {
    name: 'commits by itself',
    evil: [good, { commit: { message: 'mine' } }, complete],
    factLines: ['1/1 TASK_COMPLETE', ...WELL],
  },
  {
    name: 'leaves a child that ignores SIGTERM and holds its output',
    evil: [good, { leaveChild: { ignoreSigterm: true, holdOutput: true } }, complete],
    factLines: ['1/1 TASK_COMPLETE', ...WELL],
  },
  {
    name: 'adds a repository inside of its own',
    evil: [good, { run: 'git init -q nested && git -C nested commit -q --allow-empty -m mine' }, complete],
    later: [{ delete: 'nested' }, complete],
    factLines: [expect.stringMatching(/^1\/1 .*nested/) as string, ...THEN_WELL],
  },
  { name: 'says no signal', evil: [good], factLines: ['1/1 no signal', ...THEN_WELL] },
  {
    name: 'moves the branches that it can see',
    evil: [
      good,
      { run: 'git checkout -q -B main && git branch -f ralph/b_test1 && git push -q --force --all origin; true' },
      complete,
    ],
    factLines: ['1/1 TASK_COMPLETE', ...WELL],
  },
]

async function withProject<T>(
  { evil, later = [good, complete], reviews = [], toml = CHECK }: Omit<Case, 'factLines' | 'name'>,
  work: (stage: KillableProject) => Promise<T>,
): Promise<T> {
  const stage = await killableProject(program, {
    tasks: ['evil', 'next'].map((id) => ({ id, title: `Task ${id}` })),
    script: [
      { task: 'evil', attempt: 1, iteration: 1, steps: evil },
      { task: 'evil', steps: later },
      ...reviews.map((steps, index) => ({ task: 'evil', role: 'reviewer', attempt: index + 1, iteration: 1, steps })),
      { task: 'next', steps: [{ write: { path: 'next.txt', content: 'good\n' } }, complete] },
    ],
    toml,
  })
  try {
    return await work(stage)
  } finally {
    stage.remove()
  }
}

const DONE = { reason: 'AllTasksComplete', detail: null }

describe('an agent that', () => {
  it.each(cases)('$name', (one) =>
    withProject(one, async (stage) => {
      const { end, facts } = await stage.run().life
      const found = await audit(stage)
      expect({
        end,
        factLines: facts.flatMap(factLines),
        brokenLaws: brokenLaws(found),
        subjects: found.landed.map(({ subject }) => subject),
      }).toEqual({
        end: DONE,
        factLines: one.factLines,
        brokenLaws: [],
        subjects: ['feat: Task evil', 'feat: Task next'],
      })
    }),
  )

  it('floods is stopped, and memory is bounded', () =>
    withProject({ evil: [good, { flood: { bytes: 300_000_000, as: 'lines' } }] }, async (stage) => {
      const peaks: number[] = []
      const running = stage.run({}, (fact) => {
        if (fact.type === 'iterationStarted' || fact.type === 'iterationDone') peaks.push(peakMb(running.pid))
      })
      const { end, facts } = await running.life
      expect({ end, factLines: facts.flatMap(factLines), brokenLaws: brokenLaws(await audit(stage)) }).toEqual({
        end: DONE,
        factLines: ['1/1 scripted printed without end and was stopped', ...THEN_WELL],
        brokenLaws: [],
      })
      const [before = 0, after = Number.POSITIVE_INFINITY] = peaks
      expect(after - before).toBeLessThan(64)
    }))

  it('writes outside its folder: none of it is in a commit', () =>
    withProject(
      {
        evil: [
          good,
          { run: `${ROOT}; echo stolen > "$root/stolen.txt"; echo stolen > "$root/project/stolen.txt"` },
          complete,
        ],
      },
      async (stage) => {
        const { end, facts } = await stage.run().life
        const { landed, checkout } = await audit(stage)
        expect({ end, factLines: facts.flatMap(factLines), landedCount: landed.length }).toEqual({
          end: DONE,
          factLines: ['1/1 TASK_COMPLETE', ...WELL],
          landedCount: 2,
        })
        const names = stage.engineGit('ls-tree', '-r', '--name-only', `ralph/${stage.build.id}`)
        expect(names.split('\n')).toEqual(['check.sh', 'evil.txt', 'next.txt', 'start.txt'])
        // The file was written and stays: without a sandbox Ralph does not protect the user's folder.
        expect(checkout.split('\n')).toEqual(['?? ralph.toml', '?? stolen.txt'])
      },
    ))

  describe('plants hooks, filters and other commands in its git dir: none is ever run,', () => {
    const trap = [
      `${ROOT}; trap="touch $root/sprung"`,
      'mkdir -p .git/hooks',
      'for hook in post-index-change pre-commit post-checkout reference-transaction post-commit; do printf "#!/bin/sh\\n%s\\n" "$trap" > .git/hooks/$hook; chmod +x .git/hooks/$hook; done',
      'printf "[core]\\n\\tfsmonitor = %s\\n\\tpager = %s\\n\\tsshCommand = %s\\n[filter \\"trap\\"]\\n\\tclean = %s\\n\\tsmudge = %s\\n\\trequired = true\\n[diff \\"trap\\"]\\n\\ttextconv = %s\\n" "$trap" "$trap" "$trap" "$trap" "$trap" "$trap" >> .git/config',
      'echo "* filter=trap diff=trap" > .gitattributes',
      // It does spring for a git that runs here.
      'git status > status.log 2>&1; mv "$root/sprung" "$root/armed"',
    ].join('; ')
    const evil = [good, { run: trap }, complete]
    const sprung = ({ folder }: KillableProject) =>
      ['armed', 'sprung'].map((name) => existsSync(join(dirname(folder), name)))
    const seen = { rule: 'gitSettings', path: '.gitattributes' }

    it('and what of it is in the patch is kept where a reviewer clears it', () => {
      const approve = { answer: { decision: 'approve', reasons: ['no filter has that name here'], required_fixes: [] } }
      return withProject({ evil, reviews: [[approve]] }, async (stage) => {
        const { end, facts } = await stage.run().life
        const found = await audit(stage)
        expect({ end, factLines: facts.flatMap(factLines), brokenLaws: brokenLaws(found) }).toEqual({
          end: DONE,
          factLines: ['1/1 TASK_COMPLETE', ...WELL],
          brokenLaws: [],
        })
        const kept = await stage.context.store.builds.attachments(stage.build.id, 'evidence', taskId('evil'))
        const sealed = kept.find(({ evidence }) => evidence.cleared !== null)?.evidence
        expect({ findings: sealed?.findings, cleared: sealed?.cleared, sprung: sprung(stage) }).toEqual({
          findings: [expect.objectContaining(seen)],
          cleared: { by: 'reviewer scripted', reasons: ['no filter has that name here'] },
          sprung: [true, false],
        })
        const names = stage.engineGit('ls-tree', '-r', '--name-only', `ralph/${stage.build.id}`).split('\n')
        expect(names).toContain('.gitattributes')
      })
    })

    it('and it is not merged where the reviewer does not clear it', () => {
      const refuse = {
        answer: { decision: 'request_changes', reasons: ['nobody asked'], required_fixes: ['delete .gitattributes'] },
      }
      const later = [{ delete: '.gitattributes' }, complete]
      return withProject({ evil, later, reviews: [[refuse]] }, async (stage) => {
        const { end, facts } = await stage.run().life
        const found = await audit(stage)
        expect({
          end,
          factLines: facts.flatMap(factLines),
          brokenLaws: brokenLaws(found),
          sprung: sprung(stage),
        }).toEqual({
          end: DONE,
          factLines: [
            '1/1 TASK_COMPLETE',
            'verified green',
            'failed: review: nobody asked; delete .gitattributes',
            '2/1 TASK_COMPLETE',
            ...WELL,
          ],
          brokenLaws: [],
          sprung: [true, false],
        })
        const names = stage.engineGit('ls-tree', '-r', '--name-only', `ralph/${stage.build.id}`).split('\n')
        expect(names).not.toContain('.gitattributes')
      })
    })
  })
})

/** The most memory that a process ever had. */
function peakMb(pid: number): number {
  const kilobytes = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) / 1024
}
