// An agent shares the objects of git with the engine and with the user. By overwriting an object it replaces tests of
// the base in later checkouts. Ralph must notice that before it relies on them.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { project, type Project } from '../rig/project.ts'
import { work } from '../rig/sessions.ts'

/** Finds the file of an object by the alternates of the agent's own git dir, and gives it another content. */
const OVERWRITE = `
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { deflateSync } from 'node:zlib'
const [name, from, to] = process.argv.slice(2)
const git = (...args) => execFileSync('git', args, { encoding: 'utf8' })
const id = git('rev-parse', name).trim()
const borrowed = '.git/objects/info/alternates'
const objects = existsSync(borrowed) ? readFileSync(borrowed, 'utf8').trim() : '.git/objects'
const path = objects + '/' + id.slice(0, 2) + '/' + id.slice(2)
const forged = git('cat-file', 'blob', id).replace(from, to)
chmodSync(path, 0o644)
writeFileSync(path, deflateSync('blob ' + Buffer.byteLength(forged) + '\\0' + forged))
`

function overwriting(made: Project, ...args: readonly [name: string, from: string, to: string]): string[] {
  const script = join(made.root, 'overwrite.mjs')
  writeFileSync(script, OVERWRITE)
  return [process.execPath, script, ...args]
}

const DONE = { signal: { kind: 'TASK_COMPLETE' } }

describe('an object of the base that an agent overwrites', () => {
  it('stops the build with nothing merged, and says which object and where', () => {
    const made = project({ script: [{ role: 'implementer', task: 'break', steps: [] }] })
    const forge = overwriting(made, 'HEAD:one.test.js', 'one(), 1', 'one(), 2')
    const steps = [{ run: forge }, { write: { path: 'one.js', content: 'export const one = () => 2\n' } }, DONE]
    made.play({ role: 'implementer', task: 'break', steps })
    const id = made.git('rev-parse', 'HEAD:one.test.js').trim()
    const { code, stdout } = made.ralph(['build'])
    expect([code, stdout]).toEqual([1, expect.stringContaining('Nothing was merged.')])
    const git = join(made.folder, '.git')
    const where = `in your repository ${git} and in ${join(git, 'ralph', 'repo.git')}`
    const sentence = `The build failed: git object ${id} is damaged (its content does not match its hash) ${where}; restore it from another clone`
    expect(stdout).toContain(sentence)
    expect(made.git('branch', '--list', 'main', '--format=%(refname:short) %(subject)').trim()).toBe('main start')
    expect(made.git('log', '--format=%s', `ralph/${made.build()}`).trim()).toBe('start')
    const verified = made.ralph(['verify', 'HEAD'])
    expect({ code: verified.code, stdout: verified.stdout, stderr: verified.stderr }).toEqual({
      code: 4,
      stdout: '',
      stderr: expect.stringMatching(
        new RegExp(`^Error: git object ${id} is damaged .* \\[RALPH_OBJECT_DAMAGED\\]\\n$`),
      ),
    })
  })

  it('hides no change from the findings', () => {
    const made = project({ script: [{ role: 'implementer', task: 'weaken', steps: [] }] })
    const forge = overwriting(made, 'HEAD:one.test.js', 'one(), 1', 'one(), 2')
    const weak = made.read('one.test.js').replace('one(), 1', 'one(), 2')
    const steps = [
      { write: { path: 'one.js', content: 'export const one = () => 2\n' } },
      { write: { path: 'one.test.js', content: weak } },
      { run: forge },
      DONE,
    ]
    made.play({ role: 'implementer', task: 'weaken', steps })
    const { code, stdout } = made.ralph(['build'])
    expect([code, stdout]).toEqual([1, expect.stringMatching(/Nothing was merged\.[^]*git object \w+ is damaged/)])
  })
})

describe('an object that is overwritten after it was merged', () => {
  it('is no longer proved', () => {
    const made = project({ script: [{ role: 'implementer', task: 'two', steps: work('two', 2) }] })
    expect(made.ralph(['build']).code).toBe(0)
    const branch = `ralph/${made.build()}`
    expect(made.ralph(['verify']).code).toBe(0)
    const id = made.git('rev-parse', `${branch}:two.js`).trim()
    const [node = '', ...args] = overwriting(made, id, '2', '3')
    execFileSync(node, args, { cwd: made.folder })
    const { code, stdout, stderr } = made.ralph(['verify'])
    expect([code, stdout]).toEqual([4, ''])
    expect(stderr).toContain(`git object ${id} is damaged`)
  })
})
