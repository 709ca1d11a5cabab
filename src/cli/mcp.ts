import { askEngine, openStoreContext } from '../compose.ts'
import { answerFromStore } from '../operations/tasks/tasks.ts'
import type { Call, Command } from './command.ts'
import { AGENT_FLAG, speakerOf } from './task/task-store.ts'
import { VERSION } from './version.ts'

export const mcp: Command = {
  usage: 'mcp [--socket PATH] [--agent ID]',
  who: 'anyone',
  about:
    "Serves Ralph's tools to an agent or an editor, as MCP on stdio. Without an engine's socket they work on the tasks of this repository.",
  flags: [
    {
      long: 'socket',
      takes: 'value',
      value: 'PATH',
      about: 'of the engine whose iteration this is; default: RALPH_SOCKET',
    },
    AGENT_FLAG,
  ],
  wordsMax: 0,
  run: async (call) => {
    const { serveMcp } = await import('../mcp/serve.ts')
    const socket = call.flags.get('socket') ?? call.env['RALPH_SOCKET'] ?? ''
    await serveMcp((request) => (socket === '' ? askStore(call, request) : askEngine(socket, request)), VERSION)
  },
}

type Asked = Parameters<typeof answerFromStore>[2]

/** Opened for each call: meanwhile the user may change to another branch, which has other tasks. */
async function askStore<Request extends Asked>(call: Call, request: Request) {
  const { store, scope } = await openStoreContext(call.folder, call.env)
  try {
    return await answerFromStore({ store, scope, now: Date.now }, speakerOf(call), request)
  } finally {
    store.close()
  }
}
