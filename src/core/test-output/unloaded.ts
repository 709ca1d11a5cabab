// Test files that a runner could not load, collect or compile. Such a file is a failure of no test: none of its tests
// ran, so none of them failed by its own name.
import { isTestFile } from './node.ts'
import { plainLines, splitPrefix } from './plain-lines.ts'

/** How often a runner says so. The file is named in some lines; one file in two of them counts once. */
const sayings: readonly RegExp[] = [
  // jest
  /^ +● (Test suite failed to run)$/,
  // mocha
  /^ *(?:✖ ERROR|Exception during run):/,
  // go test: `FAIL	example.com/m [build failed]`
  /^FAIL\t(\S+ \[(?:build|setup) failed\])$/,
  // cargo: error: could not compile `demo` (test "add") due to 1 previous error
  /^error: could not compile (`[^`]+`(?: \([^)]*\))?)/,
  // unittest
  /^ImportError: Failed to import test module: (\S+)$/,
]

/** One file each, named: `FAIL  src/a.test.ts [ src/a.test.ts ]`, `ERROR test_a.py - ImportError: …` */
const files: readonly RegExp[] = [
  /^ FAIL {2}(?:\|[^|]*\| )?(\S+) \[ \S+ \]$/,
  /^_+ ERROR collecting (.+?) _+$/,
  /^ERROR ([^\s:]+)(?: - .*)?$/,
]
/** The two ways in which node:test prints a file as if it were a test. */
const nodeFile = /^(?:✖ (.+) \(\d[\d.]*ms\)|not ok \d+ - (.+))$/

/** Each pattern needs one of these. Most output has none, and then its lines are not looked at one by one. */
const sign = /●|✖|not ok|ERROR|FAIL|could not compile|ImportError|Exception/

export function countUnloaded(output: string): number {
  if (!sign.test(output)) return 0
  const named = new Set<string>()
  let others = 0
  for (const line of plainLines(output)) {
    if (!sign.test(line)) continue
    const { stream, text } = splitPrefix(line)
    if (sayings.some((saying) => saying.test(text))) others += 1
    const [, spec, point] = nodeFile.exec(text) ?? []
    const name = spec ?? point
    const file =
      name !== undefined && isTestFile(name)
        ? name
        : files.flatMap((pattern) => pattern.exec(text)?.[1] ?? []).find((found) => /\.\w+$/.test(found))
    if (file !== undefined) named.add(`${stream} ${file}`)
  }
  return named.size + others
}
