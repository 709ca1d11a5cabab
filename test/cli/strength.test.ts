// Every face says what a green result is worth; `ralph verify` shows it again and writes it down, signed.
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Project, project } from '../rig/project.ts'
import { work } from '../rig/sessions.ts'
import { steady, story } from '../rig/story.ts'

const PROBES_ON = { RALPH_EVIDENCE_WITNESS: 'true', RALPH_EVIDENCE_SABOTAGE: 'true', RALPH_REVIEW_WHEN: 'never' }
const two = { role: 'implementer', task: 'two', steps: work('two', 2) }
const PROVED = 'proved: 1 test fails without this change; 1 of 1 mutant noticed'

function built(...script: readonly object[]): { readonly made: Project; readonly stdout: string } {
  const made = project({ script })
  const { stdout } = made.ralph(['build'], { env: PROBES_ON })
  return { made, stdout }
}

describe('a change that a test needs', () => {
  it('is proved, in the story, the table, the status, the report and the task', () => {
    const { made, stdout } = built(two)
    expect(story(stdout)).toContain(`two: ${PROVED}`)
    expect(steady(stdout)).toContain(`COMMIT  two   ${PROVED}  Add two\n`)
    expect(steady(made.ralph(['status']).stdout)).toContain(`COMMIT ${PROVED}  Add two\n`)
    const report = made.ralph(['report']).stdout
    expect(steady(report)).toContain(`| \`COMMIT\` | two | Add two | ${PROVED} |`)
    expect(report).toContain(`- two: ${PROVED}\n  - fails without this change: 'two'\n`)
    expect(made.json('report')).toMatchObject({
      tasks: [{ id: 'two', strength: 'proved', sentence: PROVED }],
      evidence: [
        {
          task: 'two',
          strength: 'proved',
          sentence: PROVED,
          probes: { witnesses: { tests: ['two'], count: 1 }, breaks: [{ result: 'noticed' }, { result: 'noticed' }] },
          flaky: [],
        },
      ],
    })
    expect(made.ok('show', 'two')).toContain(
      `Evidence:    ${PROVED}\n             - fails without this change: 'two'\n`,
    )
    expect(JSON.parse(made.ok('show', 'two', '--json'))).toMatchObject({ strength: 'proved', sentence: PROVED })
    provedAgain(made)
    written(made)
  })

  function provedAgain(made: Project): void {
    const again = made.ralph(['verify'])
    expect([again.code, steady(again.stdout)]).toEqual([
      0,
      `COMMIT feat: Add two
           proved: unit green (2 tests)
           the same probes again: ${PROVED}
1 commit: every one is proved.
`,
    ])
    expect(again.stderr).toMatch(
      /^Running the checks of 'two' …\nRunning the checks on what it stands on …\nMaking its/,
    )
    const quick = made.ralph(['verify', '--quick'])
    expect([quick.code, quick.stdout.includes('probes'), quick.stderr]).toEqual([0, false, ''])
  }

  function written(made: Project): void {
    const unsigned = made.ralph(['verify', '--quick', '--in-toto'])
    expect(unsigned.stderr).toContain('The statement is not signed: git signs no commits here (commit.gpgsign).\n')
    expect(envelopeIn(unsigned.stdout).signatures).toEqual([])
    made.git('config', 'commit.gpgsign', 'true')
    made.git('config', 'gpg.format', 'ssh')
    made.git('config', 'user.signingkey', join(made.root, 'no such key'))
    const failed = made.ralph(['verify', '--quick', '--in-toto'])
    expect([failed.code, failed.stderr]).toEqual([
      0,
      expect.stringMatching(/The statement is not signed: the key .*no such key was not found\.\n$/),
    ])
    const key = join(made.root, 'key')
    keygen('-q', '-t', 'ed25519', '-N', '', '-f', key)
    made.git('config', 'user.signingkey', key)
    const { stdout, stderr } = made.ralph(['verify', '--quick', '--in-toto'])
    expect(stderr).not.toContain('not signed')
    requireStatement(made, stdout)
    requireSignature(made, stdout, key)
  }
})

interface Envelope {
  readonly payloadType: string
  readonly payload: string
  readonly signatures: readonly { readonly keyid: string; readonly sig: string }[]
}

function envelopeIn(stdout: string): Envelope {
  return JSON.parse(stdout) as Envelope
}

function requireStatement(made: Project, stdout: string): void {
  const branch = `ralph/${made.build()}`
  const { payloadType, payload } = envelopeIn(stdout)
  expect(payloadType).toBe('application/vnd.in-toto+json')
  expect(JSON.parse(Buffer.from(payload, 'base64').toString())).toMatchObject({
    _type: 'https://in-toto.io/Statement/v1',
    subject: [
      { digest: { gitCommit: made.git('rev-parse', branch).trim() } },
      { digest: { gitTree: made.git('rev-parse', `${branch}^{tree}`).trim() } },
    ],
    predicateType: 'https://www.npmjs.com/package/ralph-runtime/evidence/v1',
    predicate: {
      evidenceDigest: /^Ralph-Evidence: (.*)$/m.exec(made.git('log', '-1', '--format=%B', branch))?.[1],
      evidence: {
        task: 'two',
        probes: {
          strength: 'proved',
          witnesses: { tests: ['two'] },
          breaks: [
            { how: 'emptied', paths: ['two.js'], result: 'noticed', by: ['two'] },
            { how: 'mutant', paths: ['two.js'], line: 1, result: 'noticed', by: ['two'] },
          ],
          runs: expect.arrayContaining([{ probe: 'sabotage', on: 'broken', times: 2 }]) as unknown,
        },
      },
      toolchain: {
        programs: expect.arrayContaining([
          { program: 'node', digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) as string },
        ]) as unknown,
        versions: [expect.stringMatching(/^node v/)],
      },
      proved: { probes: 'left' },
    },
  })
}

/** As anybody does who has the public key, and nothing of Ralph. */
function requireSignature({ root }: Project, stdout: string, key: string): void {
  const { payloadType, payload, signatures } = envelopeIn(stdout)
  const bytes = Buffer.from(payload, 'base64')
  const signed = `DSSEv1 ${payloadType.length} ${payloadType} ${bytes.length} ${bytes.toString()}`
  writeFileSync(join(root, 'sig'), Buffer.from(signatures[0]?.sig ?? '', 'base64'))
  writeFileSync(join(root, 'signers'), `ada ${readFileSync(`${key}.pub`, 'utf8')}`)
  const verify = ['-Y', 'verify', '-f', join(root, 'signers'), '-I', 'ada', '-n', 'in-toto', '-s', join(root, 'sig')]
  expect(keygen(...verify, signed)).toContain('Good "in-toto" signature for ada')
  expect(keygen('-l', '-f', `${key}.pub`)).toContain(signatures[0]?.keyid)
}

/** The last argument of a verification is its input. */
function keygen(...args: readonly string[]): string {
  const input = args.includes('verify') ? args.at(-1) : ''
  const { status, stdout, stderr } = spawnSync('ssh-keygen', args.includes('verify') ? args.slice(0, -1) : args, {
    input,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
  return stdout
}

describe('a change that no test sees', () => {
  const bare = { write: { path: 'two.js', content: 'export const two = () => 2\n' } }
  const untested = { role: 'implementer', task: 'two', steps: [bare, { signal: { kind: 'TASK_COMPLETE' } }] }
  const THIN = 'thin: no test fails when two.js is emptied'

  it('goes back once at no cost, then a person is asked, in the same sentence everywhere', () => {
    const { made, stdout } = built(untested)
    expect(story(stdout).filter((line) => line.includes('thin'))).toEqual([
      `two: ${THIN}; back to the agent, no attempt spent`,
      `two: ${THIN}`,
      expect.stringMatching(`^two: review: a human has to look: ${THIN}; the checks are green, but no reviewer is set`),
      expect.stringMatching(`^two: a human is needed: ${THIN}; `),
    ])
    expect(stdout).toContain(
      `\nTask two waits for you: Add two\n  ${THIN}; the checks are green, but no reviewer is set`,
    )
    expect(made.ralph(['status']).stdout).toMatch(new RegExp(`^two +waiting +1\\.2 +${THIN}; the checks`, 'm'))
    const cleared = made.ralph(['resolve', 'two', '-m', 'it is a constant'], { env: PROBES_ON })
    expect(cleared.code).toBe(0)
    expect(steady(made.ralph(['report']).stdout)).toMatch(
      new RegExp(`\\| two \\| Add two \\| ${THIN}, cleared by \\S+ \\|`),
    )
  })
})

describe('probes that show less the second time', () => {
  it('disprove the commit, and say what is gone', () => {
    const made = project({ script: [] })
    const flag = join(made.root, 'flag')
    writeFileSync(flag, '')
    const test = [
      "import { test } from 'node:test'",
      "import assert from 'node:assert/strict'",
      "import { existsSync } from 'node:fs'",
      "import { two } from './two.js'",
      `test('two', () => assert.ok(two() === 2 || !existsSync('${flag}')))`,
    ]
    made.play({
      role: 'implementer',
      task: 'two',
      steps: [
        { write: { path: 'two.js', content: 'export const two = () => 2\n' } },
        { write: { path: 'two.test.js', content: `${test.join('\n')}\n` } },
        { signal: { kind: 'TASK_COMPLETE' } },
      ],
    })
    made.ok('create', 'two', 'Add two')
    expect(story(made.ralph(['build'], { env: PROBES_ON }).stdout)).toContain(`two: ${PROVED}`)
    rmSync(flag)
    expect(made.ralph(['verify', '--quick']).code).toBe(0)
    const { code, stdout } = made.ralph(['verify'])
    expect([code, steady(stdout)]).toEqual([
      4,
      `COMMIT feat: Add two
           NOT proved: it was proved and is not any more: thin: no test fails when two.js is emptied
             'two' failed without this change, and does not now
             no test notices any more: two.js is emptied
1 commit: 0 proved, 1 not.
`,
    ])
    expect(made.ralph(['verify', '--in-toto'])).toMatchObject({ code: 4, stdout: '' })
  })
})
