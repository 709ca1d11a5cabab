// Readers skip files and functions that do not fit on a screen or two. Tests and pure tables do not count.
import { dirname } from 'node:path/posix'
import { type SourceFile, type Violation, isProduct, isTest, lineAt, violation } from '../source.ts'
import { nodes } from '../walk.ts'

const FILE_LINES_MAX = 300
const FUNCTION_LINES_MAX = 70
const FOLDER_FILES_MAX = 20
const COMPUTES =
  /Function|^(Class|If|For|While|Do|Switch|Try|Throw|Return)|^(Call|New|Conditional|Assignment|Update|Await)Expression$/

export function fileLength(files: readonly SourceFile[]): Violation[] {
  return files
    .filter((file) => !isTest(file) && !isTable(file) && (file.code !== null || /\.(sql|css|sh)$/.test(file.path)))
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

/** A folder is read like a table of contents. Its own files count, and what only tests use does not. */
export function folderSize(files: readonly SourceFile[]): Violation[] {
  const folders = Map.groupBy(files.filter(isProduct), ({ path }) => dirname(path))
  return [...folders]
    .filter(([, inside]) => inside.length > FOLDER_FILES_MAX)
    .map(([path, { length }]) => ({
      path,
      line: 1,
      sentence: `${length} files are more than the ${FOLDER_FILES_MAX} of a folder; give those that belong together a folder`,
    }))
}

/** Nothing but imports, types and literals: no function, no condition, no call. */
function isTable({ code }: SourceFile): boolean {
  return code !== null && [...nodes(code.program)].every(({ node }) => !COMPUTES.test(node.type))
}

function linesOf({ text }: SourceFile): number {
  return text === '' ? 0 : lineAt(text, text.length) - (text.endsWith('\n') ? 1 : 0)
}
