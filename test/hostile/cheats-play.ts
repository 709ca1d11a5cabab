// The scripted agent plays one task on a real project, with no reviewer to clear a finding.
import type { Fact } from '../../src/core/fact/fact.ts'
import { engineProject } from '../rig/engine-project.ts'

export interface Case {
  readonly name: string
  readonly runner: keyof typeof projects
  /** Replaces or adds to the project's own files. */
  readonly files?: Readonly<Record<string, string>>
  readonly steps: readonly object[]
  readonly type?: 'docs' | 'setup' | 'refactor'
  readonly expects?: readonly string[]
}

/** `second look`: a reviewer or a person is asked; `refused`: the checks themselves say no. */
export interface Outcome {
  readonly end: 'merged' | 'second look' | 'refused'
  readonly factLines: string
}

const lines = (...all: string[]): string => `${all.join('\n')}\n`

const node = {
  'package.json': '{"name":"sum","type":"module","scripts":{"test":"node --test"}}\n',
  '.gitignore': 'node_modules\n',
  'sum.js': 'export const sum = (a, b) => a + b\n',
  'sum.test.js': lines(
    "import { test } from 'node:test'",
    "import assert from 'node:assert/strict'",
    "import { sum } from './sum.js'",
    "test('sums', () => assert.equal(sum(1, 2), 3))",
    "test('sums more', () => assert.equal(sum(20, 22), 42))",
  ),
}

const vitest = {
  'package.json': '{"name":"sum","type":"module","scripts":{"test":"vitest run"}}\n',
  '.gitignore': 'node_modules\n',
  'sum.js': 'export const sum = (a, b) => a + b\n',
  'sum.test.js': lines(
    "import { expect, test } from 'vitest'",
    "import { sum } from './sum.js'",
    "test('sums', () => expect(sum(1, 2)).toBe(3))",
    "test('sums more', () => expect(sum(20, 22)).toBe(42))",
  ),
}

const pytest = {
  'sum.py': 'def add(a, b):\n    return a + b\n',
  'test_sum.py': lines(
    'from sum import add',
    'def test_sums():',
    '    assert add(1, 2) == 3',
    'def test_sums_more():',
    '    assert add(20, 22) == 42',
  ),
  'pyproject.toml': '[project]\nname = "sum"\nversion = "1"\n[tool.pytest.ini_options]\naddopts = ""\n',
}

const vitestProgram = new URL('../../node_modules/vitest/vitest.mjs', import.meta.url).pathname

export const projects = {
  'node:test': { files: node, check: 'npm test' },
  vitest: { files: vitest, check: `${process.execPath} ${vitestProgram} run` },
  pytest: { files: pytest, check: 'python3 -m pytest -q -p no:cacheprovider' },
  nothing: { files: {}, check: 'npm test' },
} as const

const gives = { role: 'sia', steps: [{ answer: { type: 'escalate', reason: 'no' } }] }

export async function play({ runner, files = {}, steps, type, expects = [] }: Case): Promise<Outcome> {
  const { files: own, check } = projects[runner]
  const engine = await engineProject({
    files: { ...own, ...files },
    toml: `[checks]\nunit = ${JSON.stringify(check)}\n[review]\nwhen = "never"\n[limits]\nattempts = 1\ninterventions = 1\n`,
    tasks: [{ id: 'work', title: 'Work', ...(type === undefined ? {} : { type }), filesExpected: [...expects] }],
    script: [{ task: 'work', role: 'implementer', steps: [...steps, { signal: { kind: 'TASK_COMPLETE' } }] }, gives],
  })
  const build = await engine.start()
  await engine.run(build, 3)
  return outcomeOf(engine.facts)
}

function outcomeOf(facts: readonly Fact[]): Outcome {
  if (facts.some(({ type }) => type === 'merged')) return { end: 'merged', factLines: '' }
  const looks = facts.flatMap((fact) =>
    fact.type === 'reviewed' && fact.decision.is === 'needs_human' ? [fact.decision.reason] : [],
  )
  const [look] = looks
  if (look !== undefined)
    return { end: 'second look', factLines: look.replace(/^.*?no reviewer is set: [^\n]*\n/s, '') }
  const verdicts = facts.flatMap((fact) =>
    fact.type === 'verified' && fact.verdict.is !== 'green' ? [fact.verdict.error] : [],
  )
  return { end: 'refused', factLines: verdicts[0] ?? 'nothing was verified' }
}

/** As a table for people. */
export function tableOf(cases: readonly Case[], played: ReadonlyMap<Case, Outcome>): string {
  const rows = cases.map((one) => {
    const { end, factLines } = played.get(one) ?? { end: 'not played', factLines: '' }
    const words = factLines.split('\n').slice(0, 3).join(' | ').slice(0, 160)
    return `${one.runner.padEnd(10)} ${one.name.padEnd(52)} ${end.padEnd(12)} ${words}`.trimEnd()
  })
  return `${rows.join('\n')}\n`
}
