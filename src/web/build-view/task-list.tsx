// The tasks in plan order; only the visible ones are drawn.
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'
import { Empty } from '../parts/panel.tsx'
import type { Folded } from '../live-build/fold.ts'
import { TaskCard } from './task-card.tsx'

const CARD_HEIGHT = 66
const GAP = 8

export function TaskList({ session }: { readonly session: Folded }) {
  const list = useRef<HTMLUListElement>(null)
  const virtual = useWindowVirtualizer({
    count: session.tasks.length,
    estimateSize: () => CARD_HEIGHT,
    overscan: 10,
    gap: GAP,
    scrollMargin: list.current?.offsetTop ?? 0,
    getItemKey: (index) => session.tasks[index]?.id ?? index,
  })
  if (session.tasks.length === 0)
    return (
      <Empty title="No tasks yet">
        <p>
          {session.isPlanned
            ? 'This build has no tasks.'
            : 'The plan is made first. Its tasks appear here, each with what it has to fulfil.'}
        </p>
      </Empty>
    )
  return (
    <ul ref={list} aria-label="Tasks" className="relative" style={{ height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map(({ key, index, start }) => {
        const task = session.tasks[index]
        if (task === undefined) return null
        return (
          <li
            key={key}
            data-index={index}
            ref={virtual.measureElement}
            className="absolute inset-x-0 top-0"
            style={{ transform: `translateY(${start - virtual.options.scrollMargin}px)` }}
          >
            <TaskCard
              task={task}
              attempt={session.attempts.get(task.id) ?? null}
              build={session.build.id}
              worth={session.strengths.get(task.id) ?? null}
            />
          </li>
        )
      })}
    </ul>
  )
}
