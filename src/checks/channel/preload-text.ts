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
  if (terms.stop && !has('--bail', '-b')) add('--bail')
  narrow('jest', 2, ['--runTestsByPath'], files)
}

function mocha() {
  const withValue = ['-r', '--require', '-R', '--reporter', '-O', '--reporter-option', '-u', '--ui', '-t', '--timeout', '--config', '--import']
  const files = has('--spec', '--file', '--config', '--package') || hasSpecs() ? [] : filesFor([], withValue)
  if (terms.stop && !has('--bail', '-b')) add('--bail')
  narrow('mocha', 2, [], files)
}

/** mocha adds the specs of its settings to those of its arguments. */
function hasSpecs() {
  const read = (file) => {
    try {
      return fs.readFileSync(file, 'utf8')
    } catch {
      return ''
    }
  }
  const endings = ['js', 'cjs', 'mjs', 'yaml', 'yml', 'json', 'jsonc']
  const settings = endings.map((ending) => read('.mocharc.' + ending)).join('\\n')
  return /\\bspec\\b/.test(settings) || /"mocha"\\s*:[^]*"spec"/.test(read('package.json'))
}

/** Each argument is a pattern. */
function nodeTest() {
  const plain = terms.only.every((file) => !/[[\\]{}()*?!+@]/.test(file))
  if (process.argv.length === 1 && plain) narrow('node:test', 1, [], filesFor([], []))
}

const runners = { vitest, 'vitest.mjs': vitest, jest, 'jest.js': jest, mocha, 'mocha.js': mocha, _mocha: mocha }
const isOwnTest = process.execArgv.includes('--test')
const runner = isOwnTest ? nodeTest : Object.hasOwn(runners, program) ? runners[program] : null
if (runner !== null && require('node:worker_threads').isMainThread && process.env.NODE_TEST_CONTEXT === undefined) {
  const { NODE_OPTIONS: options } = process.env
  if (options !== undefined) {
    const rest = options.replace(terms.options, '').trim()
    if (rest === '') delete process.env.NODE_OPTIONS
    else process.env.NODE_OPTIONS = rest
  }
  runner()
}
`
