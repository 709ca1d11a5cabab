import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

const LOOKS = {
  first: 'border-transparent bg-accent text-on-accent hover:opacity-90',
  plain: 'border-line bg-panel text-ink hover:bg-sunken',
  danger: 'border-line bg-panel text-bad hover:bg-bad-soft',
} as const

interface ButtonProps {
  readonly children: ReactNode
  readonly onClick?: () => void
  readonly look?: keyof typeof LOOKS
  readonly type?: 'button' | 'submit'
  readonly icon?: LucideIcon
  readonly isBusy?: boolean
  readonly isOff?: boolean
  /** Why it is off, or what it does where the label is not enough. */
  readonly title?: string
}

export function Button({ children, onClick, look = 'plain', type = 'button', icon: Icon, ...rest }: ButtonProps) {
  const { isBusy = false, isOff = false, title } = rest
  return (
    <button
      type={type}
      onClick={onClick}
      disabled={isOff || isBusy}
      aria-busy={isBusy}
      title={title}
      className={`inline-flex min-h-8 items-center gap-1.5 rounded-md border px-3 py-1 text-sm font-medium whitespace-nowrap transition-colors disabled:cursor-not-allowed disabled:opacity-50 ${LOOKS[look]}`}
    >
      {Icon !== undefined && <Icon size={14} aria-hidden className={isBusy ? 'animate-pulse' : ''} />}
      {children}
    </button>
  )
}
