// A line with a button that copies it.
import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { shownText } from './shown-text.ts'

const SHOWN_MS = 1_500

export function CopyLine({ text, label }: { readonly text: string; readonly label: string }) {
  const [isCopied, setCopied] = useState(false)
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), SHOWN_MS)
  }
  const Icon = isCopied ? Check : Copy
  return (
    <div className="flex items-start gap-1 rounded-md border border-line bg-sunken">
      <code className="said min-w-0 flex-1 px-2.5 py-1.5 font-mono text-xs leading-5 text-ink">{shownText(text)}</code>
      <button
        type="button"
        aria-label={`Copy ${label}`}
        title={isCopied ? 'Copied' : `Copy ${label}`}
        onClick={() => void copy()}
        className="m-0.5 shrink-0 rounded p-1.5 text-soft hover:bg-panel hover:text-ink"
      >
        <Icon size={14} aria-hidden />
      </button>
    </div>
  )
}
