// The file that is loaded into every Node program of a run. Test runners read their settings from their arguments, so
// it adds some to theirs: a reporter that names the tests, and what the options of the run ask for. Programs that a
// runner starts see the environment without it: a runner that a test starts is part of that test.
import type { ChannelTerms } from './terms.ts'

export function preloadText(terms: ChannelTerms): string {
  return `'use strict'\nconst terms = ${JSON.stringify(terms)}\n${program}`
}

const program = `const fs = require('node:fs')
const path = require('node:path')
const write = fs.appendFileSync
const say = (runner, event) => {
  try {
    write(terms.log, JSON.stringify({ n: terms.nonce, p: process.pid, r: runner, e: event }) + '\\n')
  } catch {}
}
const program = path.basename(process.argv[1] || '')
const words = process.argv.slice(2)
const has = (...flags) => words.some((word) => flags.some((flag) => word === flag || word.startsWith(flag + '=')))
const add = (...flags) => {
  const end = process.argv.indexOf('--')
  process.argv.splice(end < 2 ? process.argv.length : end, 0, ...flags)
}
/** The tests that the options name, as this program would; none where its own arguments may name some already. */
const filesFor = (commands, withValue) => {
  const own = words.some((word, at) => {
    if (word.startsWith('-') || (at === 0 && commands.includes(word))) return false
    return !withValue.includes(words[at - 1])
  })
  if (own) return []
  const here = terms.only.map((file) => path.relative(process.cwd(), path.join(terms.folder, file)))
  return here.filter((file) => !file.startsWith('..') && fs.existsSync(file))
}
const narrow = (runner, at, lead, files) => {
  if (files.length === 0) return
  process.argv.splice(at, 0, ...lead, ...files)
  say(runner, 'narrowed')
}

function vitest() {
  if (has('list', 'init', 'bench')) return
  const commands = ['run', 'watch', 'dev']
  const withValue = ['-c', '--config', '-r', '--root', '--dir', '--reporter', '--project', '-t', '--testNamePattern', '--environment', '--pool', '--outputFile', '--mode']
  const files = has('related', '--changed') ? [] : filesFor(commands, withValue)
  if (!has('--reporter')) add('--reporter=verbose')
  add('--reporter=' + terms.reporters.vitest)
  if (terms.stop && !has('--bail')) add('--bail=1')
  narrow('vitest', commands.includes(words[0]) ? 3 : 2, [], files)
}

function jest() {
  if (has('--listTests', '--init', '--showConfig', '--clearCache')) return
  const withValue = ['-c', '--config', '--rootDir', '--reporters', '-t', '--testNamePattern', '-w', '--maxWorkers', '--selectProjects', '--env', '--testEnvironment', '--outputFile']
  const chosen = has('--findRelatedTests', '--onlyChanged', '-o', '--changedSince', '--lastCommit', '--onlyFailures', '-f')
  const named = has('--runTestsByPath', '--testPathPattern', '--testPathPatterns')
  const files = chosen || named ? [] : filesFor([], withValue)
  if (!has('--reporters', '--json', '--verbose', '--silent')) add('--verbose')
  // Reporters in the arguments replace those of the settings.
  if (!has('--reporters') && hasReporters()) say('jest', 'quiet')
  else add(...(has('--reporters') ? [] : ['--reporters=default']), '--reporters=' + terms.reporters.jest)
  if (terms.stop && !has('--bail', '-b')) add('--bail')
  narrow('jest', 2, ['--runTestsByPath'], files)
}

function mocha() {
  const withValue = ['-r', '--require', '-R', '--reporter', '-O', '--reporter-option', '-u', '--ui', '-t', '--timeout', '--config', '--import']
  const files = has('--spec', '--file', '--config', '--package') || hasSpecs() ? [] : filesFor([], withValue)
  if (terms.stop && !has('--bail', '-b')) add('--bail')
  add('--require=' + terms.reporters.mocha)
  narrow('mocha', 2, [], files)
}

const read = (file) => {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** In the settings of jest, which may be a program: so the word is enough. */
function hasReporters() {
  const at = words.findIndex((word) => word === '-c' || word === '--config')
  const named = words.filter((word) => word.startsWith('--config=')).map((word) => word.slice('--config='.length))
  const usual = ['js', 'ts', 'mjs', 'cjs', 'mts', 'cts', 'json'].map((ending) => 'jest.config.' + ending)
  const settings = [...usual, ...named, ...(at < 0 ? [] : [words[at + 1]])].map(read)
  const own = /"jest"\\s*:[^]*/.exec(read('package.json'))
  return [...settings, ...(own || [])].some((text) => /\\breporters\\b/.test(text))
}

/** mocha adds the specs of its settings to those of its arguments. */
function hasSpecs() {
  const endings = ['js', 'cjs', 'mjs', 'yaml', 'yml', 'json', 'jsonc']
  const settings = endings.map((ending) => read('.mocharc.' + ending)).join('\\n')
  return /\\bspec\\b/.test(settings) || /"mocha"\\s*:[^]*"spec"/.test(read('package.json'))
}

/** Each argument is a pattern. A test may exit before the reporter is loaded, so it does not say by itself that it starts. */
function nodeTest() {
  if (terms.reporters.isInEnvironment || isOurs) say('node:test', 'start')
  const plain = terms.only.every((file) => !/[[\\]{}()*?!+@]/.test(file))
  if (process.argv.length === 1 && plain) narrow('node:test', 1, [], filesFor([], []))
}

/** Where the environment cannot name our reporter, because the arguments name one without its destination. */
function startAgain() {
  const given = (flag) => process.execArgv.filter((word) => word === flag || word.startsWith(flag + '=')).length
  const isAlone = given('--test-reporter') === 1 && given('--test-reporter-destination') === 0
  const own = [...process.execArgv, ...(isAlone ? ['--test-reporter-destination=stdout'] : []), ...terms.reporters.nodeTest]
  const { spawnSync } = require('node:child_process')
  const { status, signal } = spawnSync(process.execPath, [...own, ...process.argv.slice(1)], { stdio: 'inherit' })
  if (signal !== null) process.kill(process.pid, signal)
  process.exit(status === null ? 1 : status)
}

const runners = { vitest, 'vitest.mjs': vitest, jest, 'jest.js': jest, mocha, 'mocha.js': mocha, _mocha: mocha }
const isOwnTest = process.execArgv.includes('--test')
const isFirst = require('node:worker_threads').isMainThread && process.env.NODE_TEST_CONTEXT === undefined
const isNamed = process.execArgv.some((word) => /^--test-reporter(?:=|$)/.test(word))
const isOurs = process.execArgv.includes(terms.reporters.nodeTest[0])
if (isFirst && isNamed && !isOurs && !terms.reporters.isInEnvironment) startAgain()
const runner = isOwnTest ? nodeTest : Object.hasOwn(runners, program) ? runners[program] : null
if (runner !== null && isFirst) {
  const { NODE_OPTIONS: options } = process.env
  if (options !== undefined) {
    const rest = options.replace(terms.options, '').replace(terms.preload, '').trim()
    if (rest === '') delete process.env.NODE_OPTIONS
    else process.env.NODE_OPTIONS = rest
  }
  runner()
}
`
