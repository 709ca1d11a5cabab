// What a single line does, in any language: switches a test off, silences a checker, asserts nothing. The patterns
// match the forms that people and agents write; the inventory of tests finds what they miss.

interface LineRule {
  readonly what: string
  readonly pattern: RegExp
}

const switchedOff: readonly LineRule[] = [
  {
    what: 'a test was switched off or narrowed to itself',
    pattern:
      /\b(?:it|test|describe|suite|context|specify|bench|t)(?:\.(?:each|concurrent|sequential|for))*\.(?:skip|only|todo|fails|failing|skipIf|runIf|fixme)\b/,
  },
  {
    what: 'a test was switched off or narrowed to itself',
    pattern: /(?:^|[\s;{(])(?:x|f)(?:it|test|describe|context|specify)\s*\(/,
  },
  {
    what: 'a test was given skip, only or todo',
    pattern: /[{,]\s*['"]?(?:skip|only|todo)['"]?\s*:\s*(?:true\b|['"`!(]|process\b)/,
  },
  { what: 'a test skips itself', pattern: /\b(?:this|t|ctx|context)\.(?:skip|todo)\s*\(/ },
  {
    what: 'a test was skipped or expected to fail',
    pattern:
      /@?\bpytest\.(?:mark\.)?(?:skip|skipif|xfail|importorskip)\b|@?\bunittest\.(?:skip\w*|expectedFailure)\b|\bself\.skipTest\(|\bSkipTest\b/,
  },
  { what: 'a test skips itself', pattern: /\bt\.Skip(?:f|Now)?\(|\btesting\.Short\(\)/ },
  {
    what: 'a test was switched off',
    pattern: /#\[ignore\b|@(?:Disabled|Ignore)\b|\[(?:Fact|Theory)\(Skip\b|\[Ignore\b|->markTestSkipped\(/,
  },
]

export function switchesOff(text: string): string | null {
  return match(switchedOff, text)
}

const onCondition =
  /\.(?:skipIf|runIf)\b|\b(?:this|t|ctx|context)\.skip\s*\(|\bpytest\.(?:mark\.)?(?:skipif|importorskip)\b|\bunittest\.skip(?:If|Unless)\b|\bt\.Skip|\btesting\.Short\(/

/**
 * In a new test a condition only says where the test does not apply; in an older test it may stop the test from
 * running.
 */
export function isOffOnCondition(text: string): boolean {
  return onCondition.test(text)
}

const touchesOthers =
  /\b(?:vi|jest|sinon|mock)\b|\b(?:before|after)(?:Each|All)?\s*\(|\bglobalThis\b|\b(?:global|window|process)\.|\bprototype\b|\bObject\.(?:assign|define\w+|set\w+)\b|\bReflect\.|\brequire\s*\(|^\s*import\b(?!\s*(?:type\b|[\w*{]))|(?:^|[;{}])\s*[\w.[\]'"]+\s*(?:[-+*/|&?]{0,2}=)(?!=|>)/

/** Whether a line beside tests can change their outcome: hooks, mocks, replacements. */
export function reachesOtherTests(text: string): boolean {
  return touchesOthers.test(text)
}

const silenced: readonly LineRule[] = [
  {
    what: 'the type checker was told to look away',
    pattern: /@ts-(?:nocheck|ignore|expect-error)\b|#\s*type:\s*ignore\b|#\s*pyright:/,
  },
  {
    what: 'the linter was told to look away',
    pattern:
      /\b(?:eslint|oxlint|tslint|stylelint)-disable\b|\bbiome-ignore\b|\bdeno-lint-ignore\b|#\s*noqa\b|#\s*pylint:\s*disable|\/\/\s*nolint\b|#!?\[allow\(|@SuppressWarnings\b|rubocop:disable/,
  },
  {
    what: 'code was taken out of the coverage',
    pattern: /\b(?:istanbul|c8|v8|node:coverage)\s+(?:ignore|disable)\b|#\s*pragma:\s*no cover/,
  },
]

export function silences(text: string): string | null {
  return match(silenced, text)
}

const patched: readonly LineRule[] = [
  {
    what: 'an assertion function was replaced by something else',
    pattern: /\b(?:const|let|var|function|def)\s+(?:assert|expect)\b(?!.*(?:require|import|chai|from\b))/,
  },
  {
    what: 'an assertion function was replaced',
    pattern: /\b(?:assert|expect|chai|should|Assertion)(?:\.\w+|\[[^\]]+\])+\s*=(?!=|>)/,
  },
  {
    what: 'an assertion function was replaced',
    pattern: /\brequire\(['"](?:node:)?assert(?:\/strict)?['"]\)(?:\.\w+|\[[^\]]+\])+\s*=(?!=)/,
  },
  {
    what: 'an assertion library was patched',
    pattern:
      /\b(?:Assertion|AssertionError|TestCase|TestContext)\.(?:prototype\b|assert\w+\s*=(?!=))|Object\.(?:assign|define\w+)\(\s*(?:assert|expect|chai)\b/,
  },
  {
    what: 'the test runner itself was replaced',
    pattern: /\b(?:globalThis|global|window|globals)\.(?:it|test|describe|expect|assert|suite)\s*=(?!=)/,
  },
  {
    what: 'a hook of the test runner can rewrite results',
    pattern:
      /\bpytest_(?:runtest_\w+|collection_modifyitems|report_\w+|sessionfinish|ignore_collect|pyfunc_call)\b|\bhookimpl\b|\bhookwrapper\b/,
  },
  {
    what: 'modules are replaced while tests run',
    pattern: /\bModule\._(?:load|resolveFilename)\b|\bregisterHooks\(|\bsys\.modules\[/,
  },
]

export function patches(text: string): string | null {
  return match(patched, text)
}

const pretended: readonly LineRule[] = [
  {
    what: 'the clock was replaced',
    pattern: /\b(?:Date\.now|performance\.now|process\.hrtime|time\.time|time\.perf_counter|datetime\.now)\s*=(?!=|>)/,
  },
  {
    what: 'an object pretends to equal everything',
    pattern: /__eq__\s*=|\bSymbol\.toPrimitive\b|def __(?:eq|ne|lt|gt)__\([^)]*\).*:\s*return True/,
  },
]

/** Code that only looks as if it did its work. */
export function pretends(text: string): string | null {
  if (knowsAnswer(text)) return 'one answer is written down for one question, as if it were known from a test'
  return match(pretended, text)
}

const answered =
  /\bif\s*\(?([^:;{]*)[:){]\s*return\s+(?!0\b|1\b|-1\b)(?:-?\d+(?:\.\d+)?|'[^']+'|"[^"]+"|\[[\d\s,.'"-]+\])\s*;?\s*\}?\s*$/
const compared =
  /(\btypeof\s+|[\w)\]]\.|[)\]]\s*)?\b([A-Za-z_]\w*)\s*(?:===?|\bis\b)\s*(-?\d+(?:\.\d+)?|'[^']*'|"[^"]*")/g
const kinds = /^(?:status\w*|\w*code|errno|exit|signal|version|length|size|level|kind|type|mode)$/i
/** `sqlite`, `not-found`, `GET`: words that a program uses to tell kinds of things apart. */
const word = /^(?:[a-z][a-zA-Z]*(?:[-_][a-zA-Z]+)*|[A-Z][A-Z_]*)?$/

/** `if (a === 17 && b === 25) return 42`: returns a plain value for an input that could stand in a test. */
function knowsAnswer(text: string): boolean {
  const condition = answered.exec(text)?.[1]
  if (condition === undefined) return false
  return [...condition.matchAll(compared)].some(([, owner, name = '', value = '']) => {
    if (owner !== undefined || kinds.test(name)) return false
    return /^['"]/.test(value) ? !word.test(value.slice(1, -1)) : value !== '0'
  })
}

const exits: readonly LineRule[] = [
  {
    what: 'the process is ended from within, which can pass for success',
    pattern: /\bprocess\.(?:exit|reallyExit|abort)\s*\(|\bprocess\.exitCode\s*=\s*0\b/,
  },
  {
    what: 'the process is ended from within, which can pass for success',
    pattern:
      /\bos\._exit\(|\bsys\.exit\(|(?:^|\s)(?:raise SystemExit|quit\(|exit\()|\bos\.Exit\(|\bstd::process::exit\(|\bSystem\.exit\(/,
  },
]

/** A line that ends in a failure cannot pass for success. */
const fails = /\b(?:exit|Exit|_exit|reallyExit)\s*\(\s*[1-9]\d*\s*\)/

export function exitsEarly(text: string): string | null {
  return fails.test(text) ? null : match(exits, text)
}

const succeeds =
  /\bprocess\.(?:exit|reallyExit)\s*\(\s*(?:0\s*)?\)|\bprocess\.exitCode\s*=\s*0\b|\b(?:os\._exit|sys\.exit|os\.Exit|std::process::exit|System\.exit)\(\s*(?:0\s*)?\)/

/** In ordinary code only an exit with success is unusual. */
export function exitsAsSuccess(text: string): string | null {
  return succeeds.test(text) ? 'the process is ended from within as if all were well' : null
}

const nothingAsserted =
  /\bexpect\(\s*(true|false|1|0|'[^']*'|"[^"]*")\s*\)\.(?:toBe|toEqual|toStrictEqual)\(\s*\1\s*\)|\bexpect\(\s*true\s*\)\.toBeTruthy\(|\bassert(?:\.ok)?\(\s*(?:true|1)\s*[,)]|\bassert(?:\.(?:equal|strictEqual|deepEqual))?\(\s*(true|\d+)\s*,\s*\2\s*[,)]|^\s*assert\s+(?:True|1)\s*(?:,|$|#)|\bself\.assertTrue\(\s*True\s*\)|\bassert!\(\s*true\s*\)/

export function assertsNothing(text: string): boolean {
  return nothingAsserted.test(text)
}

const assertion =
  /\bexpect(?:\.soft)?\s*\(|\bassert(?:[._]?\w+)?!?\s*\(|^\s*assert\b|\bself\.assert\w+\(|\bpytest\.(?:raises|approx)\(|\b(?:require|assert)\.\w+\(|\bt\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow|is|not|deepEqual|equal|same|throws|true|false|ok|assert\.\w+)\(|\.should\b|\bshould_panic\b/

export function isAssertion(text: string): boolean {
  return assertion.test(text) && !/^\s*(?:\/\/|#(?!\[)|\*|import\b|from\b)/.test(text)
}

const exact =
  /\.(?:toBe\(|toEqual|toStrictEqual|toMatchObject|toMatchInlineSnapshot|toHaveLength|toThrow(?:Error)?\(\s*[^)\s]|toHaveBeenCalledWith|toHaveBeenCalledTimes)|\b(?:deep)?(?:Strict)?(?:Equal|equal)s?\(|\b(?:strictEqual|deepEqual|deepStrictEqual|assertEqual\w*|assertDictEqual|assertListEqual|assert_eq|assertSame|assertEquals)\b|^\s*assert\b.*(?:==|!=|<|>| is (?!not None))|\bassert!?\(.*(?:===?|!==?)/

/** An assertion about the exact value, and not only that there is one. */
export function isExact(text: string): boolean {
  return isAssertion(text) && exact.test(text)
}

const bound =
  /\b(?:toBeCloseTo|closeTo|almostEqual|assertAlmostEqual|approx|isclose|allclose|delta|tolerance|epsilon|eps|atol|rtol|abs_tol|rel_tol|places|threshold|thresholds|timeout|retries|retry|flaky|maxDiff|coverage|lines|branches|functions|statements|fail_under|max-warnings|maxWarnings)\b/i

/** A line that sets a precision, a duration or an amount. */
export function setsBound(text: string): boolean {
  return bound.test(text) && /\d/.test(text)
}

function match(rules: readonly LineRule[], text: string): string | null {
  return rules.find(({ pattern }) => pattern.test(text))?.what ?? null
}

/** Nothing that runs: white space, or a comment as most languages write it. */
export function isRemark(text: string): boolean {
  return /^\s*(?:$|\/\/|#(?!\[|!|include|define|if|else|endif|pragma)|\/?\*(?:[\s*/]|$)|<!--|--\s|"""|''')/.test(text)
}
