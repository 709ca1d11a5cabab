import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { GRAPH_ID_LENGTH_MAX, graphFaults, type GraphTask, listedTasks, readBuildGraph } from './build-graph.ts'
import { taskId } from '../values/id.ts'
import { TASK_TYPES } from '../task/task.ts'

const rules = { tasksMax: 15, known: new Set([taskId('old')]) }
const read = (tasks: unknown, notes: unknown = '') => readBuildGraph(JSON.stringify({ tasks, notes }), rules)
const problemOf = (tasks: unknown, notes?: unknown): string | null => {
  const answer = read(tasks, notes)
  return answer.ok ? null : answer.problem
}

const wire = (fields: object = {}) => ({
  id: 'add-sum',
  title: 'Add sum()',
  goal: 'Numbers can be added.',
  acceptance: ['sum(1, 2) is 3'],
  depends_on: [],
  files_expected: ['src/sum.js'],
  status: 'todo',
  type: 'api',
  ...fields,
})

describe('a plan', () => {
  it('is read whole', () => {
    const second = wire({ id: 'docs', depends_on: ['add-sum', 'old', 'add-sum'], files_expected: ['./a.md', 'a.md'] })
    expect(read([wire({ title: ' Add sum() ' }), second], 'why so')).toEqual({
      ok: true,
      value: {
        notes: 'why so',
        tasks: [
          {
            id: 'add-sum',
            title: 'Add sum()',
            goal: 'Numbers can be added.',
            acceptance: ['sum(1, 2) is 3'],
            dependsOn: [],
            filesExpected: ['src/sum.js'],
            type: 'api',
          },
          expect.objectContaining({ id: 'docs', dependsOn: ['add-sum', 'old'], filesExpected: ['a.md'] }),
        ],
      },
    })
  })

  it('may leave out what has a default', () => {
    const { id, title, goal, acceptance } = wire()
    expect(readBuildGraph(JSON.stringify({ tasks: [{ id, title, goal, acceptance }] }), rules)).toEqual({
      ok: true,
      value: { notes: '', tasks: [{ id, title, goal, acceptance, dependsOn: [], filesExpected: [], type: null }] },
    })
  })

  it('is found in a fenced block', () => {
    expect(readBuildGraph(`Here it is:\n\`\`\`json\n${JSON.stringify({ tasks: [wire()] })}\n\`\`\``, rules).ok).toBe(
      true,
    )
  })

  const idRule = "'id' must be 1 to 64 letters, digits, '.', '_' or '-', and begin with a letter or digit"
  it.each<[tasks: unknown, problem: string]>([
    [undefined, "'tasks' must be a list of 1 to 15 tasks"],
    [[], "'tasks' must be a list of 1 to 15 tasks, not of 0"],
    [
      Array.from({ length: 16 }, (_, at) => wire({ id: `t${at}` })),
      "'tasks' must be a list of 1 to 15 tasks, not of 16",
    ],
    [['x'], 'task 1 must be an object'],
    [[wire({ id: undefined })], `task 1: ${idRule}`],
    [[wire({ id: 7 })], `task 1: ${idRule}`],
    [[wire({ id: 'two words' })], `task 'two words': ${idRule}`],
    [[wire({ id: '-x' })], `task '-x': ${idRule}`],
    [[wire({ id: 'a/b' })], `task 'a/b': ${idRule}`],
    [[wire({ title: ' ' })], "task 'add-sum': 'title' must be a text"],
    [[wire({ title: 'a\nb' })], "task 'add-sum': the title must be one line of at most 500 characters"],
    [[wire({ goal: undefined })], "task 'add-sum': 'goal' must be a text"],
    [[wire({ acceptance: [] })], "task 'add-sum': 'acceptance' must be a list of 1 to 100 texts"],
    [[wire({ acceptance: 'it works' })], "task 'add-sum': 'acceptance' must be a list of 1 to 100 texts"],
    [[wire({ acceptance: ['ok', ''] })], "task 'add-sum': 'acceptance' must be a list of 1 to 100 texts"],
    [[wire({ depends_on: 'x' })], "task 'add-sum': 'depends_on' must be a list of at most 100 ids"],
    [[wire({ depends_on: ['x'] })], "task 'add-sum': 'depends_on' names 'x', which is no task of this plan"],
    [[wire({ depends_on: ['add-sum'] })], "task 'add-sum': 'depends_on' goes in a circle: add-sum -> add-sum"],
    [
      [
        wire({ id: 'a', depends_on: ['b'] }),
        wire({ id: 'b', depends_on: ['c'] }),
        wire({ id: 'c', depends_on: ['a'] }),
      ],
      "task 'a': 'depends_on' goes in a circle: a -> b -> c -> a",
    ],
    [[wire(), wire(), wire()], "task 'add-sum': its 'id' is given to more than one task"],
    ...['/etc/passwd', '../x', 'a/../../b', 'src/**', 'src/', 'a\\b', './'].map((file): [unknown, string] => [
      [wire({ files_expected: [file] })],
      `task 'add-sum': 'files_expected' has '${file}', which is no path of a file inside the project`,
    ]),
    [[wire({ status: 'done' })], "task 'add-sum': 'status' must be todo"],
    [
      [wire({ type: 'magic' })],
      "task 'add-sum': 'type' must be one of setup, database, api, ui, integration, test, docs, refactor, chore",
    ],
    [[wire({ type: null })], `task 'add-sum': 'type' must be one of ${TASK_TYPES.join(', ')}`],
  ])('is refused: %j', (tasks, problem) => {
    expect(problemOf(tasks)).toBe(problem)
  })

  it('tells all its faults at once', () => {
    expect(problemOf([wire({ id: 'a', goal: 1, type: 'x' }), wire({ id: 'b', acceptance: [] })])).toBe(
      [
        "task 'a': 'goal' must be a text",
        `task 'a': 'type' must be one of ${TASK_TYPES.join(', ')}`,
        "task 'b': 'acceptance' must be a list of 1 to 100 texts",
      ].join('; '),
    )
    expect(problemOf(Array.from({ length: 15 }, () => ({})))).toMatch(/; and 48 more faults$/)
    expect(problemOf([wire()], 7)).toBe("'notes' must be a text of at most 65536 characters")
  })

  it.each(['', 'I would begin with the parser.', '[]', '{"tasks": [}'])('is not guessed from %j', (message) => {
    expect(readBuildGraph(message, rules).ok).toBe(false)
  })
})

describe('its tasks', () => {
  it('are listed as they are to be stored', () => {
    const answer = read([wire({ depends_on: ['old'] })])
    expect(answer.ok && listedTasks(answer.value, 'sha256:1')).toEqual([
      {
        id: 'add-sum',
        text: {
          title: 'Add sum()',
          description: 'Numbers can be added.',
          acceptance: ['sum(1, 2) is 3'],
          filesExpected: ['src/sum.js'],
          type: 'api',
          ref: 'sha256:1',
        },
        deps: ['old'],
        line: 1,
      },
    ])
  })
})

const word = fc
  .string({ minLength: 1, unit: fc.constantFrom(...'abcXYZ019._-äß') })
  .map((text) => `t${text}`.slice(0, GRAPH_ID_LENGTH_MAX))
const line = fc
  .string({ minLength: 1 })
  .filter((text) => text.trim() !== '' && !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(text))

/** Each depends on some earlier ones, so there is no cycle. */
const graph = fc
  .uniqueArray(
    fc.record({
      id: word,
      title: line.map((text) => text.trim()),
      goal: line,
      acceptance: fc.array(line, { minLength: 1, maxLength: 3 }),
      filesExpected: fc.uniqueArray(word, { maxLength: 3 }),
      type: fc.constantFrom(...TASK_TYPES, null),
      waits: fc.array(fc.nat(), { maxLength: 3 }),
    }),
    { selector: ({ id }) => id, minLength: 1, maxLength: 15 },
  )
  .map((tasks) =>
    tasks.map(({ waits, id, ...task }, at): GraphTask => {
      const dependsOn = at === 0 ? [] : [...new Set(waits.map((n) => taskId(tasks[n % at]?.id ?? '')))]
      return { ...task, id: taskId(id), dependsOn }
    }),
  )

const asWire = ({ dependsOn, filesExpected, type, ...task }: GraphTask) => ({
  ...task,
  depends_on: dependsOn,
  files_expected: filesExpected,
  status: 'todo',
  ...(type === null ? {} : { type }),
})

describe('any plan', () => {
  it('that is sound is read as it was written', () => {
    fc.assert(
      fc.property(graph, fc.string(), (tasks, notes) => {
        expect(read(tasks.map(asWire), notes)).toEqual({ ok: true, value: { tasks, notes } })
      }),
    )
  })

  it('with one dependency turned back is refused with the cycle', () => {
    fc.assert(
      fc.property(graph, fc.nat(), (tasks, pick) => {
        const waiting = tasks.filter(({ dependsOn }) => dependsOn.length > 0)
        const chosen = waiting[pick % Math.max(1, waiting.length)]
        fc.pre(chosen !== undefined)
        const [first] = chosen.dependsOn
        const turned = tasks.map((one) => (one.id === first ? { ...one, dependsOn: [chosen.id] } : one))
        expect(problemOf(turned.map(asWire))).toMatch(/'depends_on' goes in a circle: (\S+) -> (?:\S+ -> )*\1$/)
      }),
    )
  })

  it('of any shape is answered, never thrown at', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.json().map((text) => JSON.parse(text) as unknown),
            fc.constant(wire()),
          ),
        ),
        (tasks) => {
          const answer = read(tasks)
          expect(answer.ok || answer.problem.length > 0).toBe(true)
        },
      ),
    )
  })
})

describe('the faults of a plan that somebody writes', () => {
  const faults = (...tasks: readonly object[]) => graphFaults({ tasks }, rules)

  it.for<[name: string, tasks: readonly object[], faults: readonly object[]]>([
    ['none', [wire()], []],
    ['the whole', [], [{ at: null, what: expect.stringContaining('1 to 15 tasks') }]],
    [
      'each of a task, with its place',
      [wire(), wire({ id: 'b', title: '', acceptance: [] })],
      [
        { at: 1, what: "'title' must be a text" },
        { at: 1, what: "'acceptance' must be a list of 1 to 100 texts" },
      ],
    ],
    [
      'what is wrong between them',
      [wire(), wire({ depends_on: ['old', 'gone'] })],
      [
        { at: 1, what: "its 'id' is given to more than one task" },
        { at: 1, what: "'depends_on' names 'gone', which is no task of this plan" },
      ],
    ],
    [
      'both at once',
      [wire({ goal: '', depends_on: ['gone'] })],
      [
        { at: 0, what: "'goal' must be a text" },
        { at: 0, what: "'depends_on' names 'gone', which is no task of this plan" },
      ],
    ],
    [
      'a circle',
      [wire({ id: 'z' }), wire({ id: 'a', depends_on: ['b'] }), wire({ id: 'b', depends_on: ['a'] })],
      [{ at: 1, what: "'depends_on' goes in a circle: a -> b -> a" }],
    ],
  ])('%s', ([, tasks, wanted]) => {
    expect(faults(...tasks).map(({ at, what }) => ({ at, what }))).toEqual(wanted)
  })
})
