// People and SIA read why a session ended, in the words of the last failure.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { project, type Project } from '../rig/project.ts'
import { story } from '../rig/story.ts'
import { work } from '../rig/sessions.ts'

const TASK = { task: 'two', role: 'implementer' }

/** Saves its prompt as `sia.md`, and gives up. */
const SIA = `cp "$1" "$(dirname "$0")/sia.md"; echo '{"type":"escalate","reason":"I cannot help"}'`

interface Death {
  readonly name: string
  /** What the implementer does: a shell command, or the steps of the scripted agent. */
  readonly does: string | readonly object[]
  readonly cause: string
  /** What SIA reads about each session beyond the cause. */
  readonly each?: string
}

const deaths: readonly Death[] = [
  {
    name: 'is killed',
    does: 'kill -9 $$',
    cause: '3 times in a row: command was killed by signal 9 (SIGKILL; out of memory?)',
    each: '- attempt 1, session 3: command was killed by signal 9 (SIGKILL; out of memory?)',
  },
  {
    name: 'hangs',
    does: 'exec sleep 1000',
    cause: '3 times in a row: command said nothing for 1 s and was stopped',
    each: '- attempt 1, session 3: command said nothing for 1 s and was stopped',
  },
  {
    name: 'prints what no model says',
    does: "echo '<html>502 Bad Gateway</html>'; exit 1",
    cause: '3 times in a row: command ended with exit code 1; the last it printed: <html>502 Bad Gateway</html>',
    each: '- attempt 1, session 1: command ended with exit code 1; the last it printed: <html>502 Bad Gateway</html>',
  },
  {
    name: 'dies each time in another way',
    does: 'echo "no memory at $$" >&2; exit 3',
    cause: '3 sessions in a row changed nothing; what went wrong last: command ended with exit code 3: no memory at ',
    each: '- attempt 1, session 2: command ended with exit code 3: no memory at ',
  },
  {
    name: 'has too long a prompt',
    does: [{ fail: { kind: 'contextTooLong', sentence: 'prompt is too long: 250000 tokens > 200000 maximum' } }],
    cause: '3 times in a row: prompt is too long: 250000 tokens > 200000 maximum',
    each: '- attempt 1, session 1: prompt is too long: 250000 tokens > 200000 maximum',
  },
  {
    name: 'prints torn records',
    does: [{ tornJson: {} }, { crash: { code: 0 } }],
    cause: '3 times in a row: scripted ended without saying its result',
    each: '- attempt 1, session 1: scripted ended without saying its result',
  },
  { name: 'does nothing at all', does: 'true', cause: 'the same tree 3 times in a row' },
  {
    name: 'goes in circles',
    does: 'if test -e two.js; then rm two.js; else echo 2 > two.js; fi',
    cause: 'the work goes in circles: the same 2 trees in turn, 3 times',
  },
]

function dying(does: Death['does']): Project {
  const isScripted = typeof does !== 'string'
  const made = project({ script: [{ ...TASK, steps: isScripted ? does : [] }] })
  const agent = join(made.root, 'agent.sh')
  const body = isScripted ? 'exit 1' : does
  writeFileSync(agent, `if grep -q 'self-improvement agent' "$1"; then ${SIA}; exit 0; fi\n${body}\n`)
  const toml = made
    .read('ralph.toml')
    .replace('default = "scripted"', `default = "${isScripted ? 'scripted' : 'command'}"\nsia = "command"`)
  made.write(
    'ralph.toml',
    `${toml}[agent.command]\ncommand = ["sh", "${agent}", "{prompt_file}"]\nidle_timeout = "1s"\n`,
  )
  return made
}

describe('an agent that', () => {
  it.each(deaths)('$name', ({ does, cause, each }) => {
    const made = dying(does)
    const { code, stdout } = made.ralph(['build'])
    expect(code).toBe(3)
    expect(story(stdout).find((line) => line.startsWith('two: attempt 1 failed: '))).toContain(cause)
    const asked = /^Task two waits for you: Add two\n {2}I cannot help\n\n {2}What went wrong last:\n {2}(.*)$/m
    for (const shown of [stdout, made.ralph(['status']).stdout]) expect(asked.exec(shown)?.[1]).toContain(cause)
    const report = made.ralph(['report']).stdout
    const plain = cause.replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    expect(report).toContain(`I cannot help\n\n${cause}`)
    expect(report).toContain(`; last: ${plain}`)
    const [task] = made.json('status')['tasks'] as readonly { lastError: string }[]
    expect(task?.lastError).toContain(cause)
    const told = made.read('../sia.md')
    expect(told).toContain(`<problem>\n${cause}`)
    expect(told).toContain(each ?? `<failures>\n- attempt 1: ${cause}\n</failures>`)
  })
})

describe('a task that SIA splits again and again', () => {
  const stuck = { role: 'implementer', steps: [{ signal: { kind: 'TASK_STUCK', reason: 'it is too much' } }] }
  const subtasks = [{ title: 'The one half' }, { title: 'The other half' }]
  const splits = { role: 'sia', steps: [{ answer: { type: 'decomposed', technique: 'decomposition', subtasks } }] }

  function splitting(interventions: number): Project {
    const made = project({ script: [{ task: 'two', ...stuck }, stuck, splits] })
    made.write('ralph.toml', made.read('ralph.toml').replace('interventions = 1', `interventions = ${interventions}`))
    return made
  }

  it('is split twice, and then a human is asked', () => {
    const made = splitting(9)
    const { code, stdout } = made.ralph(['build', '-n', '30'])
    expect(code).toBe(3)
    expect(stdout).toContain('Task two.1.1 waits for you: The one half\n  it is too much')
    expect(stdout).toContain(
      '(SIA gave no usable answer: the task cannot be split: it is a part of a part of task two, and no task is split more than twice)',
    )
    expect(made.ok('list').match(/ split /g)).toHaveLength(2)
  })

  it('shares its interventions with its parts', () => {
    const made = splitting(1)
    const { code, stdout } = made.ralph(['build', '-n', '30'])
    expect(code).toBe(3)
    expect(stdout).toContain(
      [
        'Task two.1 waits for you: The one half',
        '  it is too much',
        '  SIA is not asked again: task two and its parts have had as many interventions as they may have together ([limits] interventions = 1).',
      ].join('\n'),
    )
    expect(story(stdout).filter((line) => line.includes('SIA is asked for help'))).toHaveLength(1)
  })

  it('becomes no more tasks than a plan may have', () => {
    const made = splitting(9)
    made.write('ralph.toml', `${made.read('ralph.toml')}tasks_per_plan = 2\n`)
    const { code, stdout } = made.ralph(['build', '-n', '30'])
    expect(code).toBe(3)
    expect(stdout).toContain(
      '(SIA gave no usable answer: the task cannot be split: task two has 2 parts, and no task may have more ([limits] tasks_per_plan))',
    )
  })
})

describe('a run that merged nothing', () => {
  const limit = { fail: { kind: 'rateLimit', sentence: 'the limit of use is reached', untilInSeconds: 7200 } }

  /** As `--until` takes it, half an hour from now. */
  function soon(made: Project): string {
    const clock = { timeZone: made.env['TZ'], hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
    return new Intl.DateTimeFormat('en-GB', clock).format(Date.now() + 1_800_000)
  }

  it('since its agent was limited beyond --until exits 3 and says so, in the next run too', () => {
    const made = project({ script: [{ task: 'two', steps: [limit] }] })
    const until = soon(made)
    for (const _ of ['first', 'second']) {
      const { code, stdout } = made.ralph(['build', '--until', until])
      expect([code, stdout]).toEqual([
        3,
        expect.stringMatching(
          new RegExp(
            String.raw`\nscripted was limited until .*\d\d:\d\d; nothing was merged before ${until}\. 'ralph build' goes on\.\n`,
          ),
        ),
      ])
    }
    expect(made.ralph(['status']).stdout).toContain("nobody works on it now ('ralph build' goes on)")
  })

  it('is not one that merged something before', () => {
    const made = project({
      script: [
        { task: 'one-more', steps: work('more') },
        { task: 'two', steps: [limit] },
      ],
    })
    const { code, stdout } = made.ralph(['build', '--until', soon(made)])
    expect([code, stdout]).toEqual([0, expect.stringContaining("The agent's own limit lasts beyond the time given")])
  })

  it('since another loop took its tasks away exits 3 and says so', async () => {
    const made = project({ script: [{ task: 'two', steps: [{ hang: {} }] }] })
    const clock = join(made.root, 'clock.mjs')
    writeFileSync(
      clock,
      [
        'const RealDate = Date',
        'const ahead = Number(process.env.CLOCK_AHEAD_MS ?? 0)',
        'globalThis.Date = class extends RealDate {',
        '  constructor(...given) { super(...(given.length === 0 ? [RealDate.now() + ahead] : given)) }',
        '  static now() { return RealDate.now() + ahead }',
        '}',
      ].join('\n'),
    )
    const first = made.start(['build', '-n', '2'])
    await first.saw('iteration 1.1')
    const tenYears = String(10 * 365 * 86_400_000)
    const other = made.start(['build'], {
      NODE_OPTIONS: `--import ${pathToFileURL(clock).href}`,
      CLOCK_AHEAD_MS: tenYears,
    })
    const { code, stdout } = await first.ended
    other.child.kill('SIGINT')
    await other.ended
    expect([code, stdout]).toEqual([
      3,
      expect.stringMatching(
        /\n2 sessions were started and nothing was merged: their leases were lost to another loop \(\w+, process \d+ on .+\)\. See that the clocks of all machines are right/,
      ),
    ])
  })
})
