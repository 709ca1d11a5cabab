// An engine that listens and ends: `listener-program.ts ROOT exit|SIGKILL`.
import { openSockets } from '../../src/socket/unix-sockets.ts'

const [root = '', how] = process.argv.slice(2)
const socket = await openSockets(['ralph'], root).open(async () => null)
// Nothing awaits the sweep, so give it time.
await new Promise((resolve) => setTimeout(resolve, 100))
if (how === 'SIGKILL') process.kill(process.pid, 'SIGKILL')
await socket.close()
