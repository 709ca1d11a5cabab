// A sealed example: what a task has to do, in one concrete case that the implementer never sees. The name and the
// signature stand in the task's acceptance; only the values are sealed.

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }

/** A call of an exported name with literal arguments. */
export interface CallExample {
  readonly call: {
    /** From the root of the repository. */
    readonly module: string
    /** The exported name; `default` for the default export, `Money.parse` for a member. */
    readonly name: string
    readonly args: readonly Json[]
    readonly expects: { readonly returns: Json } | { readonly throws: true }
  }
}

/** A run of a program in the root of the repository. */
export interface CommandExample {
  readonly command: {
    readonly argv: readonly string[]
    readonly stdin: string
    readonly exit: number
    /** Null: only the exit code counts. */
    readonly output: { readonly stdout: string } | { readonly path: string; readonly equals: Json } | null
  }
}

export type SealedExample = CallExample | CommandExample

export const EXAMPLES_MAX = 5
/** Fewer are too easily all wrong, so none of them counts. */
export const EXAMPLES_MIN = 3

export type ExampleLanguage = 'javascript' | 'typescript' | 'python'

const languages: Readonly<Record<string, ExampleLanguage>> = {
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  ts: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  tsx: 'typescript',
  jsx: 'typescript',
  py: 'python',
}

/** Null: no call can be made in it. */
export function languageOf(module: string): ExampleLanguage | null {
  const ending = /\.([a-z]+)$/.exec(module)?.[1] ?? ''
  return Object.hasOwn(languages, ending) ? (languages[ending] ?? null) : null
}

/** What an implementer may read: the names, which the acceptance has too, and no value. */
export function exampleLabel(example: SealedExample): string {
  return 'call' in example
    ? `a call of ${example.call.name} in ${example.call.module}`
    : `a run of ${example.command.argv[0] ?? ''}`
}

/** As people write it, with its values. */
export function exampleJson(example: SealedExample): Json {
  if ('call' in example) {
    const { module, name, args, expects } = example.call
    return { call: { module, name, args, ...expects } }
  }
  const { argv, stdin, exit, output } = example.command
  const expected: Record<string, Json> =
    output === null ? {} : 'stdout' in output ? { stdout: output.stdout } : { json: { ...output } }
  return { command: { argv, ...(stdin === '' ? {} : { stdin }), exit, ...expected } }
}
