import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Argument, type Expression, parseSync, Visitor } from 'oxc-parser'
import { describe, expect, it } from 'vitest'
import { type ErrorCode, RalphError, refuse } from './error.ts'

const root = join(import.meta.dirname, '../..')

const codes = [...readFileSync(join(root, 'core/error/error-table.ts'), 'utf8').matchAll(/^ {2}([A-Z_]+): \{/gm)].map(
  ([, code]) => code as ErrorCode,
)

interface Use {
  readonly where: string
  readonly code: ErrorCode
  readonly details: readonly string[]
}

/** Every `refuse('CODE', { … })` and `new RalphError('CODE', { … })` of the product that is written out. */
function uses(): Use[] {
  return globSync('**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] }).flatMap((where) => {
    const found: Use[] = []
    const look = (callee: Expression, [first, second]: readonly Argument[]) => {
      const isRefusal = callee.type === 'Identifier' && ['refuse', 'RalphError'].includes(callee.name)
      const details = second === undefined ? [] : keysOf(second)
      if (isRefusal && details !== null) found.push(...literals(first).map((code) => ({ where, code, details })))
    }
    const { program } = parseSync(where, readFileSync(join(root, where), 'utf8'))
    new Visitor({
      CallExpression: (node) => look(node.callee, node.arguments),
      NewExpression: (node) => look(node.callee, node.arguments),
    }).visit(program)
    return found
  })
}

function literals(node: Argument | undefined): ErrorCode[] {
  if (node?.type === 'ConditionalExpression') return [...literals(node.consequent), ...literals(node.alternate)]
  return node?.type === 'Literal' && typeof node.value === 'string' ? [node.value as ErrorCode] : []
}

/** Null where the details are not written out at the call. */
function keysOf(node: Argument): string[] | null {
  if (node.type !== 'ObjectExpression') return null
  const keys = node.properties.map((property) =>
    property.type === 'Property' && property.key.type === 'Identifier' ? property.key.name : null,
  )
  return keys.every((key) => key !== null) ? keys : null
}

describe('every use of an error', () => {
  const all = uses()

  it('is found', () => {
    expect(all).toContainEqual({ where: 'core/task/graph.ts', code: 'DEPENDENCY_CYCLE', details: ['path'] })
    expect(all.length).toBeGreaterThan(30)
  })

  it('fills its whole sentence', () => {
    const unfilled = all.filter(({ code, details }) =>
      /\{\w+\}/.test(new RalphError(code, Object.fromEntries(details.map((key) => [key, 'x']))).message),
    )
    expect(unfilled).toEqual([])
  })
})

describe('every error', () => {
  it('is in the list', () => {
    expect(codes).toEqual(expect.arrayContaining(['USAGE', 'TASK_NOT_FOUND', 'FACT_REFUSED', 'INTERNAL']))
    expect(codes).toEqual([...new Set(codes)])
  })

  it.each(codes)('%s says one sentence, and has a code, an exit and an answer that scripts know', (code) => {
    const error = refuse(code)
    expect(error.message).toMatch(/^\S[^\n]*[^\s.!]$/)
    expect(error.publicCode).toBe(`RALPH_${code}`)
    expect([1, 2, 3, 4, 130]).toContain(error.exit)
    expect(String(error.http)).toMatch(/^[45]\d\d$/)
  })

  it.each(codes.filter((code) => code.endsWith('_NOT_FOUND')))('%s exits as scripts expect', (code) => {
    expect(refuse(code).exit).toBe(2)
  })
})

describe('RalphError', () => {
  it('fills its sentence from the details, numbers too, and nothing from what they say', () => {
    expect(refuse('PLAN_LINE_BAD', { line: 0, problem: '{line} $& $1' }).message).toBe(
      'line 0: {line} $& $1; nothing was written',
    )
  })

  it('leaves what is not told visible', () => {
    expect(refuse('TASK_NOT_FOUND').message).toBe("task '{id}' not found")
  })

  it('carries its cause where there is one', () => {
    const cause = new Error('disk')
    expect([refuse('STORE_FULL', { path: 'a' }, cause).cause, 'cause' in refuse('STORE_FULL')]).toEqual([cause, false])
  })

  it('tells what may be tried again, and where the call itself was wrong', () => {
    const traits = ({ retryable, showsUsage }: RalphError) => ({ retryable, showsUsage })
    expect([refuse('STORE_BUSY'), refuse('TASK_ID_MISSING'), refuse('TASK_NOT_FOUND')].map(traits)).toEqual([
      { retryable: true, showsUsage: false },
      { retryable: false, showsUsage: true },
      { retryable: false, showsUsage: false },
    ])
  })

  it('is an error by name', () => {
    const error = refuse('USAGE', { message: 'missing -m' })
    expect([error instanceof Error, error.name, error.code, String(error)]).toEqual([
      true,
      'RalphError',
      'USAGE',
      'RalphError: missing -m',
    ])
  })
})

// The sentences and exit codes that scripts written for the task command rely on.
describe('the task command', () => {
  it.each<[error: RalphError, exit: number, message: string]>([
    [refuse('TASK_ID_MISSING'), 1, 'missing task ID'],
    [refuse('TASK_TITLE_MISSING'), 1, 'missing task title'],
    [refuse('BLOCKER_MISSING'), 1, 'missing --by'],
    [refuse('FLAG_UNKNOWN', { flag: '--x' }), 1, 'unknown flag --x'],
    [refuse('COMMAND_UNKNOWN', { command: 'x' }), 1, 'unknown command x'],
    [refuse('PRIORITY_BAD'), 1, '-p (priority) must be a non-negative integer'],
    [refuse('LEASE_BAD'), 1, '--lease must be a non-negative integer'],
    [refuse('TASK_NOT_FOUND', { id: 'X' }), 2, "task 'X' not found"],
    [refuse('AGENT_NOT_FOUND', { id: 'X' }), 2, "agent 'X' not found"],
    [refuse('DEPENDENCY_NOT_FOUND'), 2, 'dependency not found'],
    [refuse('TASK_NOT_ACTIVE', { id: 'X', status: 'open' }), 1, "task 'X' is not active (status: open)"],
    [refuse('NOT_THE_ASSIGNEE', { agent: 'a', id: 'X' }), 1, "agent 'a' is not the assignee of task 'X'"],
    [refuse('TASK_DONE', { id: 'X', verb: 'updated' }), 1, "task 'X' is done and cannot be updated"],
    [refuse('RESULT_WITHOUT_COMMIT'), 1, "result JSON must include a 'commit' key"],
    [refuse('FLAGS_CONFLICT', { one: '--all', other: '--status' }), 1, '--all and --status are mutually exclusive'],
    [refuse('TASK_NOT_ELIGIBLE'), 2, 'Task not eligible'],
    [refuse('NO_ELIGIBLE_TASKS'), 2, 'No eligible tasks'],
  ])('$2', (error, exit, message) => {
    expect([error.exit, error.message]).toEqual([exit, message])
  })
})
