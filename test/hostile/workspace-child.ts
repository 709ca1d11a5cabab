// Run by workspace-crash.test.ts, and killed by it: works through tasks as a loop does, and says what it was promised.
import { appendFileSync, readFileSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { argv, env, stdout } from 'node:process'
import type { BuildId, TaskId } from '../../src/core/values/id.ts'
import { engineMarker } from '../../src/system/process-table/marker.ts'
import type { Workspaces } from '../../src/workspace/workspace.ts'
import { openGitWorkspaces } from '../../src/workspace/git/open.ts'

const [, , folder = '', log = '', name = ''] = argv
const build = 'b_1' as BuildId
const gitDir = join(folder, '.git')

const say = (...words: unknown[]): void => appendFileSync(log, `${words.join(' ')}\n`)
const landed = (): number =>
  readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith(`landed ${name}`)).length

async function giveBack(ws: Workspaces, task: TaskId): Promise<void> {
  const workspace = await ws.find(build, task)
  if (workspace !== null) await ws.release(workspace)
}

async function work(ws: Workspaces, number: number): Promise<void> {
  const task = `${name}-${number}` as TaskId
  const mark = { build, task, attempt: 1, iteration: 1 }
  const { commit: head } = await ws.head(build)
  const onBranch = await ws.history(build, head, null)
  const before = onBranch.find(({ message }) => message.endsWith(`Ralph-Attempt: ${task}/1/1\n`))
  if (before !== undefined) {
    say('landed', task, before.commit)
    return giveBack(ws, task)
  }
  const workspace = await ws.acquire(build, task, null, number % 2 === 0 ? 'fresh' : 'keep')
  await mkdir(join(workspace.folder, name), { recursive: true })
  await writeFile(join(workspace.folder, name, `${number}.txt`), `${number}\n`)
  await writeFile(join(workspace.folder, name, 'last.txt'), `${number}\n`)
  const harvest = await ws.harvest(workspace, mark)
  if (!harvest.taken) throw new Error(harvest.reason)
  say('harvested', task, harvest.tree)
  for (;;) {
    const combined = await ws.mergeTrees(build, workspace.base, harvest.tree)
    if (combined.is === 'conflict') throw new Error(`conflict in ${combined.paths.join(' ')}`)
    const checkout = await ws.checkout(combined.tree)
    const text = await readFile(join(checkout.folder, name, 'last.txt'), 'utf8')
    checkout.free()
    if (text !== `${number}\n`) throw new Error(`the checkout says ${text}`)
    const message = `feat: ${task}\n\nRalph-Attempt: ${task}/1/1\n`
    const version = await ws.commitToBranch(
      build,
      combined.head,
      combined.tree,
      message,
      JSON.stringify({ tree: combined.tree }),
    )
    if (version === null) continue
    say('landed', task, version.commit)
    break
  }
  await giveBack(ws, task)
  if (number % 5 === 0) void ws.mirror(build)
}

const ws = await openGitWorkspaces({
  stateFolder: join(gitDir, 'ralph'),
  user: { commonDir: gitDir, gitDir, worktree: folder },
  env,
})
await ws.startBuild(build)
stdout.write(`${engineMarker}\n`)
await giveBack(ws, `${name}-${landed()}` as TaskId)
for (let number = landed() + 1; ; number += 1) await work(ws, number)
