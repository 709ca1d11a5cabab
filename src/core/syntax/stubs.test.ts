import { expect, it } from 'vitest'
import { readSource } from '../../../test/rig/read-source.ts'
import { stubs } from './stubs.ts'

it.each<[path: string, text: string, what: readonly string[]]>([
  ['a.js', "function f() { throw new Error('not implemented') }", ['1 f only throws']],
  ['a.js', 'function f() { throw new Error() }', ['1 f only throws']],
  ['a.js', "const f = () => {\n  // later\n  throw new TypeError('TODO')\n}", ['1 f only throws']],
  ['a.ts', "class A { f(): string { throw new Error('Method not implemented.') } }", ['1 A.f only throws']],
  ['a.js', 'function fail(why) { throw new Error(`cannot ${why}`) }', []],
  ['a.js', "function f(a) { if (a) return 1; throw new Error('not implemented') }", []],
  ['a.js', 'const noop = () => {}', []],
  ['a.py', 'def f():\n    """Doc."""\n    raise NotImplementedError\n', ['1 f only raises']],
  [
    'a.py',
    'class A:\n    def f(self): pass\n    def g(self):\n        ...\n',
    ['2 A.f only passes', '3 A.g only passes'],
  ],
  ['a.py', 'class A(ABC):\n    @abstractmethod\n    def f(self): ...\nclass P(Protocol):\n    def g(self): ...\n', []],
  [
    'a.go',
    'package a\n\nfunc F() int { panic("not implemented") }\n\nfunc G(a int) { panic(a) }\n',
    ['3 F only panics'],
  ],
  [
    'a.rs',
    'fn f() -> u8 { todo!() }\nimpl A { fn g() { unimplemented!("x"); } }\nfn h() { panic!("bad input") }',
    ['1 f only calls todo!', '2 A.g only calls unimplemented!'],
  ],
  [
    'A.java',
    'class A { int f() { throw new UnsupportedOperationException("Not yet implemented"); } void g() {} }',
    ['1 A.f only throws'],
  ],
  ['a.rb', 'class A\n  def f\n    raise NotImplementedError\n  end\nend\n', ['2 A.f only raises']],
  ['a.c', 'int f(void) { abort(); }', ['1 f only ends the program']],
  ['a.rs', '#[cfg(test)]\nmod tests { fn f() { todo!() } }', []],
])('%s %s', async (path, text, what) => {
  const found = stubs(await readSource(path, text), null)
  expect(found.map((one) => `${one.line} ${one.what}`)).toEqual(what)
})

it('leaves alone what was a stub before', async () => {
  const base = await readSource('a.js', "function f() { throw new Error('TODO') }")
  const now = await readSource(
    'a.js',
    "\nfunction f() { throw new Error('not implemented') }\nfunction g() { throw new Error('TODO') }",
  )
  expect(stubs(now, base)).toEqual([{ line: 3, what: 'g only throws' }])
})
