// The versions behind a result: of the test runner where it prints its own, and of the program that it runs on.
import { plainLines, splitPrefix } from '../test-output/plain-lines.ts'

const sayings: readonly (readonly [name: string, said: RegExp])[] = [
  ['vitest', /^ RUN {2}v(\d[\w.+-]*)/],
  ['pytest', /^platform .*\bpytest-(\d[\w.+-]*)/],
  ['python', /^platform .*\bPython (\d[\w.+-]*)/],
  ['bun', /^bun test v(\d[\w.+-]*)/],
]

/** Runners print it first; a search through a million lines would be wasted. */
const LINES_READ_MAX = 200

/** `vitest 5.1.0`, …, in the order of the output. */
export function versionsSaid(output: string): string[] {
  const found = new Set<string>()
  let read = 0
  for (const line of plainLines(output)) {
    const { text } = splitPrefix(line)
    for (const [name, said] of sayings) {
      const version = said.exec(text)?.[1]
      if (version !== undefined) found.add(`${name} ${version}`)
    }
    if ((read += 1) >= LINES_READ_MAX) break
  }
  return [...found]
}

const programs: Readonly<Record<string, string>> = {
  'node:test': 'node',
  vitest: 'node',
  jest: 'node',
  mocha: 'node',
  pytest: 'python3',
  unittest: 'python3',
  'go test': 'go',
  'cargo test': 'cargo',
}

/** Where the output does not identify the runner, as with TAP, its command may. */
const commands: Readonly<Record<string, string>> = {
  node: 'node',
  npm: 'node',
  npx: 'node',
  pnpm: 'node',
  yarn: 'node',
  python: 'python',
  python3: 'python3',
  pytest: 'python3',
  go: 'go',
  cargo: 'cargo',
  deno: 'deno',
  bun: 'bun',
  ruby: 'ruby',
  php: 'php',
  dotnet: 'dotnet',
}

/** The programs that the runners of a count run on: for `vitest + pytest` they are `node` and `python3`. */
export function programsOf(source: string, command: string): string[] {
  const known = source.split(' + ').flatMap((runner) => programs[runner] ?? [])
  const named = command.split(/[\s;&|()]+/).flatMap((word) => commands[word] ?? [])
  return [...new Set(known.length > 0 ? known : named)]
}

/** Runners that are packages and do not print their version. */
export function packagesOf(source: string): string[] {
  return source.split(' + ').filter((runner) => runner === 'jest' || runner === 'mocha')
}
