// What in a patch needs a second look.
import { Badge } from './badge.tsx'
import { ForeignText } from './foreign-text.tsx'

interface ShownFinding {
  readonly rule: string
  readonly path: string
  readonly line: number | null
  readonly what: string
}

export function Findings({ findings }: { readonly findings: readonly ShownFinding[] }) {
  return (
    <ul className="mt-1 space-y-1">
      {findings.map(({ rule, path, line, what }, index) => (
        <li key={index} className="text-sm">
          <Badge tone="ask" word={rule} />{' '}
          <ForeignText text={`${path === '.' ? '' : `${path}${line === null ? '' : `:${line}`} `}${what}`} />
        </li>
      ))}
    </ul>
  )
}
