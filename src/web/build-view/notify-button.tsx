// Desktop notifications need one click; the page does not ask for permission by itself.
import { Bell } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../parts/button.tsx'

export function NotifyButton() {
  const [permission, setPermission] = useState(() =>
    'Notification' in globalThis ? Notification.permission : 'denied',
  )
  if (permission !== 'default') return null
  return (
    <Button
      icon={Bell}
      title="A word on the desktop when a human is needed"
      onClick={() => void Notification.requestPermission().then(setPermission)}
    >
      Notify me
    </Button>
  )
}
