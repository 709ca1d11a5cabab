// A chat-completions API, as most servers of open models speak it.
import { chatRefusal, chatRefusalPart } from './chat-faults.ts'
import { readChat } from './chat-read.ts'
import { chatEvents, wholeChat } from './chat-write.ts'
import type { Wire } from './wire.ts'

export const chatWire: Wire = {
  read: (path, body) => (path.endsWith('/chat/completions') ? { ask: readChat(body) } : null),
  whole: wholeChat,
  stream: chatEvents,
  refusal: chatRefusal,
  refusalPart: chatRefusalPart,
}
