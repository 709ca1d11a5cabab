// The next agent takes over where one cannot work: at once, at no cost, and reported; the first comes back.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { project, type Project } from '../rig/project.ts'
import { story } from '../rig/story.ts'
import { work } from '../rig/sessions.ts'
import { KEPT } from '../rig/probes-off.ts'

const fails = (kind: string, sentence: string, untilInSeconds?: number) => ({
  fail: { kind, sentence, ...(untilInSeconds === undefined ? {} : { untilInSeconds }) },
})
const limit = (untilInSeconds: number) => fails('rateLimit', 'the limit of use is reached', untilInSeconds)

/** Any CLI: plays each role for the task in its prompt, and logs the role. */
const OTHER = `#!/bin/sh
prompt=$(cat)
id=$(printf '%s' "$prompt" | sed -n 's/^ID: //p' | head -n 1)
case "$prompt" in
*'# Review of a patch'*) echo reviewer >> "$LOG"; echo '{"decision":"approve","reasons":["fine"],"required_fixes":[]}';;
*) echo "implementer $id" >> "$LOG"
  [ -e "$HOLD" ] && while [ -e "$HOLD" ]; do sleep 0.05; done
  echo "export const $id = () => 7" > "$id.js"
  printf "import { test } from 'node:test'\\nimport assert from 'node:assert/strict'\\nimport { $id } from './$id.js'\\ntest('$id', () => assert.equal($id(), 7))\\n" > "$id.test.js"
  echo TASK_COMPLETE;;
esac
`

interface Staffed extends Project {
  /** The roles and tasks of the other agent's sessions. */
  asked(): string[]
  /** While it is there, the other agent does not go on. */
  readonly hold: string
}

function staffed(sessions: readonly object[], fallback: readonly string[], toml = ''): Staffed {
  const made = project({ script: sessions })
  const [program, log, hold] = ['other.sh', 'other.log', 'hold'].map((name) => join(made.root, name)) as [
    string,
    string,
    string,
  ]
  writeFileSync(program, OTHER, { mode: 0o700 })
  const agents = `default = "scripted"\nfallback = ${JSON.stringify(fallback)}`
  const other = `[agent.command]\ncommand = ["env", "LOG=${log}", "HOLD=${hold}", "${program}"]\n`
  made.write('ralph.toml', `${made.read('ralph.toml').replace('default = "scripted"', agents)}${other}${toml}`)
  return { ...made, hold, asked: () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []) }
}

function sessionsOf(made: Project): string[] {
  const { sessions } = made.json('report') as { sessions: { role: string; agent: string; task: string }[] }
  return sessions.map(({ role, agent, task }) => `${role} ${agent} ${task}`)
}

const REPLACED = /^command works in place of scripted \(implementer\) until .*: the limit of use is reached$/

describe('where the first agent is limited', () => {
  it('the second takes over at once, on what the first has left; it is told everywhere and costs nothing', () => {
    const [say, write] = work('two', 2)
    const made = staffed(
      [
        { task: 'two', steps: [say, write, { write: { path: 'left.txt', content: 'half' } }, limit(3600)] },
        { task: 'three', steps: work('three', 3) },
      ],
      ['command'],
    )
    const { code, stdout, stderr } = made.ralph(['build'])
    expect([code, stderr]).toEqual([0, expect.stringContaining('scripted works (where it cannot, command), checks')])
    expect(story(stdout)).toEqual([
      'build started: 2 tasks',
      'two: attempt 1: Add two',
      'two: iteration 1.1',
      expect.stringMatching(REPLACED),
      ...['two: says TASK_COMPLETE', 'two: verifying', `two: ${KEPT}`, 'two: review: approved'],
      expect.stringMatching(/^two: done, merged as /),
      'three: attempt 1: Add three',
      'three: iteration 1.1',
      ...['three: says TASK_COMPLETE', 'three: verifying', `three: ${KEPT}`, 'three: review: approved'],
      expect.stringMatching(/^three: done, merged as /),
      'build complete',
    ])
    expect(made.git('ls-tree', '--name-only', `ralph/${made.build()}`)).toContain('left.txt')
    // A limited agent is not asked again before its limit is over.
    expect(sessionsOf(made)).toEqual([
      'implementer scripted two',
      'implementer command two',
      'implementer command three',
    ])
    const report = made.ralph(['report']).stdout
    expect(report).toContain('## Agents that took over')
    expect(report).toContain('- command in place of scripted (implementer): 1 time (the limit of use is reached)')
    expect(made.ralph(['log']).stdout).toContain('command works in place of scripted (implementer)')
  })

  it('status tells it while it lasts, and a build that was killed goes on with the second', async () => {
    const made = staffed([{ task: 'two', steps: [limit(3600)] }], ['command'])
    writeFileSync(made.hold, '')
    const running = made.start(['build'])
    await running.saw('works in place of')
    const status = made.ralph(['status']).stdout
    expect(status).toMatch(/^command works in place of scripted \(implementer\) until .* left: the limit of use is/m)
    expect(made.json('status')['replaced']).toMatchObject([{ role: 'implementer', agent: 'scripted', by: 'command' }])
    running.child.kill('SIGKILL')
    await running.ended
    rmSync(made.hold)
    // It would work now, if it were asked before its time.
    made.play({ task: 'two', steps: work('two', 2) })
    const { code, stdout } = made.ralph(['build'])
    expect([code, story(stdout).filter((line) => line.includes('works in place'))]).toEqual([0, []])
    expect(made.asked()).toEqual(['implementer two', 'implementer two'])
    expect(sessionsOf(made).filter((one) => one.includes('scripted'))).toEqual(['implementer scripted two'])
  })

  it('the first is asked again when its limit is over', async () => {
    const made = staffed(
      [
        { task: 'two', steps: [limit(1)] },
        { task: 'three', steps: work('three', 3) },
      ],
      ['command'],
    )
    writeFileSync(made.hold, '')
    const running = made.start(['build'])
    await running.saw('works in place of')
    while ((made.json('status')['replaced'] as unknown[]).length > 0) await sleep(50)
    rmSync(made.hold)
    const { code, stdout } = await running.ended
    expect(code).toBe(0)
    expect(story(stdout)).toContain('scripted works again (implementer)')
    expect(sessionsOf(made)).toEqual([
      'implementer scripted two',
      'implementer command two',
      'implementer scripted three',
    ])
  })
})

/** As Claude Code would be: limited for two seconds, then able to work. */
const CLAUDE = `#!/bin/sh
case "$1" in
--version) echo '2.1.325 (Claude Code)'; exit;;
auth) echo '{"loggedIn":true}'; exit;;
esac
if [ ! -e "$0.begun" ]; then
  touch "$0.begun"
  echo '{"type":"result","subtype":"success","is_error":true,"num_turns":1,"api_error_status":429,"result":"limit reached, try again in 2 seconds"}'
  exit 1
fi
echo 'export const two = () => 2' > two.js
printf "import { test } from 'node:test'\\nimport assert from 'node:assert/strict'\\nimport { two } from './two.js'\\ntest('two', () => assert.equal(two(), 2))\\n" > two.test.js
echo '{"type":"result","subtype":"success","is_error":false,"num_turns":1,"result":"TASK_COMPLETE"}'
`

describe('where no agent can work', () => {
  it('the one whose limit is over first is waited for', () => {
    const made = staffed([{ task: 'two', steps: [limit(3600)] }], ['claude'], '')
    const program = join(made.root, 'claude')
    writeFileSync(program, CLAUDE, { mode: 0o700 })
    made.write('ralph.toml', `${made.read('ralph.toml')}[agent.claude]\ncommand = ["${program}"]\n`)
    const { code, stdout } = made.ralph(['build'])
    expect(code).toBe(0)
    const told = story(stdout).filter((line) => /waiting for|in place of/.test(line))
    expect(told).toEqual([
      expect.stringMatching(/^claude works in place of scripted \(implementer\) until/),
      expect.stringMatching(/^two: waiting for claude until \d\d:\d\d:\d\d \([123] s\): a limit of the account/),
    ])
    expect(made.json('status')).toMatchObject({ tasks: [{ id: 'two', status: 'done', attempt: 1 }] })
  })

  it('and each has to be mended, the build stops and says all of it', () => {
    const made = staffed([{ task: 'two', steps: [fails('billing', 'no credit; add some')] }], ['codex'])
    made.write('ralph.toml', `${made.read('ralph.toml')}[agent.codex]\ncommand = "/nonexistent/codex"\n`)
    const { code, stdout, stderr } = made.ralph(['build'])
    expect(stderr).toContain('Note: codex cannot work: "/nonexistent/codex" was not found; install it with')
    expect([code, stdout]).toEqual([
      1,
      expect.stringContaining('The build failed: no agent can work: scripted: no credit; add some; codex: "/nonexist'),
    ])
  })

  it('that is found before the build begins', () => {
    const made = staffed([{ task: 'two', steps: [] }], ['codex'])
    const toml = made.read('ralph.toml').replace('default = "scripted"', 'default = "claude"')
    const missing = (name: string): string => `[agent.${name}]\ncommand = "/nonexistent/${name}"\n`
    made.write('ralph.toml', `${toml}${missing('claude')}${missing('codex')}`)
    const { code, stderr } = made.ralph(['build'])
    expect([code, stderr]).toEqual([1, expect.stringContaining('"/nonexistent/claude" was not found')])
  })
})

describe('where the first agent has to be mended', () => {
  it('the second takes over in the middle of a build', () => {
    const made = staffed([{ task: 'two', steps: [fails('billing', 'it cannot')] }], ['command'])
    const { code, stdout } = made.ralph(['build'])
    expect(code).toBe(0)
    expect(story(stdout)[3]).toMatch(/^command works in place of scripted \(implementer\) until .*: it cannot$/)
    expect(made.asked()).toEqual(['implementer two'])
  })

  it('the second works from the beginning, also as reviewer', () => {
    const made = staffed([{ task: 'two', steps: [] }], ['command'], '[review]\nwhen = "always"\n')
    const toml = made.read('ralph.toml').replace('default = "scripted"', 'default = "codex"')
    made.write('ralph.toml', `${toml}[agent.codex]\ncommand = "/nonexistent/codex"\n`)
    const { code, stdout, stderr } = made.ralph(['build'])
    expect([code, stderr]).toEqual([0, expect.stringContaining('Note: codex cannot work: "/nonexistent/codex"')])
    expect(made.asked()).toEqual(['implementer two', 'reviewer'])
    expect(story(stdout).filter((line) => line.includes('in place of'))).toEqual([
      expect.stringMatching(/^command works in place of codex \(implementer\)/),
      expect.stringMatching(/^command works in place of codex \(reviewer\)/),
    ])
  })
})

describe('SIA', () => {
  const stuck = { signal: { kind: 'TASK_STUCK', reason: 'I am lost' } }
  const switches = (answer: object) => ({ role: 'sia', steps: [{ answer: { type: 'fixed', ...answer } }] })

  it('may give the task to another agent', () => {
    const change = switches({ technique: 'tool_change', agent: 'command' })
    const made = staffed([{ role: 'implementer', task: 'two', steps: [stuck] }, change], ['command'])
    const { code, stdout } = made.ralph(['build'])
    expect(code).toBe(0)
    expect(story(stdout)).toContain('two: SIA gives it to command')
    expect(sessionsOf(made)).toEqual(['implementer scripted two', 'sia scripted two', 'implementer command two'])
  })
})
