// The engine's side: a Unix socket for each session. A session costs only a listener; the folder is made once.
import { randomBytes } from 'node:crypto'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { refuse } from '../core/error/error.ts'
import { errnoOf } from '../system/errno.ts'
import { boundedLines } from './bounded-lines.ts'
import {
  makePrivateFolder,
  type PrivateFolder,
  removeLeftovers,
  SOCKET_NAME_LENGTH,
  socketRoot,
} from './private-folder.ts'
import type { OpenSocket, Sockets } from './socket.ts'
import { answerLine, CONNECTIONS_MAX, refusalLine, REQUEST_BYTES_MAX } from './wire.ts'

type Answer = (request: unknown) => Promise<unknown>

/** `ralph`: the argv that starts this program. */
export function openSockets(ralph: readonly string[], root = socketRoot()): Sockets {
  let made: Promise<PrivateFolder> | null = null
  const folder = (): Promise<PrivateFolder> => {
    if (made !== null) return made
    void removeLeftovers(root)
    made = makePrivateFolder(ralph, root)
    // The next session tries again.
    made.catch(() => (made = null))
    return made
  }
  return {
    open: async (answer) => {
      try {
        return await openIn(await folder(), ralph, answer)
      } catch (error) {
        throw refuse('SOCKET_UNOPENED', { folder: root, reason: errnoOf(error) }, error)
      }
    },
  }
}

async function openIn(folder: PrivateFolder, ralph: readonly string[], answer: Answer): Promise<OpenSocket> {
  const path = join(folder.path, randomBytes(SOCKET_NAME_LENGTH / 2).toString('hex'))
  const conversations = new Map<Socket, Promise<void>>()
  // A tool may close its half right after asking, and still gets the answer.
  const server = createServer({ allowHalfOpen: true }, (connection) => {
    conversations.set(connection, converse(connection, answer))
    connection.once('close', () => conversations.delete(connection))
  })
  server.maxConnections = CONNECTIONS_MAX
  await listening(server, path)
  const close = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve))
    const last = [...conversations.values()]
    for (const connection of conversations.keys()) connection.destroy()
    await Promise.all([closed, ...last])
  }
  return { path, commands: folder.commands, ralph, close }
}

function listening(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, () => {
      server.removeListener('error', reject)
      // A connection that cannot be accepted affects only that tool.
      server.on('error', () => {})
      resolve()
    })
  })
}

/** One request after the other. A connection that sends too long a line gets a refusal and is closed. */
async function converse(connection: Socket, answer: Answer): Promise<void> {
  connection.on('error', () => {})
  try {
    for await (const line of boundedLines(connection as AsyncIterable<Buffer>, REQUEST_BYTES_MAX)) {
      await writeText(connection, line === null ? refusalLine(tooLong()) : await answerLine(line, answer))
    }
    connection.end()
  } catch {
    connection.destroy()
  }
}

function tooLong(): Error {
  return refuse('REQUEST_BAD', { problem: `it is longer than ${REQUEST_BYTES_MAX} bytes` })
}

function writeText(connection: Socket, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.write(text, (error) => (error == null ? resolve() : reject(error)))
  })
}
