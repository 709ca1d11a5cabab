// The plan as a whole.
import { renderCounts, renderDiff } from '../../core/plan/plan.ts'
import { syncPlan } from '../../operations/tasks/tasks.ts'
import type { Command } from '../command.ts'
import { readInput } from '../input.ts'
import { print, printJson } from '../output.ts'
import { ask, withTaskStore } from './task-store.ts'

export const planSync: Command = {
  usage: 'task plan-sync < PLAN.jsonl',
  who: 'operator',
  about:
    'Takes over a plan from stdin, one JSON task a line: new ones are added, changed ones updated, and what a spec no longer lists is deleted.',
  flags: [],
  wordsMax: 0,
  run: async (call) => {
    const plan = await readInput('the plan on stdin')
    const diff = await withTaskStore(call, (context) => syncPlan(context, plan))
    if (!call.wantsJson) return print(`${renderDiff(diff)}\n`)
    const ids = (tasks: typeof diff.inserted) => tasks.map((task) => task.id)
    printJson({
      inserted: ids(diff.inserted),
      updated: ids(diff.updated),
      deleted: ids(diff.deleted),
      skipped_done: diff.skippedDone,
    })
  },
}

export const planStatus: Command = {
  usage: 'task plan-status',
  who: 'anyone',
  about: 'Counts the tasks; an open one that still waits for another counts as blocked.',
  flags: [],
  wordsMax: 0,
  run: async (call) => {
    const counts = await ask(call, { do: 'planStatus' })
    if (call.wantsJson) printJson(counts)
    else print(`${renderCounts(counts)}\n`)
  },
}
