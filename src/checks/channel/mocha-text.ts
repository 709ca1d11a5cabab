// What mocha requires before its tests: it listens to the runner, whatever reporter the project has.
import { type ChannelTerms, withTerms } from './terms.ts'

export function mochaHookText(terms: ChannelTerms): string {
  return withTerms(terms, 'mocha', hook)
}

const hook = `const loaded = Object.keys(require.cache).find((file) => /[\\\\/]mocha[\\\\/]lib[\\\\/]mocha\\.c?js$/.test(file))
const library = loaded === undefined ? undefined : require.cache[loaded].exports
const Runner = library && (library.Runner || (library.default && library.default.Runner))
const nameOf = (test) => (typeof test.titlePath === 'function' ? test.titlePath() : [test.title]).join(' > ')
const take = {
  pass: (test) => say('test', 'passed', nameOf(test)),
  pending: (test) => say('test', 'skipped', nameOf(test)),
  fail: (test) => (test.type === 'hook' ? say('error', '', nameOf(test)) : say('test', 'failed', nameOf(test))),
  end: () => say('end'),
}
// Where mocha runs files beside each other, its workers load this as well, and the first process hears of their tests.
const isWorker = /[\\\\/]worker\\.c?js$/.test(process.argv[1] || '')
if (!isWorker && Runner === undefined) say('quiet')
else if (!isWorker) {
  say('start')
  const { emit } = Runner.prototype
  Runner.prototype.emit = function (event, ...values) {
    try {
      if (Object.hasOwn(take, event)) take[event](...values)
    } catch {}
    return emit.call(this, event, ...values)
  }
}
`
