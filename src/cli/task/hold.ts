// Taking a task, keeping it, and giving it back.
import { renderTasks } from '../../core/task/markdown-kv.ts'
import { taskResult } from '../../core/task/task-result.ts'
import type { Command } from '../command.ts'
import { print, printJson } from '../output.ts'
import { AGENT_FLAG, ask, LEASE_FLAG, leaseSeconds, taskWord } from './task-store.ts'
import { confirm, taskJson } from './task-output.ts'

export const claim: Command = {
  usage: 'task claim [ID] [--lease 600] [--agent ID]',
  who: 'anyone',
  about: 'Takes the best claimable task, or the named one, for the time of the lease (in seconds).',
  flags: [LEASE_FLAG, AGENT_FLAG],
  wordsMax: 1,
  run: async (call) => {
    const lease = leaseSeconds(call)
    const id = call.words.length === 0 ? null : taskWord(call)
    const { task, blockerResults, brief } = await ask(call, { do: 'claim', id, leaseSeconds: lease })
    const results = new Map(blockerResults.map(({ id, result }) => [id, result]))
    const briefField = brief === null ? {} : { brief }
    if (call.wantsJson)
      return printJson({ ...taskJson(task), blocker_results: Object.fromEntries(results), ...briefField })
    print(`${renderTasks([task], results)}${brief === null ? '' : `\n${brief}\n`}`)
  },
}

export const renew: Command = {
  usage: 'task renew ID [--lease 600] [--agent ID]',
  who: 'anyone',
  about: 'Makes the lease last longer; only who holds the task can.',
  flags: [LEASE_FLAG, AGENT_FLAG],
  wordsMax: 1,
  run: async (call) => {
    const id = taskWord(call)
    const task = await ask(call, { do: 'renew', id, leaseSeconds: leaseSeconds(call) })
    confirm(call, `renewed ${id}`, task)
  },
}

export const done: Command = {
  usage: 'task done ID [--result JSON] [--agent ID]',
  who: 'anyone',
  about: "Finishes a task. The result, where given, is a JSON object with a 'commit' key; dependants see it.",
  flags: [{ long: 'result', takes: 'value', value: 'JSON', about: `such as '{"commit": "abc123"}'` }, AGENT_FLAG],
  wordsMax: 1,
  run: async (call) => {
    const id = taskWord(call)
    const resultFlag = call.flags.get('result')
    const result = resultFlag === undefined ? null : taskResult(resultFlag)
    const task = await ask(call, { do: 'done', id, result })
    confirm(call, `done ${id}`, task)
  },
}

export const fail: Command = {
  usage: 'task fail ID [--reason TEXT] [--agent ID]',
  who: 'anyone',
  about: 'Gives a task back, to be claimed again.',
  flags: [{ long: 'reason', takes: 'value', value: 'TEXT', about: 'why; kept with the task' }, AGENT_FLAG],
  wordsMax: 1,
  run: async (call) => {
    const id = taskWord(call)
    const reason = call.flags.get('reason') ?? null
    const task = await ask(call, { do: 'fail', id, reason })
    confirm(call, `failed ${id}`, task)
  },
}
