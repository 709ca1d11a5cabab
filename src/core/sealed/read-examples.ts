// Reads examples as a planner or an operator writes them. A refusal names the example and the field, never a value: it
// may end up in a log that an implementer can read.
//
//   {"call": {"module": "src/range.js", "name": "range", "args": [2, 8, 3], "returns": [2, 5, 8]}}
//   {"call": {"module": "src/range.js", "name": "range", "args": ["x"], "throws": true}}
//   {"command": {"argv": ["node", "cli.js"], "stdin": "a", "exit": 0, "stdout": "A"}}
//   {"command": {"argv": ["node", "cli.js", "--json"], "json": {"path": "$.total", "equals": 3}}}
import { type Answer, bad, type Fields, isTextList } from '../values/json-answer.ts'
import {
  type CallExample,
  type CommandExample,
  EXAMPLES_MAX,
  type Json,
  languageOf,
  type SealedExample,
} from './example.ts'
import { pathSteps } from './json-value.ts'

/** Of the JSON text of one example: an example is small, and its values are read by people. */
const EXAMPLE_LENGTH_MAX = 16_384
const WORDS_MAX = 64

/** Nothing, an empty list and null are no examples. */
export function readExamples(value: unknown): Answer<readonly SealedExample[]> {
  if (value === undefined || value === null) return { ok: true, value: [] }
  if (!Array.isArray(value)) return bad("'examples' must be a list")
  if (value.length > EXAMPLES_MAX) return bad(`'examples' has ${value.length} examples, the most is ${EXAMPLES_MAX}`)
  const examples: SealedExample[] = []
  for (const [at, item] of value.entries()) {
    const read = readExample(item)
    if (!read.ok) return bad(`example ${at + 1}: ${read.problem}`)
    examples.push(read.value)
  }
  return { ok: true, value: examples }
}

/** Either the object or its JSON text: a form that constrains a model cannot describe a literal of any kind. */
function readExample(item: unknown): Answer<SealedExample> {
  const value = typeof item === 'string' ? parsed(item) : item
  if (!isFields(value)) return bad("it must be an object with 'call' or 'command'")
  if (!isJson(value)) return bad('its values must be JSON')
  if (JSON.stringify(value).length > EXAMPLE_LENGTH_MAX)
    return bad(`it has more than ${EXAMPLE_LENGTH_MAX} characters as JSON`)
  const { call, command, ...rest } = value
  const unknown = Object.keys(rest)[0]
  if (unknown !== undefined) return bad(`it has an unknown field '${shown(unknown)}'; known are call and command`)
  if ((call === undefined) === (command === undefined)) return bad("it must have one of 'call' and 'command'")
  return call === undefined ? readCommand(command) : readCall(call)
}

function readCall(value: unknown): Answer<CallExample> {
  if (!isFields(value)) return bad("'call' must be an object")
  const { module, name, args, returns, throws, ...rest } = value
  const unknown = Object.keys(rest)[0]
  if (unknown !== undefined)
    return bad(`'call' has an unknown field '${shown(unknown)}'; known are module, name, args, returns and throws`)
  if (typeof module !== 'string' || !isInside(module)) return bad("'module' must be the path of a file in the project")
  if (languageOf(module) === null) return bad("'module' must be a file of JavaScript, TypeScript or Python")
  if (typeof name !== 'string' || !exportedName.test(name)) return bad("'name' must be an exported name")
  if (!Array.isArray(args)) return bad("'args' must be a list of the arguments")
  if (throws !== undefined && throws !== true && throws !== false) return bad("'throws' must be true")
  const isThrow = throws === true
  if ((returns === undefined) !== isThrow) return bad("it must have one of 'returns' and 'throws'")
  const expects = isThrow ? ({ throws: true } as const) : { returns: returns as Json }
  return { ok: true, value: { call: { module: plainPath(module), name, args: args as Json[], expects } } }
}

const exportedName = /^[\p{L}_$][\p{L}\p{N}_$]{0,127}(?:\.[\p{L}_$][\p{L}\p{N}_$]{0,127}){0,2}$/u

function readCommand(value: unknown): Answer<CommandExample> {
  if (!isFields(value)) return bad("'command' must be an object")
  const { argv, stdin = '', exit = 0, stdout, json, ...rest } = value
  const unknown = Object.keys(rest)[0]
  if (unknown !== undefined)
    return bad(`'command' has an unknown field '${shown(unknown)}'; known are argv, stdin, exit, stdout and json`)
  if (!isTextList(argv) || argv.length === 0 || argv.length > WORDS_MAX || argv[0] === '')
    return bad(`'argv' must be a list of 1 to ${WORDS_MAX} texts, the program first`)
  if (argv.some((word) => word.includes('\0'))) return bad("'argv' must not hold a NUL character")
  if (typeof stdin !== 'string') return bad("'stdin' must be a text")
  if (typeof exit !== 'number' || !Number.isInteger(exit) || exit < 0 || exit > 255)
    return bad("'exit' must be a whole number from 0 to 255")
  if (stdout !== undefined && json !== undefined) return bad("it must have only one of 'stdout' and 'json'")
  if (stdout !== undefined && typeof stdout !== 'string') return bad("'stdout' must be a text")
  if (stdout === undefined && json === undefined && value['exit'] === undefined)
    return bad("it must have one of 'stdout', 'json' and 'exit'")
  const output =
    json === undefined ? { ok: true as const, value: typeof stdout === 'string' ? { stdout } : null } : readPath(json)
  return output.ok ? { ok: true, value: { command: { argv, stdin, exit, output: output.value } } } : output
}

function readPath(json: unknown): Answer<{ readonly path: string; readonly equals: Json }> {
  if (!isFields(json)) return bad("'json' must be an object with 'path' and 'equals'")
  const { path, equals } = json
  if (typeof path !== 'string' || pathSteps(path) === null) return bad("'path' must be a path such as $.items[0].name")
  if (equals === undefined) return bad("'json' must have 'equals'")
  return { ok: true, value: { path, equals: equals as Json } }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** TOML has dates and very large numbers, which JSON does not. */
function isJson(value: unknown): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (Array.isArray(value)) return value.every(isJson)
  if (typeof value !== 'object') return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return (prototype === null || prototype === Object.prototype) && Object.values(value).every(isJson)
}

function isInside(path: string): boolean {
  if (path === '' || path.length > 1024 || /^[/~]|^[A-Za-z]:|[\\\p{Cc}]|\/$/u.test(path)) return false
  return !path.split('/').includes('..')
}

function plainPath(path: string): string {
  return path.replace(/^(?:\.\/)+/, '')
}

const NAME_SHOWN_MAX = 40

function shown(name: string): string {
  return name.slice(0, NAME_SHOWN_MAX).replaceAll(/[\p{Cc}']/gu, '?')
}
