// Agents call these commands many times in a session, and the modules that a command loads are most of its cost. Times
// differ between machines; the list of modules does not.
import { expect, it } from 'vitest'
import { RALPH, run, scratch } from '../rig/scratch.ts'

// Printed without Node's streams, which would be loaded for that.
const reporter = `data:text/javascript,process.on('exit',()=>process._rawDebug(process.moduleLoadList.join('\\n')))`

it.each(['peek -n 10', 'claim --agent ann', 'list', 'show a', 'plan-status', 'create b B'])(
  'ralph task %s loads nothing heavy',
  (line) => {
    const { folder, env, ok } = scratch()
    ok('create', 'a', 'A')
    const loaded = (...args: string[]): string[] => {
      const { code, stderr } = run(process.execPath, ['--import', reporter, ...args], { folder, env })
      expect(code).toBe(0)
      return stderr.split('\n')
    }
    const anyway = loaded('-e', '0')
    const ours = loaded(RALPH, 'task', ...line.split(' ')).filter((name) => !anyway.includes(name))
    // Streams, perf_hooks, child_process or tty would each cost 0.5 to 4 ms, of some 15 that a command takes beyond Node.
    expect(ours.filter((name) => /^NativeModule (?!internal\/)/.test(name))).toEqual(['NativeModule sqlite'])
  },
)
