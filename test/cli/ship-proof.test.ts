import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { served } from '../http/served.ts'
import { CHECK, project, type Project } from '../rig/project.ts'
import { SIA_GIVES_UP, work } from '../rig/sessions.ts'

const two = { role: 'implementer', task: 'two', steps: work('two', 2) }
const wrong = { role: 'implementer', task: 'two', steps: work('two', 4, 5) }

/** Its check writes down each run, is red while `broken` is there, and waits while `slow` is. */
function made(...sessions: readonly object[]): Project {
  const one = project({ script: sessions })
  const at = (name: string) => join(one.root, name).replaceAll(' ', String.raw`\\ `)
  const command = `echo run >> ${at('runs')}; while test -e ${at('slow')}; do sleep 0.1; done; test ! -e ${at('broken')} && ${CHECK}`
  one.write('ralph.toml', one.read('ralph.toml').replace(CHECK, command))
  return one
}

function runs({ root }: Project): number {
  return readFileSync(join(root, 'runs'), 'utf8').split('\n').length - 1
}

function tip(one: Project, branch = 'main'): string {
  return one.git('rev-parse', branch).trim()
}

function steady(text: string): string {
  return text.replaceAll(/\b[0-9a-f]{10}\b/g, 'COMMIT').replaceAll(/\bb_\w+/g, 'BUILD')
}

describe('what ralph ship proves', () => {
  it('refuses a build whose checks are not as green as its evidence says, and ships it once they are', () => {
    const one = made(two)
    expect(one.ralph(['build']).code).toBe(0)
    const before = tip(one)
    writeFileSync(join(one.root, 'broken'), '')
    expect(one.ralph(['verify']).code).toBe(4)
    for (const args of [['ship', '--dry-run'], ['ship'], ['ship', '--pr'], ['ship', '--allow-unverified', '--yes']]) {
      const end = one.ralph(args)
      expect([end.code, steady(end.stdout), steady(end.stderr)]).toEqual([
        4,
        `Build BUILD is not shipped, for 1 reason:
- unit was green and is red now
  clear it: 'ralph verify COMMIT' shows it again; mend it and ship again, or take the work back with 'ralph revert'
`,
        'Running the checks on a clean clone of ralph/BUILD …\nOn the clean clone: unit red.\n',
      ])
    }
    expect(one.json('ship')).toMatchObject({
      shipped: false,
      reasons: [{ code: 'checks', what: 'unit was green and is red now' }],
    })
    expect(tip(one)).toBe(before)
    rmSync(join(one.root, 'broken'))
    expect(one.ralph(['ship', '--dry-run'])).toMatchObject({ code: 0 })
    expect(tip(one)).toBe(before)
    expect(one.ralph(['ship']).code).toBe(0)
    expect(tip(one)).toBe(tip(one, `ralph/${one.build()}`))
  })

  it('runs each check once, and nothing where it was shipped before', () => {
    const one = made(two)
    expect(one.ralph(['build']).code).toBe(0)
    const built = runs(one)
    expect(one.ralph(['ship', '--dry-run']).code).toBe(0)
    expect(one.ralph(['ship']).code).toBe(0)
    expect(runs(one)).toBe(built + 2)
    expect(one.ralph(['ship'])).toMatchObject({ code: 0, stderr: '' })
    expect(runs(one)).toBe(built + 2)
  })

  it('believes nothing that the engine knows of the tree that base and build make together', () => {
    const one = made(two)
    expect(one.ralph(['build']).code).toBe(0)
    one.write('note.txt', 'meanwhile\n')
    one.git('add', 'note.txt')
    one.git('commit', '--quiet', '-m', 'meanwhile')
    const moved = tip(one)
    // Green a moment ago, on exactly that tree.
    const first = one.ralph(['ship', '--dry-run'])
    expect([first.code, first.stdout]).toEqual([0, expect.stringContaining('after main is merged into it') as string])
    writeFileSync(join(one.root, 'broken'), '')
    const branch = tip(one, `ralph/${one.build()}`)
    for (const args of [['ship', '--dry-run'], ['ship']])
      expect(one.ralph(args)).toMatchObject({ code: 4, stderr: expect.stringContaining('RALPH_SHIP_RED') as string })
    expect([tip(one), tip(one, `ralph/${one.build()}`)]).toEqual([moved, branch])
    rmSync(join(one.root, 'broken'))
    expect(one.ralph(['ship']).code).toBe(0)
    expect(one.git('log', '-1', '--format=%s', 'main')).toBe(`merge: main into build ${one.build()}\n`)
    expect(one.ralph(['verify', 'main']).code).toBe(0)
  })

  it('runs the checks of what a person accepted unverified too, and records what was red', () => {
    const one = made(wrong, SIA_GIVES_UP)
    expect(one.ralph(['build']).code).toBe(3)
    expect(one.ralph(['resolve', 'two', '-m', 'enough', '--unverified', '--yes']).code).toBe(0)
    const before = runs(one)
    expect(one.json('ship')['reasons']).toMatchObject([{ code: 'unverified' }])
    expect(runs(one)).toBe(before)
    const end = one.ralph(['ship', '--allow-unverified', '--yes'])
    expect([end.code, end.stderr]).toEqual([0, expect.stringContaining('On the clean clone: unit red') as string])
    const facts = one.ralph(['log', '--json']).stdout.trimEnd().split('\n')
    expect(JSON.parse(facts.at(-1) ?? '')).toMatchObject({ type: 'shipped', allowed: ['unverified'], red: ['unit'] })
    expect(one.ralph(['log']).stdout).toContain('although unit was red')
  })

  it('has the ignored files that the checks need', () => {
    const one = made(two)
    one.write('.gitignore', '.env\n')
    one.write('.env', 'TOKEN=1\n')
    const toml = one.read('ralph.toml').replace('echo run', 'test -e .env || exit 9; echo run')
    one.write('ralph.toml', `${toml}[workspace]\ncopy = [".env"]\n`)
    one.git('add', '--all')
    one.git('commit', '--quiet', '-m', 'needs a file')
    expect(one.ralph(['build']).code).toBe(0)
    expect(one.ralph(['verify']).code).toBe(0)
    expect(one.ralph(['ship']).code).toBe(0)
  })

  it('changes nothing where it is stopped meanwhile, and leaves no clone behind', async () => {
    const one = made(two)
    expect(one.ralph(['build']).code).toBe(0)
    const before = [tip(one), one.state()]
    const built = runs(one)
    writeFileSync(join(one.root, 'slow'), '')
    const started = one.start(['ship'], { TMPDIR: one.root })
    await started.saw('Running the checks')
    while (runs(one) === built) await sleep(20)
    expect(clonesIn(one)).toHaveLength(1)
    started.child.kill('SIGINT')
    const end = await started.ended
    expect([end.code, end.stderr.split('\n').at(-2)]).toEqual([
      130,
      'Stopped while the checks ran; nothing was changed.',
    ])
    expect([tip(one), one.state()]).toEqual(before)
    expect(clonesIn(one)).toEqual([])
  })

  it('holds for an idea that is moved, and for a server: its gate runs nothing, its publishing does', async () => {
    const one = made(two)
    expect(one.ralph(['build']).code).toBe(0)
    const before = tip(one)
    const idea = String(one.json('status')['ideaId'])
    writeFileSync(join(one.root, 'broken'), '')
    expect(one.ralph(['idea', 'move', idea, 'deployed'])).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('unit was green and is red now [RALPH_SHIP_GATE]') as string,
    })
    const ran = runs(one)
    const server = await served(one)
    expect((await server.get(`/api/projects/${idea}/gate`)).body).toMatchObject({ ok: true, reasons: [] })
    expect(runs(one)).toBe(ran)
    const refused = await server.post(`/api/projects/${idea}/publish`)
    expect([refused.status, refused.body]).toMatchObject([
      409,
      { error: { code: 'RALPH_SHIP_REFUSED' }, reasons: [{ code: 'checks', what: 'unit was green and is red now' }] },
    ])
    expect([tip(one), runs(one)]).toEqual([before, ran + 1])
    rmSync(join(one.root, 'broken'))
    expect((await server.post(`/api/projects/${idea}/publish`)).status).toBe(200)
    expect((await server.post(`/api/projects/${idea}/publish`)).status).toBe(200)
    expect([tip(one) === before, runs(one)]).toEqual([false, ran + 2])
  })
})

function clonesIn({ root }: Project): string[] {
  return readdirSync(root).filter((name) => name.startsWith('ralph-verify-'))
}
