// What fits on a screen or two is read; what does not is skipped. Tests are left out of these figures.
import { type SourceFile, type Violation, isProduct, isTest, lineAt, violation } from '../source.ts'
import { nodes } from '../walk.ts'

const FILE_LINES_MAX = 300
const FUNCTION_LINES_MAX = 70
const MEDIAN_LINES_MAX = 80
const PERCENTILE_90_LINES_MAX = 200
/** With fewer files one long one is the 90th percentile, and the figure says nothing about the rest. */
const FILES_MIN = 20

export function fileLength(files: readonly SourceFile[]): Violation[] {
  return files
    .filter((file) => !isTest(file) && (file.code !== null || /\.(sql|css|sh)$/.test(file.path)))
    .map((file) => ({ path: file.path, lines: linesOf(file) }))
    .filter(({ lines }) => lines > FILE_LINES_MAX)
    .map(({ path, lines }) => ({
      path,
      line: FILE_LINES_MAX + 1,
      sentence: `${lines} lines are more than the ${FILE_LINES_MAX} of a file; move what has a name of its own elsewhere`,
    }))
}

export function functionLength(files: readonly SourceFile[]): Violation[] {
  return files
    .filter((file) => !isTest(file))
    .flatMap((file) =>
      [...(file.code === null ? [] : nodes(file.code.program))]
        .filter(({ node }) => /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type))
        .map(({ node }) => ({ node, lines: lineAt(file.text, node.end) - lineAt(file.text, node.start) + 1 }))
        .filter(({ lines }) => lines > FUNCTION_LINES_MAX)
        .map(({ node, lines }) =>
          violation(
            file,
            node.start,
            `${lines} lines are more than the ${FUNCTION_LINES_MAX} of a function; give a part of it a name of its own`,
          ),
        ),
    )
}

export function lengthsTogether(files: readonly SourceFile[]): Violation[] {
  const sorted = files
    .filter((file) => isProduct(file) && file.path.startsWith('src/'))
    .map((file) => ({ path: file.path, lines: linesOf(file) }))
    .sort((one, other) => one.lines - other.lines)
  if (sorted.length < FILES_MIN) return []
  return [
    { name: 'median', share: 0.5, max: MEDIAN_LINES_MAX },
    { name: '90th percentile', share: 0.9, max: PERCENTILE_90_LINES_MAX },
  ].flatMap(({ name, share, max }) => {
    const file = sorted[Math.ceil(share * sorted.length) - 1]
    if (file === undefined || file.lines <= max) return []
    const sentence = `this is the ${name} of the files in src with ${file.lines} lines, more than ${max}; split it or a longer one`
    return [{ path: file.path, line: 1, sentence }]
  })
}

function linesOf({ text }: SourceFile): number {
  return text === '' ? 0 : lineAt(text, text.length) - (text.endsWith('\n') ? 1 : 0)
}
