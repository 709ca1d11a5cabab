import { describe, expect, it } from 'vitest'
import { detectProject } from './detect.ts'
import { madeFolder } from '../../../test/rig/folder.ts'

const npmProject = JSON.stringify({ scripts: { test: 'x', lint: 'y' } })

describe('detectProject', () => {
  it('finds nothing in an empty folder, and in none', async () => {
    const nothing = { stacks: [], checks: [], setup: null, notes: [] }
    expect(await detectProject(await madeFolder())).toEqual(nothing)
    expect(await detectProject('/nowhere/at/all')).toEqual(nothing)
  })

  it('puts several stacks of one folder together, quick checks first', async () => {
    const folder = await madeFolder({
      'package.json': npmProject,
      'package-lock.json': '{}',
      'go.mod': '',
      'go.sum': '',
    })
    expect(await detectProject(folder)).toEqual({
      stacks: [
        { name: 'node', cwd: '.', because: 'package.json' },
        { name: 'go', cwd: '.', because: 'go.mod' },
      ],
      checks: [
        { name: 'lint', command: 'npm run lint', because: 'package.json has a script "lint"', cwd: '.' },
        { name: 'lint-go', command: 'go vet ./...', because: 'go.mod', cwd: '.' },
        { name: 'unit', command: 'npm test', because: 'package.json has a script "test"', cwd: '.' },
        { name: 'unit-go', command: 'go test ./...', because: 'go.mod', cwd: '.' },
      ],
      setup: { command: 'npm ci && go mod download', because: 'package-lock.json, go.sum' },
      notes: [],
    })
  })

  it('looks one folder deep where the root has nothing, past what is no part of the project', async () => {
    const folder = await madeFolder({
      'backend/go.mod': '',
      'backend/pytest.ini': '',
      'frontend/package.json': JSON.stringify({ scripts: { test: 'x', lint: 'eslint --fix' } }),
      'frontend/package-lock.json': '{}',
      'examples/package.json': npmProject,
      'node_modules/package.json': npmProject,
      '.hidden/package.json': npmProject,
      'with space/package.json': npmProject,
      'deep/er/package.json': npmProject,
    })
    const detected = await detectProject(folder)
    expect(detected.checks.map(({ name, command, cwd }) => [name, command, cwd])).toEqual([
      ['lint', 'go vet ./...', 'backend'],
      ['unit', 'python3 -m pytest', 'backend'],
      ['unit-backend-go', 'go test ./...', 'backend'],
      ['unit-frontend', 'npm test', 'frontend'],
    ])
    expect(detected.setup).toEqual({ command: '(cd frontend && npm ci)', because: 'frontend/package-lock.json' })
    expect(detected.notes).toEqual(['frontend/package.json: script "lint" not taken, it changes files'])
  })

  it('gives every check a name of its own', async () => {
    const both = { 'go.mod': '', 'pytest.ini': '' }
    const inFolder = (name: string): [string, string][] =>
      Object.entries(both).map(([file, text]) => [`${name}/${file}`, text])
    const folder = await madeFolder(Object.fromEntries([['0/go.mod', ''], ...inFolder('a'), ['a-go/go.mod', '']]))
    const names = (await detectProject(folder)).checks.map(({ name }) => name)
    expect(names).toEqual(['lint', 'lint-a', 'lint-a-go', 'unit', 'unit-a-python', 'unit-a-go', 'unit-a-go-2'])
  })

  it('leaves folders alone where the root is a project', async () => {
    const folder = await madeFolder({ 'go.mod': '', 'web/package.json': npmProject })
    expect((await detectProject(folder)).stacks).toEqual([{ name: 'go', cwd: '.', because: 'go.mod' }])
  })

  it.each([
    [{ Makefile: 'test:\n' }, ['make test']],
    [{ Makefile: 'test:\n', 'package.json': '{"scripts":{"lint":"x"}}' }, ['npm run lint', 'make test']],
    [{ Makefile: 'test:\n', 'go.mod': '' }, ['go vet ./...', 'go test ./...']],
  ])('takes make only where nothing else tests: %j', async (files, commands) => {
    const { checks } = await detectProject(await madeFolder(files))
    expect(checks.map(({ command }) => command)).toEqual(commands)
  })
})
