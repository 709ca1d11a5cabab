// kill -9 at any instant, and two processes at once: no promise is broken, nothing is done twice, nothing is in the way.
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import type { TaskId } from '../../src/core/values/id.ts'
import { endLeftovers } from '../../src/system/process-table/identity.ts'
import { BUILD, madeRepository, type MadeRepository } from '../rig/git-repository.ts'
import { amount } from '../rig/share.ts'

const KILLS = amount({ first: 8, day: 16, all: 48 })

interface Worker {
  readonly child: ChildProcess
  /** What it and its children carry; known when it has opened everything. */
  readonly marker: Promise<string>
  readonly ended: Promise<string>
}

function startWorker(made: MadeRepository, log: string, name: string): Worker {
  const script = fileURLToPath(import.meta.resolve('./workspace-child.ts'))
  const child = spawn(execPath, ['--no-warnings', script, made.folder, log, name], {
    env: made.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let errors = ''
  child.stderr?.on('data', (bytes: Buffer) => (errors += bytes.toString()))
  return {
    child,
    marker: new Promise((resolve) => child.stdout?.once('data', (bytes: Buffer) => resolve(bytes.toString().trim()))),
    ended: new Promise((resolve) => child.once('close', () => resolve(errors))),
  }
}

/** Everything that any worker was ever promised still holds. */
async function audit(made: MadeRepository, log: string): Promise<void> {
  const lines = readFileSync(log, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split(' '))
  const ofKind = (kind: string) => lines.filter(([first]) => first === kind)
  const ws = await made.open()
  const harvests = (await ws.pins()).filter(({ attempt }) => attempt === 1)
  const pins = new Map(harvests.map(({ task, commit }) => [task, commit]))
  // A pin that was cut off while it was written does not count.
  for (const { ref, attempt, iteration } of await ws.pins()) expect(ref.endsWith(`/${attempt}/${iteration}`)).toBe(true)
  for (const [, task = '', tree = ''] of ofKind('harvested')) {
    const pin = pins.get(task as TaskId) ?? expect.fail(`the work on ${task} is not pinned`)
    const trees = (await made.engine('log', '--format=%T', pin)).split('\n')
    expect(trees).toContain(tree)
  }
  const chain = (await made.engine('log', '--first-parent', '--format=%H %s', `ralph/${BUILD}`))
    .split('\n')
    .map((line) => line.split(' feat: '))
  const landed = new Map(chain.map(([commit = '', task = '']) => [task, commit]))
  expect(landed.size).toBe(chain.length)
  for (const [, task = '', commit = ''] of ofKind('landed')) expect(landed.get(task)).toBe(commit)
  const notes = await made.engine('notes', '--ref=ralph', 'list')
  for (const [task, commit] of landed) if (task !== '') expect(notes).toContain(commit)
  expect(await made.engine('fsck', '--no-dangling')).toBe('')
}

it(`keeps every promise over ${KILLS} kills`, async () => {
  const made = await madeRepository()
  const log = join(made.folder, '..', 'log')
  writeFileSync(log, '')
  for (let kill = 0; kill < KILLS; kill += 1) {
    const { child, marker, ended } = startWorker(made, log, 'solo')
    // Every third kill is somewhere in the start: opening, making the repository, starting the build.
    if (kill % 3 === 0) await sleep(100 + Math.random() * 300)
    else await Promise.race([marker, ended]).then(() => sleep(Math.random() * 250))
    child.kill('SIGKILL')
    expect(await ended).toBe('')
    // Every second time git is killed too, in the middle of whatever it did.
    if (kill % 2 === 0)
      await Promise.race([marker, sleep(0)]).then((word) => (word === undefined ? null : endLeftovers(word)))
    if (kill % 8 === 7) await audit(made, log)
  }
  const last = startWorker(made, log, 'solo')
  const before = readFileSync(log, 'utf8').length
  while (readFileSync(log, 'utf8').length < before + 500) {
    if (last.child.exitCode !== null) break
    await sleep(20)
  }
  last.child.kill('SIGKILL')
  expect(await last.ended).toBe('')
  expect(readFileSync(log, 'utf8').length).toBeGreaterThanOrEqual(before + 500)
  await audit(made, log)
  const ws = await made.open()
  // One task at a time needs one folder; crashes leave no unusable folder behind.
  const folders = (await readdir(join(made.state, 'workspaces'))).filter((name) => /^\d+$/.test(name))
  expect(folders.length).toBeLessThanOrEqual(3)
  expect(await ws.mirror(BUILD)).toEqual({ done: true })
  expect(await made.git('rev-parse', `ralph/${BUILD}`)).toBe((await ws.head(BUILD)).commit)
  expect(await made.git('status', '--porcelain')).toBe('')
  const onBranch = await ws.history(BUILD, (await ws.head(BUILD)).commit, null)
  expect(onBranch.filter(({ message }) => message.includes('Ralph-Attempt: solo-1/1/1\n'))).toHaveLength(1)
})

it('lets three processes share everything', async () => {
  const made = await madeRepository()
  const log = join(made.folder, '..', 'log')
  writeFileSync(log, '')
  await (await made.open()).startBuild(BUILD)
  const workers = ['one', 'two', 'three'].map((name) => startWorker(made, log, name))
  const done = (name: string) =>
    readFileSync(log, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith(`landed ${name}`)).length
  while (['one', 'two', 'three'].some((name) => done(name) < 8)) {
    if (workers.some(({ child }) => child.exitCode !== null)) break
    await sleep(50)
  }
  for (const { child } of workers) child.kill('SIGKILL')
  expect(await Promise.all(workers.map(({ ended }) => ended))).toEqual(['', '', ''])
  await audit(made, log)
  const { folder } = await (await made.open()).checkout((await (await made.open()).head(BUILD)).tree)
  for (const name of ['one', 'two', 'three'])
    expect((await readdir(join(folder, name))).length).toBeGreaterThanOrEqual(9)
})
