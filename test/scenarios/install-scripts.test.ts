// A dependency that a patch brings along installs itself without running anything, until somebody has cleared the patch.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { Evidence } from '../../src/core/evidence/evidence.ts'
import { taskId } from '../../src/core/values/id.ts'
import { engineProject } from '../rig/engine-project.ts'

const sum = {
  'sum.js': 'export const sum = (a, b) => a + b\n',
  'sum.test.js': [
    "import { test } from 'node:test'",
    "import assert from 'node:assert/strict'",
    "import { sum } from './sum.js'",
    "test('sums', () => assert.equal(sum(1, 2), 3))",
    '',
  ].join('\n'),
  '.gitignore': 'node_modules\n',
}

const about = { name: 'app', version: '1.0.0' }

function manifest(dependencies: Record<string, string>): string {
  return JSON.stringify({ ...about, type: 'module', dependencies, scripts: { test: 'node --test *.test.js' } })
}

function lockfile(dependencies: Record<string, string>, packages: Record<string, unknown>): string {
  return JSON.stringify({ ...about, lockfileVersion: 3, packages: { '': { ...about, dependencies }, ...packages } })
}

async function evidenceOf(policy: string): Promise<readonly Evidence[]> {
  const folder = mkdtempSync(join(tmpdir(), 'ralph-scripts-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const lib = { name: 'lib', version: '1.0.0', scripts: { postinstall: `touch ${folder}/scripts-ran` } }
  const write = (path: string, content: string) => ({ write: { path, content } })
  const complete = { signal: { kind: 'TASK_COMPLETE' } }
  const approve = { answer: { decision: 'approve', reasons: ['the task asks for lib'], required_fixes: [] } }
  const engine = await engineProject({
    files: { ...sum, 'package.json': manifest({}), 'package-lock.json': lockfile({}, {}) },
    // The check itself sees what has run before it.
    toml: `[checks]\nunit = "npm test && ls ${folder}"\n[workspace]\nsetup = "npm ci"\n${policy}`,
    tasks: [
      { id: 'work', title: 'Use lib' },
      { id: 'next', title: 'Go on', deps: ['work'] },
    ],
    script: [
      {
        task: 'work',
        steps: [
          write('lib/package.json', JSON.stringify(lib)),
          write('package.json', manifest({ lib: 'file:lib' })),
          write(
            'package-lock.json',
            lockfile(
              { lib: 'file:lib' },
              {
                lib: { version: '1.0.0', hasInstallScript: true },
                'node_modules/lib': { resolved: 'lib', link: true },
              },
            ),
          ),
          complete,
        ],
      },
      { task: 'next', steps: [write('next.js', 'export const next = 1\n'), complete] },
      { role: 'reviewer', task: 'work', steps: [approve] },
    ],
  })
  const build = await engine.start()
  expect(await engine.run(build)).toEqual({ reason: 'AllTasksComplete' })
  const kept = async (task: string): Promise<Evidence> => {
    const [first] = await engine.context.store.builds.attachments(build.id, 'evidence', taskId(task))
    if (first === undefined) throw new Error(`no evidence of ${task}`)
    return first.evidence
  }
  return [await kept('work'), await kept('next')]
}

it.each([
  {
    policy: '',
    scripts: ['off', 'run'],
    notes: [
      [
        'setup: install scripts were off, because the patch changes lib/package.json, package-lock.json, package.json (dependencies.lib) (install_scripts under [workspace])',
      ],
      [],
    ],
    ran: [false, true],
  },
  {
    policy: 'install_scripts = "always"\n',
    scripts: ['run', 'run'],
    notes: [
      [
        'setup: install scripts ran although the patch changes lib/package.json, package-lock.json, package.json (dependencies.lib)',
      ],
      [],
    ],
    ran: [true, true],
  },
  {
    policy: 'install_scripts = "never"\n',
    scripts: ['off', 'off'],
    notes: [
      ['setup: install scripts were off (install_scripts = "never")'],
      ['setup: install scripts were off (install_scripts = "never")'],
    ],
    ran: [false, false],
  },
])('with $scripts.0 and then $scripts.1', async ({ policy, scripts, notes, ran }) => {
  const both = await evidenceOf(policy)
  expect({
    scripts: both.map(({ recipe }) => recipe.installScripts),
    notes: both.map((one) => one.notes),
    ran: both.map(({ checks }) => /^scripts-ran$/m.test(checks[0]?.outputTail ?? '')),
  }).toEqual({ scripts, notes, ran })
})
