// The diff, file by file; large files stay folded until they are opened. Loaded on demand.
import { useQuery } from '@tanstack/react-query'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { useMemo, useState } from 'react'
import { server } from '../server.ts'
import { Loading } from '../parts/loading.tsx'
import { Problem } from '../parts/problem.tsx'
import { shownText } from '../parts/shown-text.ts'
import { type DiffFile, type DiffLine, readDiff } from './unified-diff.ts'

/** Lines of a file that are shown at first, and added with each click. */
const LINES_OPEN_MAX = 300
const LINES_SHOWN = 1_000
/** Lines of the whole diff up to which files are open at first. */
const TOTAL_OPEN_MAX = 1_500
const LINE_LENGTH_MAX = 2_000

interface DiffProps {
  readonly build: string
  readonly task: string
  /** `2.1`: the diff of that session; null: the current diff of the task. */
  readonly session: string | null
}

export function Diff({ build, task, session }: DiffProps) {
  const patch = useQuery({
    queryKey: ['patch', build, task, session],
    queryFn: ({ signal }) =>
      server.taskPatch({ id: build, task, ...(session === null ? {} : { session }) }, { signal }),
    refetchOnMount: 'always',
  })
  const diff = patch.data?.diff ?? ''
  const files = useMemo(() => readDiff(diff), [diff])
  if (patch.isError) return <Problem error={patch.error} />
  if (patch.data === undefined) return <Loading />
  if (files.length === 0) return <p className="p-4 text-soft">Nothing was changed.</p>
  const total = files.reduce((sum, { lines }) => sum + lines.length, 0)
  return (
    <div className="space-y-3">
      {!patch.data.isWhole && <p className="text-sm text-ask">The diff is longer than what is shown here.</p>}
      {files.map((file) => (
        <FileDiff
          key={file.path}
          file={file}
          isOpenFirst={total <= TOTAL_OPEN_MAX && file.lines.length <= LINES_OPEN_MAX}
        />
      ))}
    </div>
  )
}

function FileDiff({ file, isOpenFirst }: { readonly file: DiffFile; readonly isOpenFirst: boolean }) {
  const [isOpen, setOpen] = useState(isOpenFirst)
  const [shown, setShown] = useState(LINES_SHOWN)
  const Icon = isOpen ? ChevronDown : ChevronRight
  const rest = file.lines.length - shown
  return (
    <section aria-label={file.path} className="overflow-hidden rounded-lg border border-line bg-panel">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="flex w-full items-center gap-2 px-3 py-2 text-left hover:bg-sunken"
      >
        <Icon size={14} aria-hidden className="shrink-0 text-soft" />
        <span className="said min-w-0 flex-1 font-mono text-xs">{shownText(file.path)}</span>
        <span className="shrink-0 font-mono text-xs">
          <span className="text-good">+{file.added}</span> <span className="text-bad">−{file.removed}</span>
        </span>
      </button>
      {isOpen && (
        <div className="border-t border-line">
          {file.notes.map((note) => (
            <p key={note} className="px-3 py-1 font-mono text-xs text-soft">
              {shownText(note)}
            </p>
          ))}
          <div tabIndex={0} role="region" aria-label={`Lines of ${file.path}`} className="overflow-x-auto">
            <table className="w-full border-collapse font-mono text-xs leading-5">
              <tbody>
                {file.lines.slice(0, shown).map((line, index) => (
                  <Row key={index} line={line} />
                ))}
              </tbody>
            </table>
          </div>
          {rest > 0 && (
            <button
              type="button"
              onClick={() => setShown(shown + LINES_SHOWN)}
              className="w-full border-t border-line py-2 text-xs text-accent hover:bg-sunken"
            >
              Show more ({rest.toLocaleString('en-US')} lines are left)
            </button>
          )}
        </div>
      )}
    </section>
  )
}

const LOOKS = {
  same: '',
  added: 'bg-good-soft',
  removed: 'bg-bad-soft',
  gap: 'bg-sunken text-soft',
} as const
const SIGNS = { same: ' ', added: '+', removed: '−', gap: '⋯' } as const

function Row({ line: { kind, before, after, text } }: { readonly line: DiffLine }) {
  return (
    <tr className={LOOKS[kind]}>
      <td className="w-10 min-w-10 px-2 text-right text-soft select-none">{before}</td>
      <td className="w-10 min-w-10 px-2 text-right text-soft select-none">{after}</td>
      <td className="w-4 px-1 select-none">{SIGNS[kind]}</td>
      <td className="pr-3 whitespace-pre">{shownText(text.slice(0, LINE_LENGTH_MAX))}</td>
    </tr>
  )
}
