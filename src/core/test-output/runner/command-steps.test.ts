import { describe, expect, it } from 'vitest'
import { stepsOf } from './command-steps.ts'
import { expectedRunner, printingRunners, runnerUses } from './runner-uses.ts'

const scripts = (own: Readonly<Record<string, string>>) => (folder: string) => (folder === '.' ? own : {})

describe('the runners of a command', () => {
  it.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
    ['node --test', {}, ['node:test']],
    ['/usr/bin/node --test --test-reporter=tap', {}, ['node:test']],
    ['node node_modules/vitest/vitest.mjs run', {}, ['vitest']],
    ['npm test', { test: 'vitest run' }, ['vitest']],
    ['npm t', { test: 'npm run unit && npm run e2e', unit: 'jest', e2e: 'mocha e2e' }, ['jest', 'mocha']],
    ['npm run test:unit -- --silent', { 'test:unit': 'c8 mocha' }, ['mocha']],
    ['npm test', { pretest: 'node --test', test: 'vitest' }, ['node:test', 'vitest']],
    ['pnpm test', { test: 'vitest run' }, ['vitest']],
    ['pnpm vitest run', {}, ['vitest']],
    ['yarn jest', {}, ['jest']],
    ['npx vitest run', {}, ['vitest']],
    ['npm exec -- vitest run', {}, ['vitest']],
    ['cd web && npx jest', {}, ['jest']],
    ['cross-env CI=1 jest --runInBand', {}, ['jest']],
    ['python3 -m pytest -q', {}, ['pytest']],
    ['uv run pytest', {}, ['pytest']],
    ['.venv/bin/pytest tests 2>&1 | tee out.txt', {}, ['pytest']],
    ['python -m unittest', {}, ['unittest']],
    ['go test ./...', {}, ['go test']],
    ['cargo test --offline', {}, ['cargo test']],
    ["echo 'vitest run'", {}, []],
    ['node scripts/test.js', {}, []],
    ['make test', {}, []],
    ['npm test', { test: 'npm test' }, []],
    ['$(which vitest) run', {}, []],
  ])('%s', (command, own, expected) => {
    expect(runnerUses(stepsOf(command, scripts(own))).map(({ runner }) => runner)).toEqual(expected)
  })

  it('are looked for where the command has gone', () => {
    const [use] = runnerUses(stepsOf('cd web && npx jest', scripts({})))
    expect(use?.step).toEqual({ program: 'jest', args: [], folder: './web', isOfPackage: true })
  })
})

describe('the runner that has to report', () => {
  it.each<[string, string | null]>([
    ['npx vitest run', 'vitest'],
    ['npm run lint; npx vitest run', 'vitest'],
    ['npx vitest run || true', null],
    ['NODE_OPTIONS=--experimental-vm-modules npx jest', null],
    ['cross-env NODE_OPTIONS=--no-warnings jest', null],
    ['export PYTHONPATH=src; pytest', null],
    ['PATH=/opt/x:$PATH node --test', null],
    ['env -i node --test', null],
    ['CI=1 pytest', 'pytest'],
    ['cargo test', null],
    ['make test', null],
    ['sh -c "vitest run"', null],
  ])('%s', (command, expected) => {
    expect(expectedRunner(stepsOf(command, scripts({ lint: 'eslint .' })))).toBe(expected)
  })
})

describe('the runners whose output counts beside reports', () => {
  it.each<[string, readonly string[]]>([
    ['npx vitest run', []],
    ['npx vitest run && cargo test', ['cargo test']],
    ['make test', ['go test', 'cargo test', 'unittest']],
  ])('%s', (command, expected) => {
    expect(printingRunners(stepsOf(command, scripts({})))).toEqual(expected)
  })
})
