import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { CHECK, project, type Project } from '../rig/project.ts'
import { story } from '../rig/story.ts'
import { work } from '../rig/sessions.ts'

/** Processes in a folder of the scratch repository; null where the system does not list them. */
function workersIn(root: string): string[] | null {
  if (!existsSync('/proc/self/cwd')) return null
  return readdirSync('/proc').filter((pid) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`).startsWith(`${root}/home/.cache/ralph/`)
    } catch {
      return false
    }
  })
}

const NOBODY = existsSync('/proc/self/cwd') ? [] : null

/** Resolves when a session has said this. */
async function agentSaid({ folder }: Project, text: string): Promise<void> {
  const transcripts = join(folder, '.git/ralph/transcripts')
  for (;;) {
    const files = existsSync(transcripts) ? readdirSync(transcripts, { recursive: true, encoding: 'utf8' }) : []
    const said = files
      .filter((file) => file.endsWith('.jsonl'))
      .map((file) => readFileSync(join(transcripts, file), 'utf8'))
    if (said.some((words) => words.includes(text))) return
    await sleep(10)
  }
}

const patient = { role: 'implementer', task: 'two', steps: [{ say: 'thinking' }, { hang: {} }] }
const stubborn = { role: 'implementer', task: 'two', steps: [{ hang: { ignoreSigterm: true } }] }

describe('an interrupt of ralph build', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    '%s once: the agent is stopped, all is saved, and it goes on later',
    async (signal) => {
      const made = project({ script: [patient] })
      const run = made.start(['build'])
      await agentSaid(made, 'thinking')
      expect(workersIn(made.root)).not.toEqual([])
      run.child.kill(signal)
      const { code, stdout, stderr } = await run.ended
      expect([code, story(stdout).at(-1)]).toEqual([130, 'two: interrupted: scripted was stopped before it was done'])
      expect(stderr).toContain('Stopping: the agent is asked to stop, and all is saved. Ctrl+C again kills it.\n')
      expect(stdout).toMatch(/\nStopped; 'ralph build' goes on where it was\.\n$/)
      expect(made.json('status')).toMatchObject({
        state: 'running',
        tasks: [{ status: 'open', attempt: 1, iteration: 0 }],
      })
      expect(workersIn(made.root)).toEqual(NOBODY)
      made.play({ task: 'two', steps: work('two') })
      expect([made.ralph(['build']).code, made.json('status')]).toMatchObject([0, { state: 'complete' }])
    },
  )

  it('twice: everything is killed at once, and the next build goes on without waiting for the dead one', async () => {
    const made = project({ script: [stubborn] })
    const run = made.start(['build'])
    await agentSaid(made, 'SIGTERM is ignored')
    run.child.kill('SIGINT')
    await run.saw('Stopping')
    run.child.kill('SIGINT')
    expect((await run.ended).code).toBe(130)
    expect(workersIn(made.root)).toEqual(NOBODY)
    expect(made.ralph(['status']).stdout).toContain("nobody works on it now ('ralph build' goes on)")
    made.play({ task: 'two', steps: work('two') })
    expect([made.ralph(['build']).code, made.json('status')]).toMatchObject([0, { state: 'complete' }])
  })

  it('stops a check too', async () => {
    const made = project({ script: [{ task: 'two', steps: work('two') }] })
    made.write('ralph.toml', made.read('ralph.toml').replace(CHECK, `if [ -e two.js ]; then sleep 600; fi; ${CHECK}`))
    const run = made.start(['build'])
    await run.saw('two: verifying')
    run.child.kill('SIGINT')
    expect((await run.ended).code).toBe(130)
    expect(workersIn(made.root)).toEqual(NOBODY)
    expect(made.json('status')).toMatchObject({ tasks: [{ status: 'open', phase: 'verifying' }] })
  })
})
