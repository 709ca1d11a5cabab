// Steering a build from any terminal.
import { type BuildMove, moveBuild } from '../../operations/builds.ts'
import type { Command } from '../command.ts'
import { print, printJson } from '../output.ts'
import { openBuildDesk } from './desk.ts'

function steering(move: BuildMove, done: string, about: string): Command {
  return {
    usage: `${move} [BUILD]`,
    about,
    flags: [],
    wordsMax: 1,
    run: async (call) => {
      const build = await moveBuild(await openBuildDesk(call), move, call.words[0])
      if (call.wantsJson) printJson({ id: build.id, state: build.state })
      else print(`${done} ${build.id}\n`)
    },
  }
}

export const pause = steering('pause', 'paused', 'Lets the running loop end what it is doing, and begin nothing more.')
export const resume = steering('resume', 'resumed', "Takes the pause back; 'ralph build' goes on with the build.")
export const abort = steering('abort', 'aborted', 'Stops the running agent at once and ends the build.')
