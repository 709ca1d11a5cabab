import type { ReactNode } from 'react'

interface PanelProps {
  readonly title: string
  readonly children: ReactNode
  readonly aside?: ReactNode
  /** Whether the content keeps its own distance from the edge. */
  readonly flush?: true
}

export function Panel({ title, children, aside, flush }: PanelProps) {
  return (
    <section aria-label={title} className="min-w-0 rounded-lg border border-line bg-panel">
      <header className="flex min-h-10 flex-wrap items-center justify-between gap-2 border-b border-line px-4 py-2">
        <h2 className="text-sm font-semibold">{title}</h2>
        {aside}
      </header>
      <div className={flush === true ? '' : 'p-4'}>{children}</div>
    </section>
  )
}

/** The text of an empty panel: what will be here, and how to get it. */
export function Empty({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="mx-auto max-w-prose px-4 py-10 text-center">
      <h2 className="text-base font-semibold">{title}</h2>
      <div className="mt-2 space-y-2 text-soft">{children}</div>
    </div>
  )
}

export function Command({ children }: { readonly children: string }) {
  return <code className="rounded bg-sunken px-1.5 py-0.5 font-mono text-[0.85em] text-ink">{children}</code>
}
