import * as Radix from '@radix-ui/react-dialog'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'

interface DialogProps {
  readonly onClose: () => void
  readonly title: string
  readonly about: ReactNode
  readonly children: ReactNode
}

export function Dialog({ onClose, title, about, children }: DialogProps) {
  return (
    <Radix.Root open onOpenChange={(open) => open || onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-30 bg-black/50" />
        <Radix.Content className="fixed top-1/2 left-1/2 z-40 max-h-[90dvh] w-[min(36rem,calc(100vw-1.5rem))] -translate-x-1/2 -translate-y-1/2 overflow-auto rounded-lg border border-line bg-panel p-4 shadow-xl sm:p-5">
          <div className="flex items-start justify-between gap-3">
            <Radix.Title className="text-base font-semibold">{title}</Radix.Title>
            <Radix.Close aria-label="Close" className="-m-1 rounded-md p-2 text-soft hover:bg-sunken hover:text-ink">
              <X size={16} aria-hidden />
            </Radix.Close>
          </div>
          <Radix.Description asChild>
            <div className="mt-2 space-y-2 text-sm text-soft">{about}</div>
          </Radix.Description>
          <div className="mt-4">{children}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
