import { describe, expect, it } from 'vitest'
import { readSource } from '../../../test/rig/read-source.ts'
import { asksWhetherUnderTest } from './under-test.ts'

const whats = async (path: string, text: string): Promise<string[]> =>
  asksWhetherUnderTest(await readSource(path, text), null).map(({ line, what }) => `${line} ${what}`)

describe('code that asks whether it is under test', () => {
  it.each<[path: string, text: string, part: string]>([
    ['a.js', 'const near = String(new Error().stack)\nif (/tes[t]/.test(near)) go()', 'looks at its own callers'],
    ['a.js', "if (process.env.NODE_ENV === 'test') return1()", '1 asks whether the environment is "test"'],
    ['a.js', "if (\n  process.env\n    .NODE_ENV\n  ===\n  'test'\n) go()", 'environment is "test"'],
    ['a.js', "const { NODE_ENV } = process.env\nif (NODE_ENV == 'test') go()", '2 asks whether the environment'],
    ['a.js', "const mode = process.env['NODE_ENV']\nif (mode !== `test`) go()", '2 asks whether the environment'],
    ['a.js', "if (['test', 'ci'].includes(process.env.NODE_ENV)) go()", 'environment is "test"'],
    ['a.js', "switch (process.env.NODE_ENV) { case 'test': go() }", 'environment is "test"'],
    ['a.ts', "if (import.meta.env.MODE === 'test') go()", 'environment is "test"'],
    ['a.js', 'if (process.env.VITEST) go()', 'asks for VITEST'],
    ['a.js', "if (process.env['JEST_' + 'WORKER_ID']) go()", 'asks for JEST_WORKER_ID'],
    ['a.js', "if (process.env['\\x56ITEST']) go()", 'asks for VITEST'],
    ['a.js', 'const { NODE_TEST_CONTEXT: x } = process.env', 'asks for NODE_TEST_CONTEXT'],
    ['a.js', "const k = Object.keys(process.env).some((key) => key.startsWith('VITEST'))", 'asks for VITEST'],
    ['a.js', 'const isFast = !!process.env.CI', 'environment variable CI'],
    ['a.js', "if (typeof describe === 'function') go()", 'asks whether describe is defined'],
    ['a.js', 'if (globalThis.jest) go()', 'asks whether jest is defined'],
    ['a.js', "if ('it' in globalThis) go()", 'asks whether it is defined'],
    ['a.js', 'try { vi; go() } catch {}', 'uses vi'],
    ['a.js', "const t = process.argv.some((a) => a.includes('vitest'))", 'looks at process.argv for "vitest"'],
    ['a.js', 'const t = Object.keys(require.cache).some((a) => /mocha/.test(a))', 'looks at require.cache'],
    [
      'a.js',
      "function f() { const s = new Error().stack; return s.includes('.test.js') }",
      'looks at new Error().stack',
    ],
    ['a.js', "if (require.main.filename.endsWith('test.js')) go()", 'looks at require.main'],
    ['a.js', "const x = readFileSync(join(here, '../test/cart.test.js'), 'utf8')", 'reads'],
    ['a.js', "const x = readFileSync('__snapshots__/a.snap')", 'reads'],
    ['a.js', "const dir = 'test/fixtures'\nconst x = readdirSync(dir)", '2 reads'],
    ['a.js', "import data from '../test/data.json'", 'imports ../test/data.json'],
    ['a.py', "import os\nif os.environ.get('PYTEST_CURRENT_TEST'):\n    go()\n", '2 asks for PYTEST_CURRENT_TEST'],
    ['a.py', "if 'pytest' in sys.modules:\n    go()\n", 'looks at sys.modules for "pytest"'],
    ['a.py', "x = os.getenv('CI')\n", 'environment variable CI'],
    ['a.py', "def f():\n    return any('test' in s.filename for s in inspect.stack())\n", 'looks at inspect.stack'],
    ['a.py', "def f():\n    return sys._getframe(1).f_code.co_name.startswith('test_')\n", 'looks at sys._getframe'],
    ['a.py', "x = open('tests/test_a.py').read()\n", 'reads "tests/test_a.py"'],
    ['a.go', 'package a\nfunc F() int { if testing.Testing() { return 1 }; return 0 }\n', 'calls testing.Testing()'],
    ['a.go', 'package a\nvar x = flag.Lookup("test.v") != nil\n', 'looks at flag.Lookup'],
    ['a.go', 'package a\nfunc F() bool { return strings.HasSuffix(os.Args[0], ".test") }\n', 'looks at os.Args'],
    [
      'a.go',
      'package a\nfunc F() bool { _, f, _, _ := runtime.Caller(1); return strings.HasSuffix(f, "_test.go") }\n',
      'looks at runtime.Caller',
    ],
    ['a.go', 'package a\nvar x = os.Getenv("CI")\n', 'environment variable CI'],
    ['a.rs', 'fn f() -> u8 { if cfg!(test) { 1 } else { 2 } }', 'asks cfg!(test)'],
    ['a.rs', '#[cfg(not(test))]\nfn f() -> u8 { 1 }', 'cfg(not(test))'],
    ['a.rs', 'fn f() -> bool { std::env::var("RUST_TEST_THREADS").is_ok() }', 'RUST_TEST_THREADS'],
    [
      'A.java',
      'class A { boolean f() { for (var e : Thread.currentThread().getStackTrace()) if (e.getClassName().contains("junit")) return true; return false; } }',
      'looks at Thread.currentThread().getStackTrace',
    ],
    [
      'A.java',
      'class A { Object f() throws Exception { return Class.forName("org.junit.Test"); } }',
      'classes of a test runner',
    ],
    ['a.rb', 'go if defined?(RSpec)\n', 'asks whether a test runner is loaded'],
    ['a.rb', 'go if Rails.env.test?\n', 'environment is "test"'],
    ['a.rb', "go if ENV['RAILS_ENV'] == 'test'\n", 'environment is "test"'],
    ['a.rb', "go if caller.any? { |c| c.include?('_spec') }\n", 'looks at caller'],
    ['a.c', '#ifdef UNIT_TEST\nint x = 1;\n#else\nint x = 2;\n#endif\n', 'builds other code under UNIT_TEST'],
    ['a.c', 'int f(void) { return getenv("CI") != 0; }', 'environment variable CI'],
  ])('%s %s', async (path, text, part) => {
    expect((await whats(path, text)).join('\n')).toContain(part)
  })

  it.each<[path: string, text: string]>([
    ['a.js', "if (process.env.NODE_ENV !== 'production') warn()"],
    ['a.js', "const isTest = (name) => name.endsWith('.test.js')"],
    ['a.js', 'if (require.main === module) main()'],
    ['a.js', 'const [, , file] = process.argv\nconst name = "test"'],
    ['a.js', "function f(e) { log(e.stack) }\nconst x = 'test'"],
    ['a.js', "const it = list[Symbol.iterator]()\nif (typeof it === 'object') go()"],
    ['a.js', 'const test = /x/.test(y)\nconst before = 1\nif (typeof before === "number") go(test)'],
    [
      'a.ts',
      "if (import.meta.vitest) {\n  const { it } = import.meta.vitest\n  it('x', () => { process.env.VITEST })\n}",
    ],
    ['a.js', "const x = readFileSync('src/latest/a.json')"],
    ['a.py', 'if __name__ == "__main__":\n    main()\n'],
    ['a.py', "x = os.environ['HOME']\ny = 'test'\n"],
    ['a.go', 'package a\nfunc F() string { return os.Args[1] }\n'],
    ['a.rs', '#[cfg(test)]\nmod tests {\n  #[test] fn a() { assert!(cfg!(test)); }\n}'],
    ['a.rb', "x = ENV['HOME']\n"],
    ['a.c', '#ifdef _WIN32\n#endif\n#ifndef LATEST_H\n#endif\n'],
  ])('not %s %s', async (path, text) => {
    expect(await whats(path, text)).toEqual([])
  })

  it('says nothing about what the base has in the same words', async () => {
    const base = await readSource('a.js', "const a = 1\nif (process.env.NODE_ENV === 'test') go(1)")
    const moved = await readSource('a.js', "if (process.env.NODE_ENV   ===   'test') { go(2) }")
    expect(asksWhetherUnderTest(moved, base)).toEqual([])
    const more = await readSource(
      'a.js',
      "if (process.env.NODE_ENV === 'test') go(1)\nif (process.env.NODE_ENV === 'test') go(2)",
    )
    expect(asksWhetherUnderTest(more, base)).toEqual([{ line: 2, what: 'asks whether the environment is "test"' }])
  })
})
