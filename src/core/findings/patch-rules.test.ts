import { describe, expect, it } from 'vitest'
import { lineEndProblem, patchProblems, patchRefusal } from './patch-rules.ts'
import type { TreeChange } from '../patch/tree-edit.ts'

const policy = { protectedPaths: ['ralph.toml', '.github/**'], filesMax: 2 }
const added = (path: string, more: Partial<TreeChange> = {}): TreeChange => ({
  path,
  change: 'added',
  oldMode: '000000',
  newMode: '100644',
  isBinary: false,
  ...more,
})

describe('the rules of a patch', () => {
  it('let plain files and programs pass, made, changed and deleted', () => {
    const changes = [
      added('bin/x', { newMode: '100755' }),
      added('a', { change: 'deleted', oldMode: '100644', newMode: '000000' }),
    ]
    expect(patchProblems(changes, policy)).toEqual([])
  })

  it('name everything that is wrong, in one sentence', () => {
    const problems = patchProblems([added('.Github/x.yml'), added('l', { newMode: '120000' }), added('ok')], policy)
    expect(patchRefusal(problems)).toBe(
      'the patch was not applied: it changes 3 files, more than the 2 allowed at once (limits.files_per_patch); make a ' +
        'smaller change now and the rest in the next iteration; .Github/x.yml is protected (protect.paths has .github/**); ' +
        'leave it as it is; l would be a symbolic link; write a plain file',
    )
    expect(patchRefusal(Array.from({ length: 8 }, (_, at) => `p${at}`))).toBe(
      'the patch was not applied: p0; p1; p2; p3; p4; and 3 more of this kind',
    )
  })

  it.each<[string, string, string | null]>([
    ['a\nb\n', 'a\nc\n', null],
    ['a\r\nb\r\n', 'a\r\nc\r\n', null],
    ['a\nb\r\n', 'a\nc\n', null],
    ['a', 'a\r\n', null],
    ['a\n', 'a\r\n', 'x has LF line ends, and the patch brings CRLF; keep LF'],
    ['a\r\nb\r\n', 'a\r\nb\n', 'x has CRLF line ends, and the patch brings others; keep CRLF'],
  ])('keep the line ends of %j in %j', (before, after, problem) => {
    expect(lineEndProblem('x', before, after)).toBe(problem)
  })
})
