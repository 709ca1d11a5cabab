// A short tour of the task store, in a new repository. It calls the real program, and an unexpected answer ends the tour
// with exit code 1.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const RALPH = join(import.meta.dirname, '../bin/ralph.js')
const PLAN_FILE = 'plan.jsonl'

interface Chapter {
  readonly title: string
  readonly text: readonly string[]
  readonly steps: readonly Step[]
}

interface Step {
  readonly words: readonly string[]
  /** Read from PLAN_FILE on stdin. */
  readonly input?: string
  /** What it prints, on stdout or stderr; a time is written as TIME. */
  readonly prints: string
  readonly exit: number
}

const plan = [
  { id: 'expiry', t: 'Let a link expire after 30 days', p: 1, cat: 'api', spec: 'expiry', deps: ['api'] },
  { id: 'sweep', t: 'Delete expired links every night', cat: 'database', spec: 'expiry', deps: ['expiry'] },
  { id: 'limits', t: 'Say in the terms how long a link lives', spec: 'expiry' },
]
  .map((line) => `${JSON.stringify(line)}\n`)
  .join('')

function chapters(commit: string): Chapter[] {
  return [planning(), claiming(), finishing(commit), givingBack(), syncing()]
}

function planning(): Chapter {
  return {
    title: 'Three tasks',
    text: [
      'A task has an id, a title and a priority (0 comes first, 2 is the default). The API needs its table first, so it',
      'is blocked by it. peek shows what can be claimed now, best first: the API is not there yet.',
    ],
    steps: [
      step(['create', 'table', 'Create the links table', '-p', '1', '-c', 'database'], 'table\n'),
      step(
        ['create', 'api', 'Answer POST /links', '-p', '1', '-s', '["write a failing test","make it pass"]'],
        'api\n',
      ),
      step(['create', 'readme', 'Show the API in the README'], 'readme\n'),
      step(['block', 'api', '--by', 'table'], 'blocked api by table\n'),
      step(
        ['peek'],
        `${card('table', 'Create the links table', ['priority: 1', 'status: open', 'category: database'])}
${card('readme', 'Show the API in the README', ['priority: 2', 'status: open'])}`,
      ),
    ],
  }
}

function claiming(): Chapter {
  const table = ['priority: 1', 'status: active', 'category: database', ...heldLines('ada', 0)]
  const readme = ['priority: 2', 'status: active', ...heldLines('bo', 0)]
  return {
    title: 'Two agents, no task twice',
    text: [
      'Any number of agents, each a process of its own, share the store; no task is ever given to two of them. A claim',
      'lasts for a lease of ten minutes, which `ralph task renew` extends. If the agent dies, the lease runs out and the',
      'task can be claimed again.',
    ],
    steps: [
      step(['claim', '--agent', 'ada'], card('table', 'Create the links table', table)),
      step(['claim', '--agent', 'bo'], card('readme', 'Show the API in the README', readme)),
      step(['claim', '--agent', 'cy'], 'Error: No eligible tasks\n', 2),
    ],
  }
}

function finishing(commit: string): Chapter {
  const result = JSON.stringify({ commit })
  const api = ['priority: 1', 'status: active', ...heldLines('ada', 0), 'deps: table']
  const lists = ['steps:', '- write a failing test', '- make it pass', 'blocker_results:', `- table: ${result}`]
  return {
    title: 'Done, and handed on',
    text: [
      'A finished task frees those that waited for it. It can leave a result, such as its commit, and who claims one of',
      'them finds it under blocker_results.',
    ],
    steps: [
      step(['done', 'table', '--agent', 'ada', '--result', result], 'done table\n'),
      step(['claim', '--agent', 'ada'], card('api', 'Answer POST /links', [...api, ...lists])),
    ],
  }
}

function givingBack(): Chapter {
  const readme = ['priority: 2', 'status: active', ...heldLines('bo', 1)]
  return {
    title: 'Failed, and tried again',
    text: ['An agent that gets nowhere gives its task back. The task is open again, and its retry_count has grown.'],
    steps: [
      step(['fail', 'readme', '--agent', 'bo', '--reason', 'there is no API to show yet'], 'failed readme\n'),
      step(['claim', '--agent', 'bo'], card('readme', 'Show the API in the README', readme)),
    ],
  }
}

function syncing(): Chapter {
  return {
    title: 'A whole plan at once',
    text: [
      'A plan is a file with a task a line. plan-sync takes over what is new, changed or gone, and leaves the rest alone:',
      'the second time it finds nothing to do.',
      '',
      command(['cat', PLAN_FILE]),
      plan.trimEnd(),
    ],
    steps: [
      { ...step(['plan-sync'], 'inserted: 3, updated: 0, deleted: 0, skipped (done): 0\n'), input: plan },
      { ...step(['plan-sync'], 'inserted: 0, updated: 0, deleted: 0, skipped (done): 0\n'), input: plan },
      step(['plan-status'], '1 open, 2 active, 1 done, 2 blocked, 0 deleted\n'),
    ],
  }
}

function step(words: readonly string[], prints: string, exit = 0): Step {
  return { words: ['task', ...words], prints, exit }
}

/** A task as peek and claim print it. */
function card(id: string, title: string, rest: readonly string[]): string {
  return [`## Task ${id}`, `id: ${id}`, `title: ${title}`, ...rest, ''].join('\n')
}

function heldLines(agent: string, retries: number): string[] {
  return [`assignee: ${agent}`, 'lease_expires_at: TIME', `retry_count: ${retries}`]
}

// The reader is gone, as with `| head`.
process.stdout.on('error', () => process.exit(0))
try {
  tour(mkdtempSync(join(tmpdir(), 'ralph-tour-')))
} catch (error) {
  process.stderr.write(`\nError: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}

function tour(folder: string): void {
  const commit = makeRepository(folder)
  writeFileSync(join(folder, PLAN_FILE), plan)
  show(
    'Ralph hands work to coding agents from a task store inside the git repository. This tour makes a new repository in',
  )
  show('a temp folder and shows the store at work; it touches nothing else on this machine.')
  for (const [index, { title, text, steps }] of chapters(commit).entries()) {
    show(`\n${strong(`${index + 1}. ${title}`)}\n${text.join('\n')}`)
    for (const one of steps) take(one, folder)
  }
  show(`\n${strong('Now you')}\n${farewell(folder)}`)
}

function farewell(folder: string): string {
  return `The repository is still there, as ada and bo left it. Go on from here:

  cd ${quoted(folder)}
  alias ralph=${quoted(RALPH)}
  ralph task list                    everything, as a table
  ralph task show readme             one task, and why it failed
  ralph task deps sweep              what it waits for, as a tree
  ralph task done api                then 'ralph task peek' shows what that freed
  ralph task --help                  all commands; --json makes their answers documents for scripts

When you have seen enough: rm -rf ${quoted(folder)}`
}

/** Shows one command with its answer, and refuses any but the expected one. */
function take({ words, input, prints, exit }: Step, folder: string): void {
  const typed = `ralph ${words.map(quoted).join(' ')}`
  show(`\n${command(['ralph', ...words], input === undefined ? '' : ` < ${PLAN_FILE}`)}`)
  const { status, stdout, stderr } = run(folder, process.execPath, [RALPH, ...words], input)
  process.stdout.write(stdout + stderr)
  if (exit !== 0) show(`(exit code ${status})`)
  const printed = (stdout + stderr).replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, 'TIME')
  if (printed !== prints) throw new Error(`'${typed}' in ${folder} should have printed this:\n${prints}`)
  if (status !== exit) throw new Error(`'${typed}' in ${folder} ended with exit code ${status} and not ${exit}`)
}

/** A repository with one commit, whose id it answers. */
function makeRepository(folder: string): string {
  const git = (...words: readonly string[]): string => {
    const { status, stdout, stderr } = run(folder, 'git', words)
    if (status !== 0) throw new Error(`git ${words[0]} failed: ${stderr}`)
    return stdout.trim()
  }
  git('init', '--quiet', '--initial-branch=main')
  const author = ['-c', 'user.name=Ralph', '-c', 'user.email=ralph@localhost', '-c', 'commit.gpgSign=false']
  git(...author, 'commit', '--quiet', '--allow-empty', '--message', 'start')
  return git('rev-parse', '--short', 'HEAD')
}

function run(folder: string, program: string, words: readonly string[], input = '') {
  // Nothing of the caller's own Ralph or git may lead the tour elsewhere.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(RALPH|GIT)_/.test(name)))
  const ended = spawnSync(program, words, { cwd: folder, env, input, encoding: 'utf8' })
  if (ended.error !== undefined) throw new Error(`cannot start ${program} (${ended.error.message}); is it installed?`)
  return ended
}

function command(words: readonly string[], rest = ''): string {
  return coloured(36, `$ ${words.map(quoted).join(' ')}${rest}`)
}

/** As it would be typed in a shell. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

function strong(text: string): string {
  return coloured(1, text)
}

function coloured(code: number, text: string): string {
  const wanted = process.stdout.isTTY && !process.env['NO_COLOR']
  return wanted ? `\u001B[${code}m${text}\u001B[0m` : text
}

function show(text: string): void {
  process.stdout.write(`${text}\n`)
}
