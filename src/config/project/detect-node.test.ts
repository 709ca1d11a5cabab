import { describe, expect, it } from 'vitest'
import { detectNode } from './detect-node.ts'
import { madeFolder } from '../../../test/rig/folder.ts'
import { projectFiles } from './project-files.ts'
import type { Stack } from './stack.ts'

async function detect(manifest: unknown, others: Record<string, string> = {}): Promise<Stack | null> {
  return detectNode(projectFiles(await madeFolder({ 'package.json': JSON.stringify(manifest), ...others })))
}

const about = { name: 'node', because: 'package.json' }
const seen = (name: string): string => `package.json has a script "${name}"`

describe('detectNode', () => {
  it('takes the scripts and the lockfile', async () => {
    const scripts = { test: 'vitest run', typecheck: 'tsc', lint: 'eslint .', build: 'x' }
    expect(await detect({ scripts }, { 'package-lock.json': '{}' })).toEqual({
      ...about,
      checks: {
        typecheck: { command: 'npm run typecheck', because: seen('typecheck') },
        lint: { command: 'npm run lint', because: seen('lint') },
        unit: { command: 'npm test', because: seen('test') },
      },
      setup: { command: 'npm ci', because: 'package-lock.json' },
      notes: [],
    })
  })

  it.each([
    ['echo "Error: no test specified" && exit 1', 'it is the placeholder that npm init writes'],
    ['echo ok', 'it cannot fail'],
    ['true', 'it cannot fail'],
    ['exit 0', 'it cannot fail'],
    ['', 'it cannot fail'],
  ])('does not take %j for a test', async (test, why) => {
    expect(await detect({ scripts: { test } })).toEqual({
      ...about,
      checks: {},
      setup: null,
      notes: [`package.json: script "test" not taken, ${why}`],
    })
  })

  it('looks further where the first script will not do', async () => {
    const stack = await detect({ scripts: { test: 'true', 'test:unit': 'x', lint: 'eslint --fix .', 'lint:ci': 'y' } })
    expect(stack?.checks).toEqual({
      lint: { command: 'npm run lint:ci', because: seen('lint:ci') },
      unit: { command: 'npm run test:unit', because: seen('test:unit') },
    })
    expect(stack?.notes).toEqual([
      'package.json: script "lint" not taken, it changes files',
      'package.json: script "test" not taken, it cannot fail',
    ])
  })

  it.each([
    [{ vitest: '5' }, 'npx vitest run', 'package.json depends on vitest'],
    [{ jest: '30' }, 'npx jest', 'package.json depends on jest'],
  ])('takes the test runner of %j', async (devDependencies, command, because) => {
    const stack = await detect({ devDependencies })
    expect(stack?.checks).toEqual({ unit: { command, because } })
    expect(stack?.setup).toEqual({
      command: 'npm install',
      because: 'package.json has dependencies and no lockfile',
    })
  })

  it.each([
    ['{}', 'npx tsc --noEmit'],
    ['{ "references": [{ "path": "a" }], "include": ["src"] }', 'npx tsc --noEmit'],
    ['{ // only parts\n "files": [ ], "references": [{ "path": "a" }] }', 'npx tsc -b --noEmit'],
  ])('checks types with typescript and tsconfig %j', async (tsconfig, command) => {
    const stack = await detect({ devDependencies: { typescript: '7' } }, { 'tsconfig.json': tsconfig })
    expect(stack?.checks.typecheck?.command).toBe(command)
  })

  it('checks no types without typescript or without tsconfig', async () => {
    expect((await detect({}, { 'tsconfig.json': '{}' }))?.checks).toEqual({})
    expect((await detect({ dependencies: { typescript: '7' } }))?.checks).toEqual({})
  })

  it.each(['{', '[]', 'null', '"x"'])('says what is wrong with %j', async (text) => {
    expect(await detectNode(projectFiles(await madeFolder({ 'package.json': text })))).toEqual({
      ...about,
      checks: {},
      setup: null,
      notes: ['package.json is not a JSON object'],
    })
  })

  it('survives parts of the wrong type', async () => {
    const stack = await detect({ scripts: { test: 1, lint: ['x'] }, dependencies: 'x', packageManager: 2 })
    expect(stack).toEqual({ ...about, checks: {}, setup: null, notes: [] })
  })

  it('is null without package.json', async () => {
    expect(await detectNode(projectFiles(await madeFolder({ 'tsconfig.json': '{}' })))).toBeNull()
  })
})
