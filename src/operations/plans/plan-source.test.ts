import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Build } from '../../core/builds/build.ts'
import type { PlanForm } from '../../core/plan/plan-form.ts'
import { readPlanInput, requireSamePlan, sourceAt, type PlanInput } from './plan-source.ts'

const PROGRESS = '# Progress: x\n\n## Tasks\n\n- [ ] a\n'
const SPEC = '# Login\n\nPeople log in.\n'

let root: string
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'ralph-source-')))
  mkdirSync(join(root, 'repo/docs/folder.md'), { recursive: true })
  const files = {
    'repo/PLAN.md': PROGRESS,
    'repo/docs/SPEC.md': SPEC,
    'repo/fix_plan.md': '- [ ] a\n',
    'repo/notes': 'just words',
    'repo/empty.md': ' \n',
    'repo/latin.md': Buffer.from([0x66, 0xfc, 0x72]),
    'repo/long.md': 'x'.repeat(300 * 1024),
    'outside.md': SPEC,
  }
  for (const [path, text] of Object.entries(files)) writeFileSync(join(root, path), text)
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const read = (word: string, folder = '.', as: PlanForm | null = null, input = ''): Promise<PlanInput> =>
  readPlanInput({ root: join(root, 'repo'), folder: join(root, 'repo', folder) }, word, as, async () => input)

describe('what a word means', () => {
  it.each<[string, folder: string, unknown]>([
    ['PLAN.md', '.', { is: 'progress', source: 'PLAN.md', text: PROGRESS }],
    ['../PLAN.md', 'docs', { is: 'progress', source: 'PLAN.md', text: PROGRESS }],
    ['SPEC.md', 'docs', { is: 'seed', seed: { from: 'spec', path: 'docs/SPEC.md', text: SPEC } }],
    ['notes', '.', { is: 'seed', seed: { from: 'spec', path: 'notes', text: 'just words' } }],
    ['fix_plan.md', '.', { is: 'list', form: 'checklist', name: 'fix_plan.md', text: '- [ ] a\n' }],
    ['add a login page', '.', { is: 'seed', seed: { from: 'goal', text: 'add a login page' } }],
    ['and/or in the parser.md', '.', { is: 'seed', seed: { from: 'goal', text: 'and/or in the parser.md' } }],
    ['tetris', '.', { is: 'seed', seed: { from: 'goal', text: 'tetris' } }],
    ['x '.repeat(3000), '.', { is: 'seed', seed: { from: 'goal', text: 'x '.repeat(3000) } }],
  ])('%s in %s', async (word, folder, wanted) => {
    expect(await read(word, folder)).toEqual(wanted)
  })

  it('a file outside of the repository keeps its whole path', async () => {
    const path = join(root, 'outside.md')
    expect(await read('../outside.md')).toEqual({ is: 'seed', seed: { from: 'spec', path, text: SPEC } })
    expect(sourceAt(join(root, 'repo'), path)).toEqual({ path, spec: path })
    expect(sourceAt(join(root, 'repo'), 'docs/a.md')).toEqual({ path: join(root, 'repo/docs/a.md'), spec: 'docs/a.md' })
  })

  it('a dash is what comes on stdin', async () => {
    expect(await read('-', '.', null, 'a shop\nwith a login\n')).toEqual({
      is: 'seed',
      seed: { from: 'goal', text: 'a shop\nwith a login\n' },
    })
    expect(await read('-', '.', null, '* [ ] a\n')).toMatchObject({ is: 'list', form: 'checklist', name: 'stdin' })
  })

  it('is what the user says it is', async () => {
    expect(await read('fix_plan.md', '.', 'spec')).toMatchObject({ is: 'seed', seed: { path: 'fix_plan.md' } })
    expect(await read('notes', '.', 'checklist')).toMatchObject({ is: 'list', form: 'checklist' })
  })

  it.each([
    ['', 'the goal is empty; say what is to be built, or name a file'],
    [' \n', 'the goal is empty; say what is to be built, or name a file'],
    ['nope.md', "there is no file 'nope.md'; name one that exists, or say the goal in words"],
    ['docs/nope', "there is no file 'docs/nope'; name one that exists, or say the goal in words"],
    ['docs/folder.md', "'docs/folder.md' is no file; name one, or say the goal in more words"],
    ['docs', "'docs' is no file; name one, or say the goal in more words"],
    ['empty.md', 'empty.md is empty; say in it what is to be built'],
    ['-', 'stdin is empty; say in it what is to be built'],
    ['latin.md', 'is not UTF-8 text; save it as UTF-8'],
    ['long.md', 'long.md has 300 KiB, and at most 256 can be planned from; split it, or leave out what is no task'],
    [
      'x '.repeat(150 * 1024),
      'the goal has 300 KiB, and at most 256 can be planned from; split it, or leave out what is no task',
    ],
  ])('%.20j is refused', async (word, sentence) => {
    await expect(read(word)).rejects.toThrow(sentence)
  })

  it('a progress file cannot come on stdin', async () => {
    await expect(read('-', '.', null, PROGRESS)).rejects.toThrow('it cannot come on stdin; name the file')
  })
})

describe('while a build is not finished', () => {
  const build = { id: 'b_1' } as Build
  const spec = { from: 'spec', path: 'SPEC.md', text: 'old' } as const
  const goal = { from: 'goal', text: 'a shop' } as const
  const progress: PlanInput = { is: 'progress', source: 'PLAN.md', text: '' }
  const list: PlanInput = { is: 'list', form: 'prd', name: 'prd.json', text: '' }

  it.each<[Parameters<typeof requireSamePlan>[1], PlanInput | null]>([
    [{ source: null, seed: null }, null],
    [{ source: null, seed: goal }, null],
    [{ source: 'PLAN.md', seed: null }, progress],
    [
      { source: null, seed: goal },
      { is: 'seed', seed: { from: 'goal', text: ' a shop\n' } },
    ],
    [
      { source: null, seed: spec },
      { is: 'seed', seed: { ...spec, text: 'new' } },
    ],
    [{ source: null, seed: { from: 'list', path: 'prd.json' } }, list],
  ])('%j goes on where %j is named', (was, wanted) => {
    expect(() => requireSamePlan(build, was, wanted)).not.toThrow()
  })

  it.each<[Parameters<typeof requireSamePlan>[1], PlanInput, string]>([
    [{ source: null, seed: null }, progress, 'the open tasks'],
    [{ source: 'OTHER.md', seed: null }, progress, 'OTHER.md'],
    [{ source: null, seed: goal }, { is: 'seed', seed: { from: 'goal', text: 'a bank' } }, 'the goal "a shop"'],
    [{ source: null, seed: spec }, list, 'SPEC.md'],
    [{ source: null, seed: spec }, progress, 'SPEC.md'],
  ])('%j refuses %j', (was, wanted, plan) => {
    expect(() => requireSamePlan(build, was, wanted)).toThrow(
      `build 'b_1' over ${plan} is not finished; go on with 'ralph build', or end it with 'ralph abort' first`,
    )
  })
})
