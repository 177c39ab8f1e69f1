/** The disk of the data folder is full, and has space again. */

import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { definePlugin, startBot, systemClock } from 'kikimimi'
import { testPlatform } from 'kikimimi/testing'
import { expect } from 'vitest'
import { createLogger } from '../../core/base/log.ts'
import { openDatabase } from '../../core/storage/database/database.ts'
import { silent, until } from '../support.ts'
import { said } from './heard.ts'

/** A small disk in memory. Throws if the process may not mount one. */
function mountDisk(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'kikimimi-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=60m', 'tmpfs', path], { stdio: 'pipe' })
  } catch (error) {
    rmdirSync(path)
    throw error
  }
  return {
    path,
    [Symbol.dispose]() {
      execFileSync('umount', ['--lazy', path])
      rmdirSync(path)
    },
  }
}

export function whyNoDisk(): string | undefined {
  try {
    mountDisk()[Symbol.dispose]()
    return undefined
  } catch {
    return 'this process may not mount a disk, which takes root'
  }
}

/** Fills the disk. */
function fill(file: string): void {
  const open = openSync(file, 'w')
  try {
    for (const block = Buffer.alloc(4_096); ; ) writeSync(open, block)
  } catch {
    // Full.
  } finally {
    closeSync(open)
  }
}

export async function isFull(): Promise<void> {
  using disk = mountDisk()
  const data = join(disk.path, 'data')
  const ballast = join(disk.path, 'ballast')
  const platform = testPlatform({ me: { id: 'bot', name: 'kiki' } })
  const answer = definePlugin({
    name: 'answer',
    setup: () => ({ respond: ({ message }) => ({ kind: 'text', text: message.id }) }),
  })
  const log: string[] = []
  const logger = createLogger({ level: 'warn', format: 'lines', write: line => void log.push(line), clock: systemClock })
  const bot = await startBot(
    { persona: { name: 'kiki' }, database: data, plugins: [answer] },
    { env: {}, platforms: [platform], log: logger },
  )
  const complains = () => log.some(line => /the database takes no messages: its disk is full/.test(line))

  const heard: Promise<boolean>[] = []
  try {
    fill(ballast)
    while (!complains()) {
      const one = bot.receive(platform, said(platform, `m${heard.length}`, { text: 'many words '.repeat(3_000) }))
      heard.push(one)
      await Promise.race([one, until(complains)])
    }
    rmSync(ballast)
    expect(await Promise.all(heard)).toEqual(heard.map(() => true))
    await until(() => platform.posted.length === heard.length)
  } finally {
    await bot.stop()
  }

  const db = await openDatabase(data, { log: silent, clock: systemClock })
  const { rows } = await db.query<{ kept: number }>(
    `select count(*)::int as kept from kikimimi.message where author_id = 'alice'`,
  )
  await db.close()
  expect(rows).toEqual([{ kept: heard.length }])
}
