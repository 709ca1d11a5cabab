// The reporter of node:test, and the one that prints as Node would by itself: as soon as one reporter is named, the
// default one has to be named as well.
import { type ChannelTerms, withTerms } from './terms.ts'

export function nodeReporterText(terms: ChannelTerms): string {
  return withTerms(terms, 'node:test', reporter)
}

/** Node 20 and 22 print TAP where no person looks; later ones do not. */
export const NODE_DEFAULT_TEXT = `'use strict'
const { spec, tap } = require('node:test/reporters')
const isSpec = process.stdout.isTTY || Number(process.versions.node.split('.')[0]) >= 23
module.exports = isSpec ? spec : tap
`

const reporter = `const path = require('node:path')
const { exit } = process
if (process.env.NODE_OPTIONS !== undefined) {
  process.env.NODE_OPTIONS = process.env.NODE_OPTIONS.replace(terms.options, '').replace(terms.preload, '').trim()
  if (process.env.NODE_OPTIONS === '') delete process.env.NODE_OPTIONS
}
const titles = []
/** A file without tests, or one that did not load, is reported like a test with its name. */
const isFile = ({ nesting, name, file }) => nesting === 0 && file !== undefined && path.resolve(name) === path.resolve(file)
const failed = (data, name) => {
  const { type, error } = data.details || {}
  const how = error && error.failureType
  if (isFile(data)) return say('unloaded', '', name)
  if (type === 'suite') return how === 'subtestsFailed' ? undefined : say('error', '', name)
  // Its hook failed, or its parent ended before it: it did not run.
  if (how === 'hookFailed' || how === 'cancelledByParent' || how === 'parentAlreadyFinished') return say('error', '', name)
  say('test', 'failed', name)
  if (!terms.stop) return
  say('stopped')
  exit(1)
}
const passed = (data, name) => {
  if (!isFile(data) && (data.details || {}).type !== 'suite') say('test', 'passed', name)
}
const take = ({ type, data }) => {
  if (type === 'test:start') {
    titles.length = data.nesting
    titles.push(data.name)
  }
  if (type !== 'test:pass' && type !== 'test:fail') return
  const name = [...titles.slice(0, data.nesting), data.name].join(' > ')
  const isSkipped = data.skip !== undefined || data.todo !== undefined
  if (isSkipped) {
    if ((data.details || {}).type !== 'suite') say('test', 'skipped', name)
  } else if (type === 'test:pass') passed(data, name)
  else failed(data, name)
}
module.exports = async function* (events) {
  say('start')
  for await (const event of events) take(event)
  say('end')
}
`
