// A name is exported once, under the name it has, by the file that holds it.
import type { Node } from 'oxc-parser'
import { type SourceFile, type Violation, isProduct, violation } from '../source.ts'

const LIBRARY = 'src/index.ts'

export function exportsRule(files: readonly SourceFile[]): Violation[] {
  return files.filter(isProduct).flatMap((file) => {
    const statements = file.code?.program.body ?? []
    const found = statements.flatMap((statement) => {
      const sentence = problem(statement)
      return sentence === null ? [] : [violation(file, statement.start, sentence)]
    })
    if (file.path === LIBRARY || !isBarrel(statements)) return found
    return [...found, violation(file, 0, 'this file only passes on what others export; import from those directly')]
  })
}

function problem(statement: Node): string | null {
  if (statement.type === 'ExportAllDeclaration') return 'export * hides what is exported; name each export'
  if (
    statement.type === 'TSExportAssignment' ||
    statement.type === 'ExportDefaultDeclaration' ||
    namesDefault(statement)
  )
    return 'a default export has a new name in every importer; export it by its name'
  return null
}

function namesDefault(statement: Node): boolean {
  if (statement.type !== 'ExportNamedDeclaration') return false
  return statement.specifiers.some(({ exported }) => exported.type === 'Identifier' && exported.name === 'default')
}

function isBarrel(statements: readonly Node[]): boolean {
  const imported = new Set(statements.flatMap(namesImported))
  const passesOn = (statement: Node) =>
    statement.type === 'ExportAllDeclaration' ||
    (statement.type === 'ExportNamedDeclaration' &&
      statement.declaration === null &&
      (statement.source !== null ||
        statement.specifiers.every(({ local }) => local.type === 'Identifier' && imported.has(local.name))))
  return statements.some(passesOn) && statements.every((one) => one.type === 'ImportDeclaration' || passesOn(one))
}

function namesImported(statement: Node): string[] {
  return statement.type === 'ImportDeclaration' ? statement.specifiers.map(({ local }) => local.name) : []
}
