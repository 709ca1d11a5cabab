import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type InProcess, sharedInProcess } from '../rig/in-process.ts'
import { type Ended, printed, scratch } from '../rig/scratch.ts'

const commands = {
  create: 'task create ID TITLE [-p N]',
  peek: 'task peek [-n 5]',
  claim: 'task claim [ID] [--lease 600] [--agent ID]',
  renew: 'task renew ID [--lease 600] [--agent ID]',
  done: 'task done ID [--result JSON] [--agent ID]',
  fail: 'task fail ID [--reason TEXT] [--agent ID]',
  list: 'task list [--status a,b] [--all] [--assignee ID] [--markdown]',
  show: 'task show ID [--with-deps]',
  update: 'task update ID [-t TITLE]',
  delete: 'task delete ID | --status a,b | --all --confirm',
  deps: 'task deps ID',
  block: 'task block ID --by ID',
  unblock: 'task unblock ID --by ID',
  'plan-sync': 'task plan-sync < PLAN.jsonl',
  'plan-status': 'task plan-status',
  'agent register': 'task agent register [--pid PID]',
  'agent list': 'task agent list',
  'agent deregister': 'task agent deregister ID',
} as const

let standing: InProcess
beforeAll(() => {
  standing = sharedInProcess()
  return standing.remove
})
const ralph = (...args: string[]): Promise<Ended> => standing.ralph(args, { folder: standing.root })

it('the program that users start prints the same', async () => {
  const { root, ralph: started } = scratch()
  for (const args of [['--help'], ['task', 'claim', '--help', '--json'], ['--version'], ['task', 'blokc'], ['tsk']])
    expect(started(args, { folder: root })).toEqual(await ralph(...args))
})

describe('help', () => {
  it('of ralph, asked for in any way, needs no repository', async () => {
    const { code, stdout, stderr } = await ralph()
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^ralph: .*\n\nUsage: ralph COMMAND …\n/)
    for (const args of [['--help'], ['-h'], ['help']]) expect(await ralph(...args)).toEqual({ code, stdout, stderr })
  })

  it('of ralph task names every command', async () => {
    const { code, stdout, stderr } = await ralph('task', '--help')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const command of Object.keys(commands)) expect(stdout).toMatch(new RegExp(`\\b${command.split(' ')[0]}\\b`))
    for (const args of [
      ['task', '-h'],
      ['task', 'help'],
      ['help', 'task'],
    ])
      expect(await ralph(...args)).toEqual({ code, stdout, stderr })
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(110)
  })

  it.each(Object.entries(commands))('of %s says how it is called and what its flags mean', async (command, usage) => {
    const { code, stdout, stderr } = await ralph('task', ...command.split(' '), '--help')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const [first = '', , about = '', , ...flags] = stdout.trimEnd().split('\n')
    expect(first.slice(0, `Usage: ralph ${usage}`.length)).toBe(`Usage: ralph ${usage}`)
    expect(about).toMatch(/^[A-Z].*[.]$/)
    for (const flag of flags) expect(flag).toMatch(/^ {2}(-\w, | {4})--[a-z-]+( [A-Z_,]+)? {3,}\S/)
    expect(flags.slice(-3).map((flag) => flag.trim().split(/ {2,}/)[0])).toEqual(['--json', '--debug', '-h, --help'])
  })

  it('of one command, asked for as git does', async () => {
    expect(await ralph('help', 'task', 'claim')).toEqual(await ralph('task', 'claim', '--help'))
    expect(await ralph('task', 'help', 'claim')).toEqual(await ralph('task', 'claim', '--help'))
    expect((await ralph('task', 'agent', '--help')).stdout).toMatch(/^Usage: ralph task agent COMMAND\n/)
  })

  it('is a document with --json', async () => {
    for (const args of [['--help'], ['task', '--help'], ['task', 'claim', '--help']]) {
      const text = (await ralph(...args)).stdout.trimEnd()
      expect(JSON.parse((await ralph(...args, '--json')).stdout)).toEqual({ help: text })
    }
  })
})

it('ralph --version', async () => {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'))
  expect(await ralph('--version')).toEqual(printed(`${version}\n`))
  expect(await ralph('-V')).toEqual(printed(`${version}\n`))
  expect(JSON.parse((await ralph('--version', '--json')).stdout)).toEqual({ version })
})

describe('a word that is no command', () => {
  const TASK = 'Usage: ralph task COMMAND …   (ralph task --help lists them)\n'
  const ALL = 'Usage: ralph COMMAND …   (ralph --help lists them)\n'
  it.each([
    [['tsk'], `Error: unknown command tsk; did you mean 'task'? [RALPH_COMMAND_UNKNOWN]\n${ALL}`],
    [['frobnicate'], `Error: unknown command frobnicate [RALPH_COMMAND_UNKNOWN]\n${ALL}`],
    [['--frob'], `Error: unknown flag --frob [RALPH_FLAG_UNKNOWN]\n${ALL}`],
    [['task'], `Error: missing command\n${TASK}`],
    [['task', 'blokc'], `Error: unknown command blokc; did you mean 'block'?\n${TASK}`],
    [['task', 'plan'], `Error: unknown command plan; did you mean 'plan-sync'?\n${TASK}`],
    [['task', 'frobnicate'], `Error: unknown command frobnicate\n${TASK}`],
    [['task', 'constructor'], `Error: unknown command constructor\n${TASK}`],
    [['task', ''], `Error: unknown command \n${TASK}`],
    [['task', '--frob', 'list'], `Error: unknown flag --frob\n${TASK}`],
  ])('%j', async (args, stderr) => {
    expect(await ralph(...args)).toEqual({ code: 1, stdout: '', stderr })
  })
})
