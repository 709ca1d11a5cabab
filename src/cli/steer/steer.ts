// Steering a build from any terminal.
import { type BuildMove, moveBuild } from '../../operations/builds/builds.ts'
import type { Command } from '../command.ts'
import { print, printError, printJson } from '../output.ts'
import { openExistingContext } from '../run/build-context.ts'

function steering(move: BuildMove, done: string, about: string, next: string): Command {
  return {
    usage: `${move} [BUILD]`,
    who: 'operator',
    about,
    flags: [],
    wordsMax: 1,
    run: async (call) => {
      const build = await moveBuild(await openExistingContext(call), move, call.words[0])
      if (call.wantsJson) return printJson({ sessionId: build.id, state: build.state })
      print(`${done} ${build.id}\n`)
      printError(`${next}\n`)
    },
  }
}

export const pause = steering(
  'pause',
  'paused',
  'Lets the running loop end what it is doing, and begin nothing more.',
  "A running loop ends what it is doing; 'ralph build' goes on.",
)
export const resume = steering(
  'resume',
  'resumed',
  "Takes a pause back, so that loops may work on the build again; 'ralph build' starts one.",
  "'ralph build' goes on with it.",
)
export const abort = steering(
  'abort',
  'aborted',
  'Stops the running agent at once and ends the build. What was merged stays in its branch.',
  "Its branch and all work are kept; 'ralph build' starts a new build over the tasks that are left, from HEAD.",
)
