import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CHECK, project } from '../rig/project.ts'
import { SIA_GIVES_UP, work } from '../rig/sessions.ts'
import { KEPT } from '../rig/probes-off.ts'

const two = { role: 'implementer', task: 'two', steps: work('two', 2) }
const three = { role: 'implementer', task: 'three', steps: work('three', 3) }

function steady(text: string): string {
  return text.replaceAll(/\b[0-9a-f]{10}\b/g, 'COMMIT').replaceAll(/\bb_\w+/g, 'BUILD')
}

function built() {
  const made = project({ script: [two, three] })
  expect(made.ralph(['build']).code).toBe(0)
  return { made, branch: `ralph/${made.build()}` }
}

describe('ralph verify', () => {
  it('proves a build, a commit and a range again, also in a clone on its own', () => {
    const { made, branch } = built()
    const all = made.ralph(['verify'])
    expect({ code: all.code, stdout: steady(all.stdout), stderr: all.stderr }).toEqual({
      code: 0,
      stdout: `COMMIT feat: Add two
           proved: unit green (2 tests)
           ${KEPT}
COMMIT feat: Add three
           proved: unit green (3 tests)
           ${KEPT}
2 commits: every one is proved.
`,
      stderr: '',
    })
    made.git('clone', '--quiet', '--branch', branch, '.', '../clone')
    made.git('-C', '../clone', 'fetch', '--quiet', 'origin', 'refs/notes/ralph:refs/notes/ralph')
    const one = made.ralph(['verify', 'HEAD', '--json'], { folder: join(made.root, 'clone') })
    expect(JSON.parse(one.stdout)).toMatchObject({ ok: true, commits: [{ task: 'three', is: 'proved' }] })
    const range = made.ralph(['verify', 'HEAD~2..HEAD'], { folder: join(made.root, 'clone') })
    expect([range.code, steady(range.stdout).split('\n').at(-2)]).toEqual([0, '2 commits: every one is proved.'])
  })

  it('proves a commit that no branch leads to', () => {
    const { made, branch } = built()
    const commit = made.git('rev-parse', branch).trim()
    made.git('update-ref', '-d', `refs/heads/${branch}`)
    const { code, stdout } = made.ralph(['verify', commit])
    expect([code, steady(stdout).split('\n').at(-2)]).toEqual([0, '1 commit: every one is proved.'])
  })

  it('has what it needs for that in the note alone', () => {
    const made = project({ script: [two, three] })
    // Says itself what it runs on.
    const command = `node --version; ${CHECK}`
    made.write('ralph.toml', made.read('ralph.toml').replace(CHECK, command))
    expect(made.ralph(['build']).code).toBe(0)
    const branch = `ralph/${made.build()}`
    const note = JSON.parse(made.git('notes', '--ref', 'ralph', 'show', branch)) as {
      evidence: { checks: { outputTail: string }[] }
    }
    const [node] = note.evidence.checks[0]?.outputTail.split('\n') ?? []
    expect(node).toMatch(/^v\d+\.\d+\.\d+/)
    expect(note).toMatchObject({
      task: 'three',
      tree: made.git('rev-parse', `${branch}^{tree}`).trim(),
      proof: {
        by: 'evidence',
        evidence: /^Ralph-Evidence: (.*)$/m.exec(made.git('log', '-1', '--format=%B', branch))?.[1],
      },
      evidence: {
        base: made.git('rev-parse', `${branch}^`).trim(),
        tree: made.git('rev-parse', `${branch}^{tree}`).trim(),
        recipe: { setup: null, installScripts: 'run', checks: [{ name: 'unit', command, cwd: '.' }] },
        changed: ['three.js', 'three.test.js'],
        checks: [
          {
            name: 'unit',
            checkHash: expect.stringMatching(/^[\w:]{20,}$/),
            exit: 0,
            tests: { run: 3, failed: 0, skipped: 0 },
            names: { passed: ['one', 'three', 'two'], failed: [], skipped: [] },
            versions: [`node ${node}`],
            outputDigest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
          },
        ],
        findings: [],
        cleared: null,
        secondOpinion: null,
        verdict: 'green',
      },
    })
  })

  it('finds a flipped byte in the evidence, wherever it is', () => {
    const { made, branch } = built()
    const commit = made.git('rev-parse', branch).trim()
    const note = made.git('notes', '--ref', 'ralph', 'show', commit).trimEnd()
    const places = [10, Math.floor(note.length / 3), Math.floor(note.length / 2), note.length - 3]
    for (const at of places) {
      const flipped = note.slice(0, at) + (note[at] === '1' ? '2' : '1') + note.slice(at + 1)
      made.git('notes', '--ref', 'ralph', 'add', '--force', '-m', flipped, commit)
      const { code, stdout } = made.ralph(['verify', branch])
      expect([code, stdout]).toEqual([
        4,
        expect.stringMatching(/NOT proved: (its|who) [^\n]+\n1 commit: 0 proved, 1 not\.\n$/),
      ])
    }
  })

  it('believes no tree that its evidence is not of, and no commit of others', () => {
    const { made, branch } = built()
    const note = made.git('notes', '--ref', 'ralph', 'show', branch).trimEnd()
    made.git('checkout', '--quiet', branch)
    made.write('three.js', 'export const three = () => 3 // changed\n')
    made.git('commit', '--quiet', '--all', '--amend', '--no-edit')
    made.git('notes', '--ref', 'ralph', 'add', '--force', '-m', note, 'HEAD')
    expect(made.ralph(['verify', 'HEAD'])).toMatchObject({
      code: 4,
      stdout: expect.stringContaining('NOT proved: its note speaks of another task or tree') as string,
    })
    expect(made.ralph(['verify', 'HEAD~2'])).toMatchObject({
      code: 4,
      stdout: expect.stringContaining('NOT proved: Ralph did not make it, so it has no evidence') as string,
    })
    expect(made.ralph(['verify', 'nowhere'])).toEqual({
      code: 2,
      stdout: '',
      stderr:
        "Error: there is no build or commit 'nowhere' here; 'git log' and 'ralph status' name them [RALPH_COMMIT_UNKNOWN]\n",
    })
  })

  it('says what a person accepted without evidence', () => {
    const wrong = { role: 'implementer', task: 'two', steps: work('two', 4, 3) }
    const made = project({ script: [wrong, SIA_GIVES_UP] })
    expect(made.ralph(['build']).code).toBe(3)
    expect(made.ralph(['resolve', 'two', '-m', 'good enough', '--unverified', '--yes']).code).toBe(0)
    expect(made.ralph(['verify'])).toMatchObject({
      code: 4,
      stdout: expect.stringMatching(/NOT proved: accepted unverified by \S+/) as string,
    })
  })
})
