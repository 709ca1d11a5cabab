#!/usr/bin/env node
// Starts the program, which needs Node 24. This file itself has to run on every Node since 18, and each command pays for
// what happens here first: the straight way to the program imports nothing.

const NODE_MAJOR_MIN = 24

if (Number.parseInt(process.versions.node, 10) >= NODE_MAJOR_MIN) await start()
else await startOnOwnNode()

async function start() {
  // Kept beside the program, so that only who could change the program can change its cache. Node's default is a folder in
  // the /tmp that everybody writes to. Where this one cannot be written, a start costs 3 ms more.
  const { enableCompileCache } = process.getBuiltinModule('node:module')
  enableCompileCache(`${import.meta.dirname}/../node_modules/.cache/ralph`)
  const program = import.meta.resolve('../dist/cli.js')
  try {
    await import(program)
  } catch (error) {
    if (error?.code !== 'ERR_MODULE_NOT_FOUND' || error.url !== program) throw error
    await failUnbuilt()
  }
}

// A checkout brings its own Node 24 as a dependency; a global install does not.
async function startOnOwnNode() {
  const { existsSync, realpathSync } = await import('node:fs')
  const { fileURLToPath } = await import('node:url')
  const path = (relative) => fileURLToPath(new URL(relative, import.meta.url))

  const node = path('../node_modules/node/bin/node')
  // Being run by that very Node and still too old, another start would only come back here.
  if (existsSync(node) && realpathSync(node) !== process.execPath) return runAs(node, path('ralph.js'))
  if (!existsSync(path('../dist/cli.js'))) return failUnbuilt()
  fail(
    `Ralph needs Node ${NODE_MAJOR_MIN} or newer and this is Node ${process.versions.node}; ` +
      `install a newer one, or start it with 'npx -y node@${NODE_MAJOR_MIN} ${path('ralph.js')}'`,
  )
}

/** The other process takes this one's place as far as anyone outside can tell: arguments, streams, signals, exit. */
async function runAs(node, script) {
  const { spawn } = await import('node:child_process')
  const { constants } = await import('node:os')

  // What a terminal sends (Ctrl+C, hang-up) goes to all processes in its foreground, so the child has it already; twice
  // would mean "kill at once". Asked now, because after a hang-up there is no terminal to be found any more.
  const fromTerminal = (await hasTerminal()) ? ['SIGINT', 'SIGHUP'] : []
  const child = spawn(node, [script, ...process.argv.slice(2)], { stdio: 'inherit' })
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, () => fromTerminal.includes(signal) || child.kill(signal))

  child.on('error', (error) => fail(`Ralph cannot start ${node} (${error.message}); run 'npm install' again`))
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + constants.signals[signal]
    if (signal === null) return
    for (const name of signals) process.removeAllListeners(name)
    process.kill(process.pid, signal)
  })
}

async function hasTerminal() {
  const { closeSync, openSync } = await import('node:fs')
  try {
    closeSync(openSync('/dev/tty', 'r'))
    return true
  } catch {
    return false
  }
}

async function failUnbuilt() {
  const { fileURLToPath } = await import('node:url')
  fail(`Ralph is not built yet; run 'npm install' in ${fileURLToPath(new URL('..', import.meta.url))}`)
}

function fail(sentence) {
  process.stderr.write(`Error: ${sentence}\n`)
  process.exitCode = 1
}
