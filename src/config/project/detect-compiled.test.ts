import { describe, expect, it } from 'vitest'
import { detectGo, detectMake, detectRust } from './detect-compiled.ts'
import { madeFolder } from '../../../test/rig/folder.ts'
import { type ProjectFiles, projectFiles } from './project-files.ts'

async function files(content: Record<string, string>): Promise<ProjectFiles> {
  return projectFiles(await madeFolder(content))
}

describe('detectGo', () => {
  it('takes vet and test, and downloads what go.sum pins', async () => {
    expect(await detectGo(await files({ 'go.mod': 'module x', 'go.sum': '' }))).toEqual({
      name: 'go',
      because: 'go.mod',
      checks: {
        lint: { command: 'go vet ./...', because: 'go.mod' },
        unit: { command: 'go test ./...', because: 'go.mod' },
      },
      setup: { command: 'go mod download', because: 'go.sum' },
      notes: [],
    })
  })

  it('is null without go.mod, and needs no setup without go.sum', async () => {
    expect(await detectGo(await files({ 'main.go': '' }))).toBeNull()
    expect((await detectGo(await files({ 'go.mod': '' })))?.setup).toBeNull()
  })
})

describe('detectRust', () => {
  it.each<[Record<string, string>, string | null]>([
    [{}, null],
    [{ 'clippy.toml': '' }, 'clippy.toml'],
    [{ '.clippy.toml': '' }, '.clippy.toml'],
    [{ 'Cargo.toml': '[lints.clippy]' }, 'Cargo.toml has lints for clippy'],
    [{ 'rust-toolchain.toml': 'components = ["rustfmt", "clippy"]' }, 'the toolchain file names clippy'],
    [{ 'rust-toolchain': 'stable' }, null],
  ])('takes clippy only where the project asks for it: %j', async (content, because) => {
    const stack = await detectRust(await files({ 'Cargo.toml': '[package]', ...content }))
    const lint = because === null ? {} : { lint: { command: 'cargo clippy --all-targets', because } }
    expect(stack?.checks).toEqual({ ...lint, unit: { command: 'cargo test', because: 'Cargo.toml' } })
    expect(stack?.setup).toBeNull()
  })

  it('takes the whole workspace', async () => {
    const content = { 'Cargo.toml': '[workspace]\n[workspace.lints.clippy]', 'Cargo.lock': '' }
    expect(await detectRust(await files(content))).toEqual({
      name: 'rust',
      because: 'Cargo.toml',
      checks: {
        lint: { command: 'cargo clippy --workspace --all-targets', because: 'Cargo.toml has lints for clippy' },
        unit: { command: 'cargo test --workspace', because: 'Cargo.toml' },
      },
      setup: { command: 'cargo fetch --locked', because: 'Cargo.lock' },
      notes: [],
    })
  })

  it('is null without Cargo.toml', async () => {
    expect(await detectRust(await files({ 'Cargo.lock': '' }))).toBeNull()
  })
})

describe('detectMake', () => {
  it.each(['test:\n\tx', 'check test: build\n\tx', 'test::\n\tx', 'a = b\ntest : x', 'all: test\ntest:'])(
    'finds a test target in %j',
    async (makefile) => {
      expect(await detectMake(await files({ Makefile: makefile }))).toEqual({
        name: 'make',
        because: 'Makefile',
        checks: { unit: { command: 'make test', because: 'Makefile has a target "test"' } },
        setup: null,
        notes: [],
      })
    },
  )

  it.each(['.PHONY: test', 'test := x', 'test ::= x', 'test = x', '# test:', '\ttest:', 'tests:', 'all: test', ''])(
    'finds none in %j',
    async (makefile) => {
      expect(await detectMake(await files({ Makefile: makefile }))).toBeNull()
    },
  )
})
