import type { Cases } from '../cases.ts'

const planted = (path: string, source: string) => ({ what: source, files: { [path]: source }, found: [`${path}:1`] })

export const childProcessCases: Cases = {
  planted: [
    planted('src/workspace/git/run.ts', "import { spawn } from 'node:child_process'"),
    planted('src/cli/main.ts', "import { spawn } from 'child_process'"),
    planted('src/engine/loop.ts', "import type { ChildProcess } from 'node:child_process'"),
    planted('src/engine/loop.ts', "export const load = () => import('node:child_process')"),
    planted('src/engine/loop.ts', "export { spawn } from 'node:child_process'"),
    planted('src/engine/loop.ts', "export const { spawn } = process.getBuiltinModule('child_process')"),
    planted('src/engine/loop.ts', "export const { spawn } = require('child_process')"),
    planted('src/web/main.ts', "import { spawn } from 'node:child_process'"),
  ],
  innocent: [
    { what: 'the one door', files: { 'src/system/process/spawn.ts': "import { spawn } from 'node:child_process'" } },
    { what: 'a script', files: { 'scripts/build.ts': "import { spawn } from 'node:child_process'" } },
    { what: 'a test', files: { 'src/cli/main.test.ts': "import { spawn } from 'node:child_process'" } },
    { what: 'the launcher', files: { 'bin/ralph.js': "await import('node:child_process')" } },
    {
      what: 'the word in a string',
      files: { 'src/core/findings/patch-findings.ts': "export const watched = ['child_process']" },
    },
    { what: 'another module', files: { 'src/agents/claude/run.ts': "import { spawn } from '../../process/spawn.ts'" } },
  ],
}
