import { useEffect, useState, useSyncExternalStore } from 'react'
import { type BoardNow, type LiveBoard, openBoard } from './live-board.ts'

const NOTHING: BoardNow = { cards: null, isWhole: true, problem: null }

export interface BoardInUse extends BoardNow {
  readonly put: LiveBoard['put']
  readonly readAgain: () => void
}

export function useBoard(): BoardInUse {
  const [times, setTimes] = useState(0)
  const [board, setBoard] = useState<LiveBoard | null>(null)
  useEffect(() => {
    const opened = openBoard()
    setBoard(opened)
    return () => {
      opened.close()
      setBoard(null)
    }
  }, [times])
  const now = useSyncExternalStore(board?.subscribe ?? neverChanges, board?.now ?? nothing)
  return { ...now, put: board?.put ?? (() => {}), readAgain: () => setTimes(times + 1) }
}

function neverChanges(): () => void {
  return () => {}
}

function nothing(): BoardNow {
  return NOTHING
}
