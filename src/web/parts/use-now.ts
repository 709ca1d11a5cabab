import { useEffect, useState } from 'react'

/** The time, updated so often; null: never. */
export function useNow(everyMs: number | null): number | null {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (everyMs === null) return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return everyMs === null ? null : now
}
