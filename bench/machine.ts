// Enough about the machine to know whether two runs can be compared.
import { statfsSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'

export interface Machine {
  readonly cores: number
  readonly processor: string
  readonly platform: string
  readonly node: string
  readonly sqlite: string
  /** Of the temp folder: on tmpfs a durable write costs nothing, and all that is around it weighs the more. */
  readonly fileSystem: string
  /** Processes that wanted to run, over the minute before. */
  readonly load: number
}

export function lookAtMachine(folder: string): Machine {
  const processors = cpus()
  return {
    cores: processors.length,
    processor: processors[0]?.model.trim() ?? 'unknown',
    platform: `${process.platform} ${process.arch}`,
    node: process.versions.node,
    sqlite: process.versions['sqlite'] ?? 'unknown',
    fileSystem: fileSystemOf(folder),
    load: loadavg()[0] ?? 0,
  }
}

export function renderMachine({ cores, processor, platform, node, sqlite, fileSystem, load }: Machine): string {
  return [
    `${cores} cores (${processor})`,
    platform,
    `Node ${node}`,
    `SQLite ${sqlite}`,
    `temp folder on ${fileSystem}`,
    `load ${load.toFixed(1)} before the start`,
  ].join(', ')
}

/** By the magic numbers of statfs(2). */
function fileSystemOf(folder: string): string {
  const { type } = statfsSync(folder)
  const known: Readonly<Record<number, string>> = {
    0xef_53: 'ext4',
    0x01_02_19_94: 'tmpfs',
    0x58_46_53_42: 'xfs',
    0x91_23_68_3e: 'btrfs',
    0x79_4c_76_30: 'overlayfs',
    0x1a: 'apfs',
  }
  return known[type] ?? `file system 0x${type.toString(16)}`
}
