// Every error is one sentence with a code, and nothing is changed by a call that is refused.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { scratch } from '../rig/scratch.ts'
import { project } from '../rig/project.ts'
import { SIA_GIVES_UP, work } from '../rig/sessions.ts'
import { steady } from '../rig/story.ts'

const NO_BUILD = "Error: there is no build here yet; start one with 'ralph build' [RALPH_NO_BUILD]\n"

describe('where there is no build', () => {
  it.each([
    ['status'],
    ['watch'],
    ['log'],
    ['diff'],
    ['report'],
    ['pause'],
    ['resume'],
    ['abort'],
    ['step'],
    ['open'],
    ['skip'],
    ['retry'],
    ['answer', '-m', 'x'],
    ['resolve', '-m', 'x'],
  ])('%s %s says so, and makes nothing', (...words) => {
    const made = scratch()
    expect(made.ralph(words)).toEqual({ code: 2, stdout: '', stderr: NO_BUILD })
    expect(JSON.parse(made.ralph([...words, '--json']).stdout)).toMatchObject({ error: { code: 'RALPH_NO_BUILD' } })
    expect(existsSync(join(made.folder, '.git/ralph'))).toBe(false)
  })

  it.each([
    [['recover'], 'Nothing is pinned.\n'],
    [['clean'], 'Nothing to remove.\n'],
  ])('%s has nothing to do', (words, stderr) => {
    const made = scratch()
    expect(made.ralph(words)).toEqual({ code: 0, stdout: '', stderr })
    expect(existsSync(join(made.folder, '.git/ralph'))).toBe(false)
  })
})

describe('ralph build refuses', () => {
  it.each([
    [
      ['build', 'nope.md'],
      "there is no file 'nope.md'; name one that exists, or say the goal in words [RALPH_PLAN_BAD]",
    ],
    [['build', ' '], 'the goal is empty; say what is to be built, or name a file [RALPH_USAGE]'],
    [['build', '.'], "'.' is no file; name one, or say the goal in more words [RALPH_PLAN_BAD]"],
    [['build', '-n', 'x'], '-n must be a whole number from 1 to 1000000 [RALPH_USAGE]'],
    [['build', '--until', 'noon'], '--until must be a time of day such as 06:30 [RALPH_USAGE]'],
    [
      ['build', '--agent', 'x'],
      "unknown agent 'x', use claude, codex, gemini, opencode, acp, command, model, scripted [RALPH_USAGE]",
    ],
    [['build', '--once', '-n', '2'], '--once and -n are mutually exclusive [RALPH_FLAGS_CONFLICT]'],
    [['build', '--budgt'], 'unknown flag --budgt [RALPH_FLAG_UNKNOWN]'],
  ])('%j', (words, sentence) => {
    const made = project({ script: [{ task: 'two', steps: work('two') }] })
    const before = made.state()
    const { code, stdout, stderr } = made.ralph(words)
    expect({ code, stdout, stderr: stderr.split('\n')[0] }).toEqual({
      code: 1,
      stdout: '',
      stderr: `Error: ${sentence}`,
    })
    expect(made.state()).toEqual(before)
  })

  it('a branch that leaves no room for its own, before anything is begun', () => {
    const made = project({ script: [{ task: 'two', steps: work('two') }] })
    made.git('branch', 'ralph')
    const before = made.state()
    const { code, stdout, stderr } = made.ralph(['build'])
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr:
        "Error: your branch 'ralph' leaves no room for a build's branch 'ralph/BUILD' (git cannot have both); rename it with 'git branch -m ralph NEW-NAME' and start again [RALPH_BRANCH_IN_THE_WAY]\n",
    })
    expect(made.state()).toEqual(before)
    made.git('branch', '-m', 'ralph', 'mine')
    expect(made.ralph(['build']).code).toBe(0)
    expect(made.git('branch', '--list', `ralph/${made.build()}`)).not.toBe('')
  })

  it('line ends that it would not keep, before anything is begun', () => {
    const made = project({ script: [{ task: 'two', steps: work('two') }] })
    made.write('.gitattributes', '*.bat text eol=crlf\n')
    made.write('run.bat', 'echo\r\n')
    made.git('add', '--all')
    made.git('commit', '--quiet', '-m', 'for Windows')
    const before = made.state()
    const { code, stdout, stderr } = made.ralph(['build'])
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'Error: run.bat has eol=crlf, so git converts it on checkout; Ralph takes files byte for byte and does not support that yet: give it eol=lf or -text in .gitattributes [RALPH_CONVERSION_UNSUPPORTED]\n',
    })
    expect(made.state()).toEqual(before)
  })

  it('an agent that cannot work, before anything is begun', () => {
    const made = project({ script: [{ task: 'two', steps: work('two') }] })
    writeFileSync(join(made.root, 'scenario.json'), '{')
    const { code, stderr } = made.ralph(['build'])
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^Error: the agent scripted cannot work: .*scenario\.json: it is not JSON: .* \[RALPH_AGENT_NOT_READY\]\n$/,
      ),
    ])
    expect(made.ralph(['status']).stderr).toBe(NO_BUILD.replace('build here', "build of branch 'main'"))
  })

  it('a bad ralph.toml, by its line', () => {
    const made = project({ script: [{ task: 'two', steps: work('two') }] })
    made.write('ralph.toml', '[limits]\nattemps = 3\n')
    expect(made.ralph(['build'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^Error: ralph.toml line 2: unknown key 'limits.attemps'/),
    })
  })

  it('another plan while a build is not finished', () => {
    const made = project({ script: [{ task: 'wrong', steps: work('wrong', 1, 2) }, SIA_GIVES_UP] })
    made.ralph(['build'])
    made.write('OTHER.md', '# Progress: Other\n\n## Tasks\n\n- [ ] two\n')
    const before = made.state()
    const sentence =
      "Error: build 'BUILD' over the open tasks is not finished; go on with 'ralph build', or end it with 'ralph abort' first [RALPH_BUILD_UNFINISHED]\n"
    for (const words of [
      ['build', 'OTHER.md'],
      ['build', 'OTHER.md', '--dry-run'],
    ]) {
      const { code, stderr } = made.ralph(words)
      expect([code, steady(stderr)]).toEqual([1, expect.stringContaining(sentence)])
    }
    expect(made.state()).toEqual(before)
  })
})

describe('unknown ids and moves that are not possible', () => {
  it('are refused, with the exit code of what was not found', () => {
    const made = project({ script: [{ task: 'two', steps: work('two') }] })
    made.ralph(['build'])
    const before = made.state()
    const refusals: [string[], number, string][] = [
      [['status', 'b_x'], 2, "build 'b_x' not found [RALPH_BUILD_NOT_FOUND]"],
      [['log', '--task', 'x'], 2, "task 'x' not found [RALPH_TASK_NOT_FOUND]"],
      [['diff', 'x'], 2, "task 'x' not found [RALPH_TASK_NOT_FOUND]"],
      [['step', 'b_x'], 2, "build 'b_x' not found [RALPH_BUILD_NOT_FOUND]"],
      [
        ['recover', '--restore', 'x'],
        2,
        "no work is pinned as 'x'; 'ralph recover' lists what is [RALPH_PIN_NOT_FOUND]",
      ],
      [['pause'], 1, "build 'BUILD' is complete and cannot be paused [RALPH_BUILD_STATE]"],
      [['resume'], 1, "build 'BUILD' is complete and cannot be resumed [RALPH_BUILD_STATE]"],
      [['abort'], 1, "build 'BUILD' is complete and cannot be aborted [RALPH_BUILD_STATE]"],
      [['skip'], 1, "build 'BUILD' is complete and cannot be changed [RALPH_BUILD_STATE]"],
      [['resolve'], 1, 'missing -m TEXT [RALPH_USAGE]'],
      [['recover', '--to', 'x'], 1, '--to needs --restore REF [RALPH_USAGE]'],
    ]
    for (const [words, code, sentence] of refusals) {
      const end = made.ralph(words)
      expect({ words, code: end.code, stdout: end.stdout, stderr: steady(end.stderr).split('\n')[0] }).toEqual({
        words,
        code,
        stdout: '',
        stderr: `Error: ${sentence}`,
      })
    }
    expect(made.state()).toEqual(before)
  })
})
