import type { Cases } from '../cases.ts'

const planted = (path: string, source: string) => ({ what: source, files: { [path]: source }, found: [`${path}:1`] })

export const gitCallsCases: Cases = {
  planted: [
    planted('src/operations/ship/ship.ts', "run({ argv: ['git', 'status'], cwd })"),
    planted('src/compose.ts', "callProgram(place, ['git', ...args])"),
    planted('src/workspace/git/tree/diff.ts', "export const argv = ['git', 'diff-tree']"),
  ],
  innocent: [
    {
      what: 'the door of the engine',
      files: { 'src/workspace/git/command/git.ts': "run({ argv: ['git', ...args] })" },
    },
    {
      what: 'the door of the user',
      files: { 'src/operations/builds/plain-git.ts': "run({ argv: ['git', ...args] })" },
    },
    { what: 'an agent', files: { 'src/agents/scripted/acts.ts': "run(['git', 'add'])" } },
    { what: 'a test', files: { 'src/cli/main.test.ts': "run(['git', 'add'])" } },
    { what: 'another program', files: { 'src/operations/ship/ship.ts': "run(['gh', 'git'])" } },
    { what: 'the word alone', files: { 'src/operations/doctor.ts': "export const found = find('git')" } },
  ],
}
