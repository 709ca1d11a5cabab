// JUnit XML names each test case, and the class or file that it is in.
import { junitTags } from './test-count-junit.ts'
import type { NamedOutcome, Told } from './test-names.ts'

export function junitNames(text: string): Told {
  const names: Record<NamedOutcome, string[]> = { passed: [], failed: [], skipped: [] }
  let open: string | null = null
  let outcome: NamedOutcome = 'passed'
  const close = (): void => {
    if (open !== null) names[outcome].push(open)
    open = null
  }
  for (const { slash, name, attributes } of junitTags(text)) {
    if (name === 'testcase') {
      close()
      if (slash === '/') continue
      open = nameIn(attributes)
      outcome = 'passed'
      if (attributes.endsWith('/')) close()
    } else if (open !== null && slash === '' && !name.startsWith('testsuite'))
      outcome = name === 'skipped' ? 'skipped' : 'failed'
  }
  close()
  return { ...names, groups: 0 }
}

function nameIn(attributes: string): string {
  const value = (key: string): string => new RegExp(`(?:^|\\s)${key}="([^"]*)"`).exec(attributes)?.[1] ?? ''
  return [value('classname'), value('name')].filter(Boolean).join('.')
}
