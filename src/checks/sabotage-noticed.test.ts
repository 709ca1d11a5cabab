// Whether a sabotage turns real checks red, in every language whose tools are here, and shows up those that cannot fail.
import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type CheckRun, isGreen } from '../core/evidence/evidence.ts'
import { sabotage } from '../core/findings/sabotage.ts'
import { judge } from '../core/evidence/verification.ts'
import type { Check } from './check.ts'
import { madeFolder } from '../../test/rig/folder.ts'
import { runCheck } from './run-check.ts'

const node = process.execPath
const vitest = join(import.meta.dirname, '../../node_modules/vitest/vitest.mjs')

interface Project {
  readonly needs: string
  readonly command: string
  readonly files: Readonly<Record<string, string>>
  /** What was there before; the rest is the change. */
  readonly old?: readonly string[]
}

const nodeTest = "import test from 'node:test'\nimport assert from 'node:assert'\nimport { add } from './add.mjs'\n"

const projects: Readonly<Record<string, Project>> = {
  'node:test': {
    needs: 'true',
    command: `${node} --test`,
    files: {
      'add.mjs': 'export const add = (a, b) => a + b\n',
      'add.test.mjs': `${nodeTest}test('adds', () => assert.equal(add(1, 2), 3))\n`,
    },
  },
  'node:test, tests alone': {
    needs: 'true',
    command: `${node} --test`,
    old: ['add.mjs'],
    files: {
      'add.mjs': 'export const add = (a, b) => a + b\n',
      'add.test.mjs': `${nodeTest}test('adds', () => assert.equal(add(1, 2), 3))\n`,
    },
  },
  vitest: {
    needs: 'true',
    command: `${node} ${vitest} run --globals`,
    files: {
      'src/add.ts': 'export const add = (a: number, b: number) => a + b\n',
      'src/add.test.ts': "import { add } from './add.ts'\nit('adds', () => expect(add(1, 2)).toBe(3))\n",
    },
  },
  pytest: {
    needs: 'python3 -m pytest --version',
    command: 'python3 -m pytest -q',
    files: {
      'add.py': 'def add(a, b):\n    return a + b\n',
      'test_add.py': 'from add import add\ndef test_add():\n    assert add(1, 2) == 3\n',
    },
  },
  unittest: {
    needs: 'python3 --version',
    command: 'python3 -m unittest',
    files: {
      'add.py': 'def add(a, b):\n    return a + b\n',
      'test_add.py':
        'import unittest\nfrom add import add\nclass T(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(add(1, 2), 3)\n',
    },
  },
  'cargo test': {
    needs: 'cargo --version',
    command: 'cargo test --offline',
    files: {
      'Cargo.toml': '[package]\nname = "demo"\nversion = "0.1.0"\nedition = "2021"\n',
      'src/lib.rs': 'pub fn add(a: i32, b: i32) -> i32 { a + b }\n',
      'tests/add.rs': '#[test]\nfn adds() { assert_eq!(demo::add(1, 2), 3) }\n',
    },
  },
  'go test': {
    needs: 'go version',
    command: 'go test ./...',
    files: {
      'go.mod': 'module example.com/m\n\ngo 1.19\n',
      'add.go': 'package m\n\nfunc Add(a, b int) int { return a + b }\n',
      'add_test.go':
        'package m\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n\tif Add(1, 2) != 3 {\n\t\tt.Fatal("no")\n\t}\n}\n',
    },
  },
}

const checkOf = (command: string): Check => ({ name: 'unit', kind: 'check', command, timeoutMs: 120_000, cwd: '.' })

async function broken(folder: string, { files, old = [] }: Project): Promise<string> {
  const copy = join(await madeFolder(), 'copy')
  await cp(folder, copy, { recursive: true })
  const changed = Object.keys(files).filter((path) => !old.includes(path))
  for (const [path, content] of sabotage(changed)) await writeFile(join(copy, path), content)
  return copy
}

const judged = (whole: CheckRun, spoilt: CheckRun) =>
  judge({
    runs: [whole],
    requireTests: 'required',
    taskType: null,
    filesExpected: [],
    filesMissing: [],
    baseline: [],
    sabotage: [spoilt],
  }).verdict

describe('a sabotage', () => {
  it.for(Object.entries(projects))('is noticed by %s', async ([name, project], context) => {
    const folder = await madeFolder(project.files)
    // One home for all: without its cache, Go compiles its library anew each time.
    const place = { home: await madeFolder(), user: process.env, signal: undefined }
    const tool = await runCheck(checkOf(project.needs), [], { ...place, folder })
    if (!isGreen(tool)) context.skip(`no ${name}: '${project.needs}' fails here`)
    const whole = await runCheck(checkOf(project.command), [], { ...place, folder })
    expect([whole.exit, (whole.tests?.run ?? 0) > 0, whole.outputTail]).toEqual([0, true, whole.outputTail])
    const spoilt = await runCheck(checkOf(project.command), [], { ...place, folder: await broken(folder, project) })
    expect([isGreen(spoilt), judged(whole, spoilt).is]).toEqual([false, 'green'])
  })

  it.each<[string, boolean, 'green' | 'unverified']>([
    ['true', true, 'unverified'],
    ['exit 0', true, 'unverified'],
    ['echo "1 passed in 0.01s"', true, 'unverified'],
    // A runner whose exit is swallowed is seen through by its count.
    [`${node} --test || true`, false, 'green'],
  ])('tells what %s is worth', async (command, isStillGreen, verdict) => {
    const project = projects['node:test'] as Project
    const folder = await madeFolder(project.files)
    const place = { home: null, user: process.env, signal: undefined }
    const whole = await runCheck(checkOf(command), [], { ...place, folder })
    const spoilt = await runCheck(checkOf(command), [], { ...place, folder: await broken(folder, project) })
    expect([isGreen(whole), isGreen(spoilt), judged(whole, spoilt).is]).toEqual([true, isStillGreen, verdict])
  })
})
