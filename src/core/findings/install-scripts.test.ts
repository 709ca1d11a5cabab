import { describe, expect, it } from 'vitest'
import type { Change } from './patch-findings.ts'
import { installChanges, installRule, manifestsAbove, withInstallNote } from './install-scripts.ts'

const modified = (path: string): Change => ({ path, change: 'modified' })
const manifest = (value: object): string => JSON.stringify(value)
const base = { name: 'app', version: '1.0.0', scripts: { test: 'vitest' }, dependencies: { a: '1' } }

describe('what makes another install', () => {
  it.each<[string, readonly Change[], readonly string[]]>([
    ['code', [modified('src/a.ts')], []],
    ['a lockfile', [modified('package-lock.json')], ['package-lock.json']],
    ['a lockfile of a package', [modified('packages/a/pnpm-lock.yaml')], ['packages/a/pnpm-lock.yaml']],
    ['a lockfile that is gone', [{ path: 'yarn.lock', change: 'deleted' }], ['yarn.lock']],
    ['a setting of the package manager', [{ path: '.npmrc', change: 'added' }], ['.npmrc']],
    ['a patch of a dependency', [{ path: '.yarn/patches/a.patch', change: 'added' }], ['.yarn/patches/a.patch']],
    ['a new manifest', [{ path: 'packages/b/package.json', change: 'added' }], ['packages/b/package.json']],
    ['a renamed lockfile', [{ path: 'old.json', change: 'renamed', from: 'package-lock.json' }], ['old.json']],
    ['a manifest of another language', [modified('pyproject.toml')], []],
  ])('%s', (_, files, expected) => {
    expect(installChanges({ files, contents: new Map() }, 'npm ci', new Map())).toEqual(expected)
  })

  it.each<[string, object, readonly string[]]>([
    ['the version', { ...base, version: '2.0.0' }, []],
    ['what the tests run', { ...base, scripts: { test: 'jest' } }, []],
    ['a dependency', { ...base, dependencies: { a: '2' } }, ['package.json (dependencies.a)']],
    ['a new dependency', { ...base, devDependencies: { b: '1' } }, ['package.json (devDependencies.b)']],
    ['an override', { ...base, overrides: { b: '1' } }, ['package.json (overrides.b)']],
    [
      'an install script',
      { ...base, scripts: { test: 'vitest', postinstall: 'x' } },
      ['package.json (scripts.postinstall)'],
    ],
    ['which scripts are allowed', { ...base, allowScripts: { a: true } }, ['package.json (allowScripts.a)']],
    ['whom bun trusts', { ...base, trustedDependencies: ['a'] }, ['package.json (trustedDependencies)']],
  ])('of a manifest: %s', (_, now, expected) => {
    const contents = new Map([['package.json', { base: manifest(base), now: manifest(now) }]])
    expect(installChanges({ files: [modified('package.json')], contents }, 'npm ci', new Map())).toEqual(expected)
  })

  it('a manifest that cannot be read', () => {
    const contents = new Map([['package.json', { base: manifest(base), now: '{' }]])
    expect(installChanges({ files: [modified('package.json')], contents }, 'npm ci', new Map())).toEqual([
      'package.json',
    ])
  })

  it.each<[string, string, Readonly<Record<string, object>>, readonly string[]]>([
    ['a file that the command names', 'sh ./tools/setup.sh', {}, ['tools/setup.sh']],
    [
      'a file that an install script names',
      'npm ci',
      { '': { postinstall: 'node tools/after.js' } },
      ['tools/after.js'],
    ],
    ['the same without its ending', 'npm ci', { '': { prepare: 'node tools/after && x' } }, ['tools/after.js']],
    ['one of a package', 'npm ci', { 'packages/a/': { preinstall: './pre.js' } }, ['packages/a/pre.js']],
    ['a file that only a test names', 'npm ci', { '': { test: 'node tools/after.js' } }, []],
  ])('%s', (_, command, scripts, expected) => {
    const files = ['tools/setup.sh', 'tools/after.js', 'packages/a/pre.js'].map(modified)
    const manifests = Object.entries(scripts).map(
      ([folder, own]) => [`${folder}package.json`, manifest({ scripts: own })] as const,
    )
    expect(installChanges({ files, contents: new Map() }, command, new Map(manifests))).toEqual(expected)
  })

  it('every manifest above a changed file is asked for, once', () => {
    expect(manifestsAbove(['a.js', 'x/y/b.js', 'x/c.js'].map(modified))).toEqual([
      'package.json',
      'x/package.json',
      'x/y/package.json',
    ])
  })
})

describe('install scripts', () => {
  it.each([
    ['unchanged', [], { scripts: 'run', note: null }],
    ['always', [], { scripts: 'run', note: null }],
    ['never', [], { scripts: 'off', note: 'setup: install scripts were off (install_scripts = "never")' }],
    [
      'unchanged',
      ['.npmrc', 'package-lock.json'],
      {
        scripts: 'off',
        note: 'setup: install scripts were off, because the patch changes .npmrc, package-lock.json (install_scripts under [workspace])',
      },
    ],
    ['always', ['.npmrc'], { scripts: 'run', note: 'setup: install scripts ran although the patch changes .npmrc' }],
  ] as const)('%s with %j', (policy, changes, expected) => {
    expect(installRule(policy, changes)).toEqual(expected)
  })

  it('are told of with a verdict that they may have caused', () => {
    const off = installRule('never', [])
    const red = { verdict: { is: 'red', error: 'unit failed' }, notes: [] } as const
    const green = { verdict: { is: 'green' }, notes: ['new project'] } as const
    expect([red, green].map((judged) => withInstallNote(judged, off))).toEqual([
      { verdict: { is: 'red', error: `unit failed\n\n${off.note}` }, notes: [off.note] },
      { verdict: { is: 'green' }, notes: ['new project', off.note] },
    ])
  })
})
