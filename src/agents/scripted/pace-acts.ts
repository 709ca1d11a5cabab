import { setTimeout as sleep } from 'node:timers/promises'
import { finalMessage, type Acts, type Stage } from './player-context.ts'

/** A timer, so that the process stays; the longest that Node takes. */
const FOR_EVER_MS = 2_147_483_647

export const paceActs: Acts<'sleep' | 'hang' | 'linger' | 'crash' | 'fail'> = {
  sleep: (ms) => sleep(ms),
  hang: ({ ignoreSigterm = false }, stage) => {
    if (ignoreSigterm) ignore(stage)
    return hang()
  },
  linger: ({ ignoreSigterm = false }, stage) => {
    stage.voice.finalMessage(finalMessage(stage))
    if (ignoreSigterm) ignore(stage)
    return hang()
  },
  crash: (how) => {
    if ('code' in how) return how.code
    process.kill(process.pid, how.signal)
    return hang()
  },
  fail: ({ kind, sentence, untilInSeconds }, { voice }) => {
    const until = untilInSeconds === undefined ? null : Date.now() + untilInSeconds * 1000
    voice.failure({ kind, sentence, until })
    return 1
  },
}

/** Says so: who wants to see it ignored must wait until it is. */
function ignore({ voice }: Stage): void {
  process.on('SIGTERM', () => {})
  voice.event({ type: 'text', text: 'SIGTERM is ignored' })
}

function hang(): Promise<never> {
  return new Promise(() => {
    setInterval(() => {}, FOR_EVER_MS)
  })
}
