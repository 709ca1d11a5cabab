// Search in a transcript; the server searches, so the length does not matter.
import { ChevronDown, ChevronUp, Search } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../parts/button.tsx'
import { useFound } from './use-transcript.ts'

const QUIET_MS = 250

interface TranscriptSearchProps {
  readonly session: string
  readonly onRow: (row: number | null) => void
}

export function TranscriptSearch({ session, onRow }: TranscriptSearchProps) {
  const box = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const [wanted, setWanted] = useState('')
  const [at, setAt] = useState(0)
  const found = useFound(session, wanted)
  const rows = wanted === '' ? undefined : found.data?.rows
  const row = rows?.[at] ?? null
  useEffect(() => onRow(row), [row, onRow])
  useEffect(() => {
    const timer = setTimeout(() => {
      setWanted(typed.trim())
      setAt(0)
    }, QUIET_MS)
    return () => clearTimeout(timer)
  }, [typed])
  useEffect(() => {
    const focus = (event: KeyboardEvent): void => {
      const isTyping = event.target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)
      if (event.key !== '/' || isTyping) return
      event.preventDefault()
      box.current?.focus()
    }
    document.addEventListener('keydown', focus)
    return () => document.removeEventListener('keydown', focus)
  }, [])
  const go = (by: number): void => {
    if (rows !== undefined && rows.length > 0) setAt((at + by + rows.length) % rows.length)
  }
  return (
    <search className="flex flex-wrap items-center gap-2">
      <span className="relative">
        <Search size={14} aria-hidden className="absolute top-2.5 left-2.5 text-soft" />
        <input
          ref={box}
          type="search"
          aria-label="Search the transcript"
          placeholder="Search  ( / )"
          value={typed}
          maxLength={256}
          onChange={({ target }) => setTyped(target.value)}
          onKeyDown={({ key, shiftKey }) => key === 'Enter' && go(shiftKey ? -1 : 1)}
          className="w-48 rounded-md border border-line bg-page py-1.5 pr-2 pl-8 text-sm"
        />
      </span>
      {rows !== undefined && (
        <>
          <span role="status" className="text-xs text-soft tabular-nums">
            {rows.length === 0
              ? 'Not found'
              : `${at + 1} of ${rows.length.toLocaleString('en-US')}${found.data?.isWhole === false ? '+' : ''}`}
          </span>
          <Button icon={ChevronUp} isOff={rows.length === 0} onClick={() => go(-1)}>
            Previous
          </Button>
          <Button icon={ChevronDown} isOff={rows.length === 0} onClick={() => go(1)}>
            Next
          </Button>
        </>
      )}
    </search>
  )
}
