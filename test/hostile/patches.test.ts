// Hostile answers of an agent without tools: only changes that the rules allow are written, nothing breaks, and the
// reply explains the fault so that the next answer can be right.
import { existsSync } from 'node:fs'
import { symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Config } from '../../src/config/settings/config.ts'
import { type TakenPatch, takePatch } from '../../src/engine/session/patch-session.ts'
import type { TaskRun } from '../../src/engine/deps.ts'
import type { Workspace, Workspaces } from '../../src/workspace/workspace.ts'
import type { GitWorkspaceOptions } from '../../src/workspace/git/open.ts'
import { BUILD, contentOf, madeRepository, markOf, TASK } from '../rig/git-repository.ts'
import { amount } from '../rig/share.ts'
import { type Hostile, hostileContents, hostilePaths, malformed, PROJECT } from './patches-cases.ts'
import { anyAnswer } from './patches-fuzz.ts'

interface Scene {
  readonly root: string
  readonly workspace: Workspace
  readonly take: (message: string) => Promise<TakenPatch>
  /** All files below the root that are not the engine's own. */
  readonly around: () => Promise<Record<string, string>>
  readonly inside: () => Promise<Record<string, string>>
}

const config = {
  protect: { paths: ['ralph.toml', '.github/**'] },
  limits: { filesPerPatch: 5 },
} as unknown as Config

async function scene(options: Partial<GitWorkspaceOptions> = {}): Promise<Scene> {
  const made = await madeRepository(PROJECT)
  await symlink('src', join(made.folder, 'link'))
  await made.commit({})
  const workspaces: Workspaces = await made.open(options)
  await workspaces.startBuild(BUILD)
  const workspace = await workspaces.acquire(BUILD, TASK, null, 'fresh')
  const root = dirname(made.folder)
  const taskRun = { engine: { workspaces, config } } as unknown as TaskRun
  const around = async (): Promise<Record<string, string>> => {
    const all = Object.entries(await contentOf(root))
    return Object.fromEntries(all.filter(([path]) => !path.startsWith('project/.git/')))
  }
  return {
    root,
    workspace,
    take: (message) => takePatch(taskRun, workspace, markOf(), message),
    around,
    inside: () => contentOf(workspace.folder),
  }
}

async function expectRefusals(cases: readonly Hostile[], { take, around, inside }: Scene): Promise<void> {
  const before = { around: await around(), inside: await inside() }
  for (const { name, message, reason } of cases) {
    const taken = await take(message)
    expect.soft(taken.error, name).toMatch(reason)
    expect.soft(taken.signal, name).toBeNull()
  }
  expect({ around: await around(), inside: await inside() }).toEqual(before)
}

describe('a hostile patch', () => {
  it('names no path but those of the project', async () => {
    const at = await scene()
    const outside = join(at.root, 'outside.txt')
    await expectRefusals(hostilePaths(outside), at)
    expect(existsSync(outside)).toBe(false)
  })

  it('brings nothing but text, and not too much', async () => {
    const at = await scene()
    await expectRefusals(hostileContents, at)
    expect((await at.inside())['a.txt']).toBe(PROJECT['a.txt'])
  })

  it('is told what is wrong with it where it cannot be read', async () => {
    const at = await scene()
    await expectRefusals(malformed, at)
    expect((await at.inside())['a.txt']).toBe(PROJECT['a.txt'])
  })

  it('counts more than 40 kinds, no name twice', () => {
    const names = [...hostilePaths('/outside'), ...hostileContents, ...malformed].map(({ name }) => name)
    expect(names.length).toBeGreaterThan(80)
    expect(new Set(names).size).toBe(names.length)
  })

  it.each([
    ['in a folder of its own', {}],
    ['in place', { inPlace: { ours: [] } }],
  ])('after which a good one is taken all the same, %s', async (_, options) => {
    const at = await scene(options)
    await expectRefusals(malformed.slice(0, 3), at)
    const good = await at.take(
      '```diff\n--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n```\n\nTASK_COMPLETE',
    )
    expect(good).toEqual({ error: null, signal: { kind: 'TASK_COMPLETE' }, scratchpad: null })
    expect((await at.inside())['a.txt']).toBe('one\n2\nthree\n')
  })
})

/** `npm run fuzz:patches` goes on for a minute, whatever number that makes. */
const FUZZ_MS = Number(process.env['RALPH_FUZZ_MS'] ?? 0)
const LIMIT =
  FUZZ_MS > 0
    ? { numRuns: 1_000_000, interruptAfterTimeLimit: FUZZ_MS, markInterruptAsFailure: false }
    : { numRuns: amount({ first: 100, day: 500, all: 5_000 }) }

describe('any patch at all', () => {
  it('writes nothing outside, and throws nothing', { timeout: FUZZ_MS + 300_000 }, async () => {
    const at = await scene()
    const before = await at.around()
    let [taken, refused] = [0, 0]
    await fc.assert(
      fc.asyncProperty(anyAnswer, async (message) => {
        const { error } = await at.take(message)
        if (error === null) taken += 1
        else refused += 1
        const paths = Object.keys(await at.inside())
        expect(paths.filter((path) => /(?:^|\/)\.\.?\/|(?:^|\/)\.git(?:\/|$)/i.test(path))).toEqual([])
      }),
      LIMIT,
    )
    expect(await at.around()).toEqual(before)
    expect(Math.min(taken, refused)).toBeGreaterThan(0)
  })
})
