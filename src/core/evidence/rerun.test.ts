import { expect, it } from 'vitest'
import type { Recipe } from './evidence.ts'
import type { TreeId } from '../values/id.ts'
import { rerunCommand } from './rerun.ts'

const check = (name: string, more: object = {}): Recipe['checks'][number] => ({
  name,
  kind: 'check',
  command: `run ${name}`,
  cwd: '.',
  timeoutMs: 1,
  ...more,
})
const evidence = (setup: string | null, ...checks: Recipe['checks']) => ({
  tree: 'abc' as TreeId,
  changed: ['a.html', "it's.html"],
  recipe: { setup, installScripts: 'off', checks } as const,
})

it.for<[string, ReturnType<typeof evidence>, string | null]>([
  [
    'a plain check',
    evidence(null, check('unit')),
    'D=$(mktemp -d) && git archive abc | tar -x -C "$D" && cd "$D" && run unit',
  ],
  [
    'with a setup, in a folder',
    evidence('npm ci', check('unit', { cwd: 'my app' })),
    `D=$(mktemp -d) && git archive abc | tar -x -C "$D" && cd "$D" && { npm ci; } && cd 'my app' && run unit`,
  ],
  [
    'a validator of changed files',
    evidence(null, check('unit', { kind: 'validator', command: 'look {files}' })),
    `D=$(mktemp -d) && git archive abc | tar -x -C "$D" && cd "$D" && look a.html 'it'\\''s.html'`,
  ],
  ['a check that is not in the recipe', evidence(null), null],
])('%s', ([, given, command]) => expect(rerunCommand(given, 'unit')).toBe(command))
