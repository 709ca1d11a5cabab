// The programs that a check's command line starts, as far as its words show: npm scripts are followed, a program that
// starts others by its own rules (make, a shell script, docker) is not.

export interface Step {
  readonly program: string
  readonly args: readonly string[]
  /** Relative to the folder of the check. */
  readonly folder: string
  /** Started by a package manager, which looks into node_modules/.bin first. */
  readonly isOfPackage: boolean
}

export interface CommandSteps {
  readonly steps: readonly Step[]
  /** Variables that the command sets by itself. */
  readonly variables: readonly string[]
  /** Every step is started where the command ends well. */
  readonly isStraight: boolean
  /** Something in it cannot be followed. */
  readonly isOpaque: boolean
}

/** The scripts of the package.json in a folder, relative to the folder of the check. */
export type Scripts = (folder: string) => Readonly<Record<string, string>>

const DEPTH_MAX = 5
const NOTHING: CommandSteps = { steps: [], variables: [], isStraight: true, isOpaque: false }
const OPAQUE: CommandSteps = { ...NOTHING, isOpaque: true }

interface At {
  readonly folder: string
  readonly isOfPackage: boolean
  readonly depth: number
}

export function stepsOf(command: string, scripts: Scripts): CommandSteps {
  return followLine(command, scripts, { folder: '.', isOfPackage: false, depth: 0 })
}

function followLine(line: string, scripts: Scripts, at: At): CommandSteps {
  const parts = splitLine(line)
  if (parts === null || at.depth > DEPTH_MAX) return { ...OPAQUE, isStraight: false }
  let { folder } = at
  const followed = parts.commands.map((words) => {
    const found = followWords(words, scripts, { ...at, folder })
    const [program, to] = words
    if (program === 'cd' && to !== undefined) folder = joined(folder, to)
    return found
  })
  const all = together(followed)
  return { ...all, isStraight: all.isStraight && parts.isStraight }
}

function followWords(words: readonly string[], scripts: Scripts, at: At): CommandSteps {
  const [first, ...rest] = words
  if (first === undefined) return NOTHING
  const variable = /^([A-Za-z_]\w*)=/.exec(first)?.[1]
  if (variable !== undefined) {
    const found = followWords(rest, scripts, at)
    return { ...found, variables: [variable, ...found.variables] }
  }
  if (['env', 'cross-env', 'exec', 'time', 'nice', 'command'].includes(first)) {
    // `env -i`, `nice -n 5`
    if (rest[0]?.startsWith('-') === true) return OPAQUE
    return followWords(rest, scripts, first === 'cross-env' ? { ...at, isOfPackage: true } : at)
  }
  if (['cd', 'echo', 'true', ':', 'test', '[', 'export', 'set', 'mkdir', 'rm', 'cp', 'cat'].includes(first)) {
    const exported = first === 'export' ? rest.flatMap((word) => /^(\w+)=/.exec(word)?.[1] ?? []) : []
    return { ...NOTHING, variables: exported }
  }
  if (['npm', 'pnpm', 'yarn', 'npx', 'pnpx'].includes(first)) return followPackageTool(first, rest, scripts, at)
  const inner = ['poetry', 'uv', 'pipenv', 'pdm'].includes(first) && rest[0] === 'run' ? rest.slice(1) : null
  if (inner !== null) return inner[0]?.startsWith('-') === true ? OPAQUE : followWords(inner, scripts, at)
  if (['c8', 'nyc'].includes(first) && rest[0]?.startsWith('-') === false) return followWords(rest, scripts, at)
  const step = { program: first, args: rest, folder: at.folder, isOfPackage: at.isOfPackage }
  return { ...NOTHING, steps: [step], isOpaque: runnerOf(step) === null }
}

const OF_NPM: readonly string[] = [
  'install',
  'ci',
  'i',
  'add',
  'audit',
  'pack',
  'publish',
  'rebuild',
  'workspace',
  'workspaces',
  'dlx',
]

function followPackageTool(tool: string, words: readonly string[], scripts: Scripts, at: At): CommandSteps {
  const [first, second] = words
  const program = (from: number): CommandSteps => {
    const inner = words.slice(from)
    const isPlain = inner[0] !== undefined && !inner[0].startsWith('-')
    return isPlain ? followWords(inner, scripts, { ...at, isOfPackage: true }) : OPAQUE
  }
  // `npx -y`, `pnpm -r test`, `npm --prefix x test`
  if (first === undefined || (first.startsWith('-') && first !== '--no-install')) return OPAQUE
  if (tool === 'npx' || tool === 'pnpx') return program(first === '--no-install' ? 1 : 0)
  if (first === 'exec' || first === 'x') return program(second === '--' ? 2 : 1)
  const known = scripts(at.folder)
  const named = first === 'run' || first === 'run-script' ? second : first === 't' || first === 'tst' ? 'test' : first
  if (named === undefined || /^-(?:w|-workspaces?|-prefix|C)\b/.test(words.slice(1).join(' '))) return OPAQUE
  if (Object.hasOwn(known, named)) {
    const inner = { folder: at.folder, isOfPackage: true, depth: at.depth + 1 }
    const lines = [`pre${named}`, named, `post${named}`].flatMap((name) => known[name] ?? [])
    return together(lines.map((line) => followLine(line, scripts, inner)))
  }
  return tool === 'npm' || OF_NPM.includes(named) || first === 'run' ? OPAQUE : program(0)
}

function together(all: readonly CommandSteps[]): CommandSteps {
  return {
    steps: all.flatMap(({ steps }) => steps),
    variables: all.flatMap(({ variables }) => variables),
    isStraight: all.every(({ isStraight }) => isStraight),
    isOpaque: all.some(({ isOpaque }) => isOpaque),
  }
}

const scriptsOfRunners: Readonly<Record<string, string>> = {
  'vitest.mjs': 'vitest',
  'jest.js': 'jest',
  'mocha.js': 'mocha',
  vitest: 'vitest',
  jest: 'jest',
  mocha: 'mocha',
}
const programsOfRunners: Readonly<Record<string, string>> = {
  vitest: 'vitest',
  jest: 'jest',
  mocha: 'mocha',
  _mocha: 'mocha',
  pytest: 'pytest',
  'py.test': 'pytest',
}

/** The test runner that a step is; null: none that is known. */
export function runnerOf({ program, args }: Pick<Step, 'program' | 'args'>): string | null {
  const name = baseName(program)
  if (Object.hasOwn(programsOfRunners, name)) return programsOfRunners[name] ?? null
  if (name === 'node') {
    if (args.includes('--test')) return 'node:test'
    const script = baseName(args.find((word) => !word.startsWith('-')) ?? '')
    return Object.hasOwn(scriptsOfRunners, script) ? (scriptsOfRunners[script] ?? null) : null
  }
  if (/^python[\d.]*$/.test(name)) {
    const module = args[args.indexOf('-m') + 1]
    return args.includes('-m') && (module === 'pytest' || module === 'unittest') ? module : null
  }
  if (name === 'go' && args[0] === 'test') return 'go test'
  return name === 'cargo' && (args[0] === 'test' || args[0] === 't') ? 'cargo test' : null
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function joined(folder: string, to: string): string {
  return to.startsWith('/') ? to : `${folder}/${to}`
}

interface Line {
  readonly commands: readonly (readonly string[])[]
  readonly isStraight: boolean
}

/** The simple commands of a line; null where it has more than words, quotes and `&&`, `||`, `;`, `|` and redirections. */
function splitLine(line: string): Line | null {
  const commands: string[][] = [[]]
  let isStraight = true
  const token =
    /\s*(?:(&&|\|\||;|\||\n)|(?:\d?>>?&?\d?|<)\s*[^\s;&|<>()]*|((?:[^\s;&|<>()'"`$\\]|\\.|'[^']*'|"(?:[^"\\`$]|\\.)*"|\$(?![(`]))+))/y
  while (token.lastIndex < line.trimEnd().length) {
    const found = token.exec(line)
    if (found === null) return null
    const [, separator, word] = found
    if (separator !== undefined) {
      commands.push([])
      if (separator === '||') isStraight = false
    } else if (word !== undefined) commands.at(-1)?.push(unquoted(word))
  }
  return { commands: commands.filter((words) => words.length > 0), isStraight }
}

function unquoted(word: string): string {
  return word.replaceAll(
    /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/g,
    (_, single?: string, double?: string, one?: string) => {
      return single ?? double?.replaceAll(/\\(.)/g, '$1') ?? one ?? ''
    },
  )
}
