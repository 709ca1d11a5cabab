// kill -9 of a loop whose agent chooses its task, at every boundary of its effects, and of the agent itself.
import { existsSync, watch } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { leftIn } from '../rig/build-process.ts'
import { project, type Project } from '../rig/project.ts'
import { story } from '../rig/story.ts'

/** Iterate, verify, review and merge; around each: begun, performed, recorded. */
const BOUNDARIES = 3 * 4

const CHEAP = { 'package.json': '{"type":"module"}\n' }

/** Adds to the files in its folder; unfinished work is there the next time. */
const steps = [
  { run: 'ralph task claim two > /dev/null' },
  { run: 'test -e two.test.js && echo again >> trace.txt; true' },
  {
    write: {
      path: 'two.test.js',
      content: "import { test } from 'node:test'\ntest('two', () => {})\n",
    },
  },
]
const done = { run: 'ralph task done two' }

function planned(...more: readonly object[]): Project {
  const made = project({ script: [{ role: 'implementer', steps: [...steps, ...more, done] }] })
  for (const [path, text] of Object.entries(CHEAP)) made.write(path, text)
  made.ok('create', 'two', 'Add two')
  return made
}

const build = ['build', '--claim', 'agent']
const commits = (made: Project) => made.git('log', '--format=%s', `main..ralph/${made.build()}`)
const active = (made: Project) => made.task('list', '--status', 'active').stdout

describe('kill -9', () => {
  it.each(Array.from({ length: BOUNDARIES }, (_, at) => at + 1))(
    'of the loop at boundary %i: the next start ends the same, with one commit and no active task',
    async (at) => {
      const made = planned()
      const killed = made.start(build, { RALPH_FAILPOINT: String(at) })
      expect((await killed.ended).code).toBeNull()
      const end = made.ralph(build)
      expect([end.code, end.stderr.includes('Blocked')]).toEqual([0, false])
      expect({ commits: commits(made), active: active(made), processesLeft: leftIn(made.folder) }).toEqual({
        commits: 'feat: Add two\n',
        active: '',
        processesLeft: [],
      })
    },
  )

  it('of the loop while its session works: the work is taken up, and nothing is left running', async () => {
    const made = planned()
    const half = join(made.root, 'half')
    made.play({ role: 'implementer', steps: [...steps, { run: `touch '${half}'` }, { sleep: 60_000 }] })
    const going = made.start(build)
    await seen(half)
    going.child.kill('SIGKILL')
    await going.ended
    made.play({ role: 'implementer', steps: [...steps, done] })
    const end = made.ralph(build)
    expect([end.code, story(end.stdout).at(-1)]).toEqual([0, 'build complete'])
    expect({ commits: commits(made), active: active(made), processesLeft: leftIn(made.folder) }).toEqual({
      commits: 'feat: Add two\n',
      active: '',
      processesLeft: [],
    })
    expect(made.git('show', `ralph/${made.build()}:trace.txt`)).toBe('again\n')
  })
})

/** Resolves when the file is there. */
function seen(path: string): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (!existsSync(path)) return
      watcher.close()
      resolve()
    }
    const watcher = watch(dirname(path), look)
    look()
  })
}
