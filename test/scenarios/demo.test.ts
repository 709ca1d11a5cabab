// The demo for a new user: the built program and an empty home. The test checks its claims in the repository that it
// made.
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { type Ended, RALPH, run } from '../rig/scratch.ts'

interface Played extends Ended {
  /** Everything that is new in the folder for temporary files. */
  readonly left: readonly string[]
  readonly home: readonly string[]
  readonly shell: (commands: string) => Ended
}

function play(...flags: readonly string[]): Played {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'ralph demo ')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const [home, temporary] = [join(root, 'home'), join(root, 'tmp')]
  for (const folder of [home, temporary]) mkdirSync(folder)
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, TMPDIR: temporary, GIT_CONFIG_NOSYSTEM: '1' }
  const ended = run(process.execPath, [RALPH, 'demo', ...flags], { folder: root, env })
  return {
    ...ended,
    left: readdirSync(temporary),
    home: readdirSync(home),
    shell: (commands) => run('sh', ['-euc', commands], { folder: root, env }),
  }
}

/** The lines of the story that say what each of the six tasks shows, by their first words. */
const story = [
  '→ passed at once',
  '→ more to do',
  '→ two iterations, one commit',
  '→ caught',
  '→ sent back',
  '→ a person is asked',
  '→ split',
  '→ done with the answer of a person',
]

const titles = [
  'feat: Show cents as money',
  'feat: Put products into a cart and add them up',
  'feat: Take a discount off a total',
  'feat: Add tax to a total',
  'feat: Make an order of a cart, with its discount and its tax',
  'feat: Print the receipt of an order',
  'feat: Charge for shipping, free from an amount on',
]

it('tells its story, with a link to the page, and the repository bears it out', () => {
  const { code, stdout, stderr, left, home, shell } = play('--page')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^Watch it in a browser: http:\/\/127\.0\.0\.1:\d+\/login\?key=[\w-]{43}$/m)
  expect(stdout.match(/^ +(→ [^:;\n]+)/gm)?.map((line) => line.trim())).toEqual(story)
  expect({ left: left.length, home }).toEqual({ left: 1, home: [] })

  expect(stdout).toMatch(/money: review: approved: small, tested, does what was asked$/m)
  const folder = /^The repository is (.+)$/m.exec(stdout)?.[1] ?? ''
  const branch = /^The branch (ralph\/\S+)$/m.exec(stdout)?.[1] ?? ''
  const git = (words: string): string => {
    const ended = shell(`cd '${folder}' && git ${words}`)
    expect({ ...ended, stdout: '' }).toEqual({ code: 0, stdout: '', stderr: '' })
    return ended.stdout.trim()
  }
  const commits = git(`rev-list --reverse main..${branch}`).split('\n')
  expect(commits.map((commit) => git(`show -s --format=%s ${commit}`))).toEqual(titles)
  for (const commit of commits) {
    const { tree, proof, evidence } = JSON.parse(git(`notes --ref ralph show ${commit}`))
    expect(tree).toBe(git(`rev-parse ${commit}^{tree}`))
    expect(evidence).toMatchObject({ tree, verdict: 'green' })
    expect(git(`show -s --format=%B ${commit}`)).toMatch(new RegExp(`^Ralph-Evidence: ${proof.evidence}$`, 'm'))
  }
  expect(git('rev-list --count main')).toBe('1')
  expect(git('status --porcelain --branch')).toBe('## main')

  // Every command that it proposes works; the last one takes the work over.
  const proposed = stdout.split('Look around\n')[1]?.match(/^ {2}\S.*$/gm) ?? []
  expect(proposed.length).toBeGreaterThan(5)
  const tried = shell(proposed.join('\n'))
  expect({ code: tried.code, stderr: tried.stderr }).toEqual({
    code: 0,
    stderr: expect.stringMatching(
      /^Running the checks .*\nOn the clean clone: lint green, unit green \(\d+ tests\)\.\n$/,
    ),
  })
  expect(git('rev-parse main')).toBe(commits.at(-1))
})

it('tells the same as JSON lines, with a summary at the end', () => {
  const { code, stdout, stderr } = play('--json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const facts = lines.slice(0, -1)
  expect(facts.map(({ seq }) => seq)).toEqual(facts.map((_, at) => at + 1))
  expect(facts.at(-1)).toMatchObject({ type: 'buildComplete' })
  const summary = lines.at(-1)
  expect(summary).toMatchObject({ type: 'done', ok: true, problems: [] })
  expect(summary.commits.map(({ title }: { title: string }) => `feat: ${title}`)).toEqual(titles)
  // The task that waited was verified on what it was made on, and once more on what the branch had become.
  const trees = facts.filter(({ taskId }) => taskId === 'shipping').filter(({ tree }) => tree !== undefined)
  const [verified, merged] = ['verified', 'merged'].map((type) => trees.find((fact) => fact.type === type)?.tree)
  expect(verified).not.toBe(merged)
  expect(summary.commits.at(-1)).toMatchObject({ task: 'shipping', tree: merged, evidenceTree: merged })
})
