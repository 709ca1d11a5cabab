import { styleText } from 'node:util'
import { agentReadiness, openStoreContext } from '../compose.ts'
import { findPlace } from '../config/paths/place.ts'
import { examine, type Finding } from '../operations/doctor.ts'
import { checkoutOf } from './run/build-context.ts'
import type { Command } from './command.ts'
import { print, printJson } from './output.ts'

export const doctor: Command = {
  usage: 'doctor',
  who: 'anyone',
  about: 'Checks git, node, the store, ralph.toml, checks, agents and sandbox; each failing line says its mend.',
  flags: [],
  wordsMax: 0,
  run: async (call) => {
    // Like a build, from the root of the checkout, wherever in it the command is called.
    const folder = checkoutOf(call)
    const findings = await examine({
      folder,
      env: call.env,
      openStore: async () => {
        const { store } = await openStoreContext(call.folder, call.env)
        store.close()
        return findPlace(call.folder, call.env).storePath
      },
      readiness: (config, name) => agentReadiness(folder, call.env, config, name),
    })
    const failed = findings.filter((finding) => finding.state === 'failed')
    if (failed.length > 0) process.exitCode = 1
    if (call.wantsJson) return printJson({ ok: failed.length === 0, findings })
    print(findings.map(line).join(''))
    print(failed.length === 0 ? '\nReady.\n' : `\n${failed.length} to mend.\n`)
  },
}

const marks = { ok: 'ok      ', warning: 'warning ', failed: 'FAILED  ' } as const
const colours = { ok: 'green', warning: 'yellow', failed: 'red' } as const

function line({ what, state, detail, mend }: Finding): string {
  const mark = styleText(colours[state], marks[state])
  return `${mark}${what.padEnd(15)} ${detail}\n${mend === undefined ? '' : `${' '.repeat(24)}→ ${mend}\n`}`
}
