// The reporter of vitest: `onTestRunEnd` from version 3 on, `onFinished` before.
import { type ChannelTerms, withTerms } from './terms.ts'

/** An ES module, as every version loads it. */
export function vitestReporterText(terms: ChannelTerms): string {
  return `import { createRequire } from 'node:module'\nconst require = createRequire(import.meta.url)\n${withTerms(terms, 'vitest', reporter)}`
}

const reporter = `const path = require('node:path')
const relative = (root, file) => path.relative(root, file).split(path.sep).join('/')
const outcomes = { passed: 'passed', failed: 'failed', skipped: 'skipped', pass: 'passed', fail: 'failed', skip: 'skipped' }

function takeModule(root, module) {
  const file = relative(root, module.moduleId)
  for (const test of module.children.allTests()) {
    const outcome = outcomes[test.result().state]
    if (outcome !== undefined) say('test', outcome, file + ' > ' + test.fullName)
  }
  if (module.errors().length > 0) say('unloaded', '', file)
  for (const suite of module.children.allSuites()) if (suite.errors().length > 0) say('error', '', file + ' > ' + suite.fullName)
}

function takeFile(root, file) {
  let failed = 0
  const name = relative(root, file.filepath)
  const walk = (tasks, titles) => {
    for (const task of tasks) {
      if (task.tasks !== undefined) {
        walk(task.tasks, [...titles, task.name])
        continue
      }
      const isSkipped = task.mode === 'skip' || task.mode === 'todo'
      const outcome = isSkipped ? 'skipped' : outcomes[task.result && task.result.state]
      if (outcome === 'failed') failed += 1
      if (outcome !== undefined) say('test', outcome, [...titles, task.name].join(' > '))
    }
  }
  walk(file.tasks, [name])
  if (file.result && file.result.state === 'fail' && failed === 0) say('unloaded', '', name)
}

export default class {
  #root = process.cwd()
  #isOver = false
  onInit(vitest) {
    this.#root = (vitest && vitest.config && vitest.config.root) || this.#root
    say('start')
  }
  #conclude(take, files, errors) {
    if (this.#isOver) return
    this.#isOver = true
    try {
      for (const file of files || []) take(this.#root, file)
      for (const error of errors || []) say('error', '', String((error && error.message) || error).slice(0, 200))
      say('end')
    } catch {
      say('quiet')
    }
  }
  onTestRunEnd(modules, errors) {
    this.#conclude(takeModule, modules, errors)
  }
  onFinished(files, errors) {
    this.#conclude(takeFile, files, errors)
  }
}
`
