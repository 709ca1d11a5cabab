// What a long session of Claude Code prints: words, commands, and above all what tools gave back, which is in each line
// twice, as the model sees it and as the CLI keeps it.
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'

export const FINAL_MESSAGE = 'All is done.\n\nTASK_COMPLETE'

export interface Planted {
  readonly bytes: number
  readonly lines: number
  readonly tools: number
}

/** Lines of source code, some of them not plain ASCII. */
const SOURCE = Array.from(
  { length: 2_000 },
  (_, at) => `export const value${at} = "${at % 40 === 0 ? 'größe ✓' : 'x'}" // ${at}\n`,
)

/** Characters of a tool's result, in turn: commands answer briefly, files are long. */
const SIZES = [400, 3_000, 800, 60_000, 1_500, 12_000, 300, 6_000]

export async function plantTranscript(path: string, bytesMin: number): Promise<Planted> {
  const file = createWriteStream(path)
  const put = async (record: unknown): Promise<number> => {
    const line = `${JSON.stringify(record)}\n`
    if (!file.write(line)) await once(file, 'drain')
    return Buffer.byteLength(line)
  }
  let bytes = await put({ type: 'system', subtype: 'init', tools: [], mcp_servers: [] })
  let tools = 0
  for (; bytes < bytesMin; tools += 1) for (const record of turn(tools)) bytes += await put(record)
  bytes += await put(RESULT)
  file.end()
  await finished(file)
  return { bytes, lines: 2 + tools * turn(0).length, tools }
}

function turn(at: number): readonly unknown[] {
  const message = (content: unknown): unknown => ({
    type: 'assistant',
    message: { id: `msg_${at}`, model: 'm', content: [content], usage: { input_tokens: 9_000, output_tokens: 1 } },
    parent_tool_use_id: null,
    uuid: `00000000-0000-0000-0000-${String(at).padStart(12, '0')}`,
  })
  const size = SIZES[at % SIZES.length] ?? 0
  const output = SOURCE.slice(at % 500)
    .join('')
    .slice(0, size)
  return [
    message({ type: 'text', text: `Step ${at}: ${SOURCE.slice(0, 8).join('')}` }),
    message({
      type: 'tool_use',
      id: `toolu_${at}`,
      name: 'Bash',
      input: { command: `sed -n ${at}p file.ts`, description: 'Looks' },
    }),
    {
      type: 'user',
      message: {
        role: 'user',
        content: [{ tool_use_id: `toolu_${at}`, type: 'tool_result', content: output, is_error: false }],
      },
      parent_tool_use_id: null,
      tool_use_result: { stdout: output, stderr: '', interrupted: false, isImage: false },
    },
  ]
}

const RESULT = {
  type: 'result',
  subtype: 'success',
  is_error: false,
  num_turns: 3,
  result: FINAL_MESSAGE,
  total_cost_usd: 1,
  usage: { input_tokens: 1, output_tokens: 1 },
  permission_denials: [],
}
