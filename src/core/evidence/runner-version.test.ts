import { expect, it } from 'vitest'
import { packagesOf, programsOf, versionsSaid } from './runner-version.ts'

it.each([
  ['vitest', '\n RUN  v5.1.0 /work/app\n\n ✓ a.test.ts (1 test)\n', ['vitest 5.1.0']],
  [
    'vitest in colour',
    '\u001B[1m\u001B[46m RUN \u001B[49m\u001B[22m \u001B[36mv3.0.0-beta.2\u001B[39m /app\n',
    ['vitest 3.0.0-beta.2'],
  ],
  ['vitest of two packages', 'a:test:  RUN  v3.0.0 /a\nb:test:  RUN  v3.0.1 /b\n', ['vitest 3.0.0', 'vitest 3.0.1']],
  [
    'pytest',
    '===== test session starts =====\nplatform linux -- Python 3.12.1, pytest-8.2.0, pluggy-1.5.0\n',
    ['pytest 8.2.0', 'python 3.12.1'],
  ],
  ['bun', 'bun test v1.2.3 (abc)\n', ['bun 1.2.3']],
  ['a program that speaks of it', 'we RUN  v5.1.0\nsee pytest-8.2.0\n', []],
  ['nothing', '', []],
])('says its version: %s', (_, output, expected) => {
  expect(versionsSaid(output)).toEqual(expected)
})

it('knows what runners run on', () => {
  const cases = [
    ['vitest + pytest', 'make test'],
    ['node:test + jest', 'npm test'],
    ['go test', 'go test ./...'],
    ['cargo test', 'sh check.sh'],
    ['TAP', 'cd app && node --test'],
    ['TAP', 'npm test; python -m tap'],
    ['TAP', 'sh check.sh'],
    ['JUnit', './node --test'],
  ] as const
  expect(cases.map(([source, command]) => programsOf(source, command))).toEqual([
    ['node', 'python3'],
    ['node'],
    ['go'],
    ['cargo'],
    ['node'],
    ['node', 'python'],
    [],
    [],
  ])
  expect(packagesOf('vitest + mocha + jest')).toEqual(['mocha', 'jest'])
})
