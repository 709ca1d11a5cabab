// The reporter of jest.
import { type ChannelTerms, withTerms } from './terms.ts'

export function jestReporterText(terms: ChannelTerms): string {
  return withTerms(terms, 'jest', reporter)
}

const reporter = `const path = require('node:path')
const outcomes = { passed: 'passed', failed: 'failed', pending: 'skipped', skipped: 'skipped', todo: 'skipped', disabled: 'skipped' }
module.exports = class {
  constructor(config) {
    this.root = (config && config.rootDir) || process.cwd()
  }
  /** As jest prints it. */
  nameOf(file) {
    const name = path.relative(this.root, file).split(path.sep).join('/')
    return name.includes('/') ? name : './' + name
  }
  onRunStart() {
    say('start')
  }
  onTestResult(test, result) {
    const file = this.nameOf(result.testFilePath || test.path)
    const tests = result.testResults || []
    for (const one of tests) {
      const outcome = outcomes[one.status]
      if (outcome !== undefined) say('test', outcome, [file, ...one.ancestorTitles, one.title].join(' > '))
    }
    const isFailed = result.testExecError || (result.failureMessage && !tests.some((one) => one.status === 'failed'))
    if (isFailed) say('unloaded', '', file)
  }
  onRunComplete(_, result) {
    if (result && result.runExecError) say('error', '', 'run')
    say('end')
  }
  getLastError() {}
}
`
