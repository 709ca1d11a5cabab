import { TriangleAlert } from 'lucide-react'
import { RequestRefused } from '../../operations/contract/client.ts'
import { problemText } from '../server.ts'
import { Button } from './button.tsx'
import { ForeignText } from './foreign-text.tsx'

interface ProblemProps {
  readonly error: unknown
  readonly onRetry?: () => void
}

/** Shows the server's sentence, which says what is wrong and what to do. */
export function Problem({ error, onRetry }: ProblemProps) {
  return (
    <div role="alert" className="flex flex-wrap items-start gap-2 rounded-md bg-bad-soft px-3 py-2 text-sm text-bad">
      <TriangleAlert size={16} aria-hidden className="mt-0.5 shrink-0" />
      <div className="min-w-0 flex-1">
        <ForeignText text={sentence(problemText(error))} />
        {error instanceof RequestRefused && error.status === 401 && (
          <p>Open the link that 'ralph serve' printed when it started, in this browser.</p>
        )}
      </div>
      {onRetry !== undefined && <Button onClick={onRetry}>Try again</Button>}
    </div>
  )
}

function sentence(text: string): string {
  const trimmed = text.trim()
  return `${trimmed.charAt(0).toUpperCase()}${trimmed.slice(1)}${/[.!?…]$/.test(trimmed) ? '' : '.'}`
}
