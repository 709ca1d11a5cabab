import { notifyCommand } from './notify-command.ts'
import type { Way } from './notify.ts'
import { webhook } from './webhook.ts'
import type { Environment } from '../core/values/environment.ts'

export interface NotifySettings {
  readonly webhook: string | null
  /** A shell line. */
  readonly command: string | null
}

export interface NotifyContext {
  /** The operator's checkout. */
  readonly folder: string
  readonly env: Environment
}

export function openWays(settings: NotifySettings, { folder, env }: NotifyContext): readonly Way[] {
  return [
    ...(settings.webhook === null ? [] : [webhook(settings.webhook)]),
    ...(settings.command === null ? [] : [notifyCommand(settings.command, folder, env)]),
  ]
}
