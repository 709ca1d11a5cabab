// Text of agents, checks and other foreign sources: text nodes only, and bounded until a person asks for all.
import { useState } from 'react'
import { cutToLength } from '../../core/values/text-bounds.ts'
import { SHOWN_LENGTH_MAX, shownText } from './shown-text.ts'

interface ForeignTextProps {
  readonly text: string
  readonly className?: string
}

export function ForeignText({ text, className = '' }: ForeignTextProps) {
  return (
    <span dir="auto" className={`said ${className}`}>
      {shownText(cutToLength(text, SHOWN_LENGTH_MAX))}
      {text.length > SHOWN_LENGTH_MAX ? '…' : ''}
    </span>
  )
}

/** A sentence with the output of a program below it. The box is low, so that the rest stays visible. */
export function ExplainedText({ text, label }: { readonly text: string; readonly label: string }) {
  const [, sentence = '', output = ''] = /^(.*)\n*([^]*)$/.exec(text.trim()) ?? []
  return (
    <>
      <ForeignText text={sentence} />
      {output !== '' && (
        <div className="mt-2">
          <Output text={output} label={label} height="max-h-48" />
        </div>
      )}
    </>
  )
}

interface OutputProps {
  readonly text: string
  readonly label: string
  readonly height?: 'max-h-48' | 'max-h-96'
}

/** Output of a program in a box that scrolls and grows on demand. */
export function Output({ text, label, height = 'max-h-96' }: OutputProps) {
  const [shown, setShown] = useState(SHOWN_LENGTH_MAX)
  const rest = text.length - shown
  return (
    <div>
      <pre
        tabIndex={0}
        role="region"
        aria-label={label}
        className={`said ${height} overflow-auto rounded-md border border-line bg-sunken p-3 font-mono text-xs leading-5`}
      >
        {shownText(cutToLength(text, shown))}
      </pre>
      {rest > 0 && (
        <button
          type="button"
          className="mt-1 text-xs text-accent hover:underline"
          onClick={() => setShown(shown + SHOWN_LENGTH_MAX)}
        >
          Show more ({rest.toLocaleString('en-US')} characters are left)
        </button>
      )}
    </div>
  )
}
