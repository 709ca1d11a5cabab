// Go, Rust, and a Makefile where nothing else is known. Their tools are called in one way only.
import type { ProjectFiles } from './project-files.ts'
import { type Finding, found, type Stack } from './stack.ts'

export async function detectGo(files: ProjectFiles): Promise<Stack | null> {
  if (!(await files.has('go.mod'))) return null
  return {
    name: 'go',
    because: 'go.mod',
    checks: {
      lint: { command: 'go vet ./...', because: 'go.mod' },
      unit: { command: 'go test ./...', because: 'go.mod' },
    },
    setup: (await files.has('go.sum')) ? { command: 'go mod download', because: 'go.sum' } : null,
    notes: [],
  }
}

export async function detectRust(files: ProjectFiles): Promise<Stack | null> {
  const manifest = await files.text('Cargo.toml')
  if (manifest === null) return null
  const all = /^\s*\[workspace\]/m.test(manifest) ? ' --workspace' : ''
  return {
    name: 'rust',
    because: 'Cargo.toml',
    checks: found({
      typecheck: null,
      lint: await clippy(files, manifest, all),
      unit: { command: `cargo test${all}`, because: 'Cargo.toml' },
    }),
    setup: (await files.has('Cargo.lock')) ? { command: 'cargo fetch --locked', because: 'Cargo.lock' } : null,
    notes: [],
  }
}

/** Clippy is an optional component: it is used only where the project asks for it. */
async function clippy(files: ProjectFiles, manifest: string, all: string): Promise<Finding | null> {
  const toolchain = (await files.text('rust-toolchain.toml')) ?? (await files.text('rust-toolchain')) ?? ''
  const places: readonly (readonly [string, boolean])[] = [
    ['clippy.toml', await files.has('clippy.toml')],
    ['.clippy.toml', await files.has('.clippy.toml')],
    ['Cargo.toml has lints for clippy', /^\s*\[(?:workspace\.)?lints\.clippy\]/m.test(manifest)],
    ['the toolchain file names clippy', /["']clippy["']/.test(toolchain)],
  ]
  const place = places.find(([, seen]) => seen)
  return place === undefined ? null : { command: `cargo clippy${all} --all-targets`, because: place[0] }
}

export async function detectMake(files: ProjectFiles): Promise<Stack | null> {
  const names = await files.names('.')
  // The order in which make itself looks.
  const name = ['GNUmakefile', 'makefile', 'Makefile'].find((one) => names.includes(one))
  const text = name === undefined ? null : await files.text(name)
  if (name === undefined || text === null || !hasTestTarget(text)) return null
  const because = `${name} has a target "test"`
  return { name: 'make', because: name, checks: { unit: { command: 'make test', because } }, setup: null, notes: [] }
}

/** `test:`, `check test: build`, `test::`; not `.PHONY: test` and not `test := …`. */
function hasTestTarget(makefile: string): boolean {
  return makefile.split('\n').some((line) => {
    const targets = /^([^\s#:=][^#:=]*):(?!=|:=)/.exec(line)?.[1]
    return targets !== undefined && targets.trim().split(/\s+/).includes('test')
  })
}
