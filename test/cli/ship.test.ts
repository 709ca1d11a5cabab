import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { project, type Project } from '../rig/project.ts'
import { SIA_GIVES_UP, work } from '../rig/sessions.ts'

const two = { role: 'implementer', task: 'two', steps: work('two', 2) }
const three = { role: 'implementer', task: 'three', steps: work('three', 3) }
const wrong = (task: string) => ({ role: 'implementer', task, steps: work(task, 4, 5) })

function steady(text: string): string {
  return text.replaceAll(/\b[0-9a-f]{10}\b/g, 'COMMIT').replaceAll(/\bb_\w+/g, 'BUILD')
}

function built(): Project {
  const made = project({ script: [two, three] })
  expect(made.ralph(['build']).code).toBe(0)
  return made
}

function tip(made: Project, branch: string): string {
  return made.git('rev-parse', branch).trim()
}

describe('ralph ship', () => {
  it('foretells with --dry-run, then moves base and its clean checkout forward, and says so the second time', () => {
    const made = built()
    const before = tip(made, 'main')
    const dry = made.ralph(['ship', '--dry-run'])
    expect([dry.code, steady(dry.stdout)]).toEqual([
      0,
      'The gate lets build BUILD pass: 2 commits. As a dry run, nothing was changed.\nShipping it, main moves forward to ralph/BUILD.\n',
    ])
    expect(tip(made, 'main')).toBe(before)
    const end = made.ralph(['ship'])
    expect([end.code, steady(end.stdout), steady(end.stderr)]).toEqual([
      0,
      'Build BUILD is shipped: 2 commits; main is at COMMIT.\n',
      'Running the checks on a clean clone of ralph/BUILD …\nOn the clean clone: unit green (3 tests).\n',
    ])
    expect(tip(made, 'main')).toBe(tip(made, `ralph/${made.build()}`))
    expect([made.git('status', '--short'), made.read('three.js')]).toEqual(['', 'export const three = () => 3\n'])
    expect(steady(made.ralph(['ship']).stdout)).toBe('Build BUILD was shipped before; main is at COMMIT.\n')
    expect(made.ralph(['log']).stdout).toContain('shipped to main by ')
  })

  it('refuses for every reason, each of which can be cleared', () => {
    const made = project({
      script: [
        wrong('two'),
        wrong('three'),
        { role: 'implementer', task: 'four', steps: work('four', 4) },
        SIA_GIVES_UP,
      ],
    })
    expect(made.ralph(['ship'])).toMatchObject({ code: 2 })
    expect(made.ralph(['build']).code).toBe(3)
    const first = made.ralph(['ship'])
    expect([
      first.code,
      steady(first.stdout)
        .split('\n')
        .filter((line) => line.startsWith('- ')),
    ]).toEqual([
      4,
      [
        '- build BUILD is not ready: it is unfinished',
        expect.stringMatching(/^- task 'two' waits for a human: /) as string,
        expect.stringMatching(/^- task 'three' waits for a human: /) as string,
      ],
    ])
    made.ralph(['skip', 'two'])
    expect(made.ralph(['resolve', 'three', '-m', 'enough', '--unverified', '--yes']).code).toBe(0)
    const second = made.json('ship')
    expect(second['reasons']).toMatchObject([
      { code: 'skipped', what: "task 'two' was skipped", clear: 'ralph ship --allow-skipped' },
      { code: 'unverified', clear: 'ralph ship --allow-unverified' },
    ])
    expect(tip(made, 'main')).toBe(tip(made, 'HEAD'))
  })

  it('lets pass what is allowed, and records that', () => {
    const made = project({ script: [two, wrong('three'), SIA_GIVES_UP] })
    expect(made.ralph(['build']).code).toBe(3)
    made.ralph(['skip', 'three'])
    expect(made.ralph(['build']).code).toBe(0)
    expect(made.ralph(['ship']).code).toBe(4)
    const before = made.state()
    for (const flag of ['--allow-skipped', '--allow-unverified'])
      expect(made.ralph(['ship', flag])).toMatchObject({
        code: 1,
        stderr: `Error: ${flag} has to be confirmed, and nobody is at a terminal to be asked; add --yes to confirm it [RALPH_YES_NEEDED]\n`,
      })
    expect(made.state()).toEqual(before)
    expect(made.ralph(['ship', '--allow-skipped', '--dry-run']).code).toBe(0)
    expect(made.ralph(['ship', '--allow-skipped', '--yes']).code).toBe(0)
    const log = made.ralph(['log', '--json']).stdout.trimEnd().split('\n')
    expect(JSON.parse(log.at(-1) ?? '')).toMatchObject({
      type: 'shipped',
      base: 'main',
      how: 'base',
      allowed: ['skipped'],
    })
  })

  it('merges and verifies first where base moved, and refuses a merge that is red or conflicts', () => {
    const made = built()
    made.write('one.js', 'export const one = () => 1 // noted\n')
    made.git('commit', '--quiet', '--all', '--message', 'meanwhile')
    const moved = tip(made, 'main')
    const end = made.ralph(['ship'])
    expect([end.code, steady(end.stderr)]).toEqual([
      0,
      'main moved on since the build started: the two are merged and verified …\n' +
        'Running the checks on a clean clone of ralph/BUILD merged with main …\n' +
        'On the clean clone: unit green (3 tests).\n',
    ])
    expect(made.git('log', '-1', '--format=%s%n%P', 'main').split('\n').slice(0, 2)).toEqual([
      `merge: main into build ${made.build()}`,
      expect.stringContaining(moved) as string,
    ])
    expect(made.ralph(['verify', 'main']).code).toBe(0)

    const red = built()
    red.write('two.js', 'export const two = () => 99\n')
    red.git('add', '--all')
    red.git('commit', '--quiet', '--message', 'meanwhile')
    const at = tip(red, 'main')
    expect(red.ralph(['ship'])).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('RALPH_SHIP_CONFLICT') as string,
    })
    expect(tip(red, 'main')).toBe(at)
  })

  it('refuses where local changes overlap, and leaves others alone', () => {
    const made = built()
    made.write('two.js', 'mine\n')
    const before = tip(made, 'main')
    expect(made.ralph(['ship'])).toMatchObject({ code: 1, stderr: expect.stringContaining('two.js') as string })
    expect([tip(made, 'main'), made.read('two.js')]).toEqual([before, 'mine\n'])
    made.git('clean', '--quiet', '--force', 'two.js')
    made.write('one.js', 'export const one = () => 1 // mine\n')
    expect(made.ralph(['ship']).code).toBe(0)
    expect(made.git('status', '--short')).toBe(' M one.js\n')
  })

  it('finds evidence that was changed', () => {
    const made = built()
    const branch = `ralph/${made.build()}`
    const note = made.git('notes', '--ref', 'ralph', 'show', branch).trimEnd()
    made.git(
      'notes',
      '--ref',
      'ralph',
      'add',
      '--force',
      '-m',
      note.replace('"verdict":"green"', '"verdict":"great"'),
      branch,
    )
    expect(made.json('ship')['reasons']).toMatchObject([
      { code: 'evidence', what: expect.stringContaining('its evidence was changed') as string },
    ])
    made.git('fetch', '--quiet', '--force', '.git/ralph/repo.git', 'refs/notes/ralph:refs/notes/ralph')
    expect(made.ralph(['ship']).code).toBe(0)
  })

  it('pushes, opens a pull request, and deploys once', () => {
    const made = built()
    made.git('init', '--quiet', '--bare', '../remote.git')
    made.git('remote', 'add', 'origin', '../remote.git')
    const bin = join(made.root, 'bin')
    mkdirSync(bin)
    writeFileSync(join(bin, 'gh'), `#!/bin/sh\necho "$@" > "${made.root}/gh.txt"\necho https://example.com/pull/7\n`)
    chmodSync(join(bin, 'gh'), 0o755)
    const env = { PATH: `${bin}:${process.env['PATH'] ?? ''}` }
    const asked = made.ralph(['ship', '--pr'], { env })
    expect([asked.code, steady(asked.stdout)]).toEqual([
      0,
      'ralph/BUILD was pushed to origin, and its pull request is https://example.com/pull/7\n',
    ])
    expect(readFileSync(join(made.root, 'gh.txt'), 'utf8')).toMatch(
      /^pr create --base main --head ralph\/b_\w+ --title 2 tasks of build/,
    )
    const pushed = made.ralph(['ship', '--push'], { env })
    expect(pushed.code).toBe(0)
    expect(made.git('--git-dir', '../remote.git', 'for-each-ref', '--format=%(refname)').split('\n')).toEqual([
      'refs/heads/main',
      `refs/heads/ralph/${made.build()}`,
      'refs/notes/ralph',
      '',
    ])
  })

  it('runs the deploy command, and asks where its end is not known', () => {
    const made = project({ script: [two] })
    made.write(
      'ralph.toml',
      `${made.read('ralph.toml')}[ship]\ndeploy = "echo $RALPH_COMMIT >> ../deploys; test ! -e ../broken"\n`,
    )
    expect(made.ralph(['build']).code).toBe(0)
    writeFileSync(join(made.root, 'broken'), '')
    const failed = made.ralph(['ship'])
    expect([failed.code, failed.stderr.split('\n').at(-2)]).toEqual([
      1,
      "Error: the deploy command failed (exit 1); mend it and run 'ralph ship --deploy again' [RALPH_DEPLOY_FAILED]",
    ])
    expect(made.ralph(['ship']).code).toBe(0)
    expect(readFileSync(join(made.root, 'deploys'), 'utf8').trim().split('\n')).toEqual([tip(made, 'main')])
    rmSync(join(made.root, 'broken'))
    expect(made.ralph(['ship', '--deploy', 'again'])).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^Deploying: /m) as string,
    })
  })

  it('asks where the end of a deploy is not known', () => {
    const made = project({ script: [two] })
    made.write('ralph.toml', `${made.read('ralph.toml')}[ship]\ndeploy = "kill -9 $PPID; sleep 1"\n`)
    expect(made.ralph(['build']).code).toBe(0)
    expect(made.ralph(['ship']).code).not.toBe(0)
    expect(made.json('ship')['reasons']).toMatchObject([{ code: 'deployUnknown' }])
    expect(made.ralph(['ship', '--deploy', 'done']).code).toBe(0)
    expect(made.ralph(['ship']).code).toBe(0)
    expect(made.ralph(['ship', '--deploy', 'perhaps'])).toMatchObject({ code: 1 })
  })
})
