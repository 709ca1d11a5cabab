// Light or dark: the system's choice, until a person chooses.
import { Monitor, Moon, Sun } from 'lucide-react'
import { useState } from 'react'

type Theme = 'system' | 'light' | 'dark'
const ORDER: readonly Theme[] = ['system', 'light', 'dark']
const KEY = 'ralph-theme'
const system = matchMedia('(prefers-color-scheme: dark)')

function chosenTheme(): Theme {
  return ORDER.find((name) => name === localStorage.getItem(KEY)) ?? 'system'
}

export function applyTheme(): void {
  const theme = chosenTheme()
  document.documentElement.classList.toggle('dark', theme === 'dark' || (theme === 'system' && system.matches))
}

system.addEventListener('change', applyTheme)

const icons = { system: Monitor, light: Sun, dark: Moon } as const

export function ThemeSwitch() {
  const [theme, setTheme] = useState(chosenTheme)
  const Icon = icons[theme]
  const turn = (): void => {
    const next = ORDER[(ORDER.indexOf(theme) + 1) % ORDER.length] ?? 'system'
    localStorage.setItem(KEY, next)
    setTheme(next)
    applyTheme()
  }
  return (
    <button
      type="button"
      onClick={turn}
      aria-label={`Theme: ${theme}`}
      title={`Theme: ${theme}`}
      className="rounded-md p-2 text-soft hover:bg-sunken hover:text-ink"
    >
      <Icon size={16} aria-hidden />
    </button>
  )
}
