/** The disk of the data folder is full, and has space again. */

import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, renameSync, rmdirSync, rmSync, writeSync } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { definePlugin, startBot, systemClock } from 'kikimimi'
import { freePort, testPlatform } from 'kikimimi/testing'
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
  const http = `127.0.0.1:${await freePort()}`
  const logger = createLogger({ level: 'warn', format: 'lines', write: line => void log.push(line), clock: systemClock })
  const bot = await startBot(
    { persona: { name: 'kiki' }, database: data, http, plugins: [answer] },
    { env: {}, platforms: [platform], log: logger },
  )
  const complains = () => log.some(line => /the database is unavailable: its disk is full/.test(line))

  const heard: Promise<boolean>[] = []
  try {
    fill(ballast)
    while (!complains()) {
      const one = bot.receive(platform, said(platform, `m${heard.length}`, { text: 'many words '.repeat(3_000) }))
      heard.push(one)
      await Promise.race([one, until(complains)])
    }
    expect(await unready(http)).toMatch(/its disk is full/)
    rmSync(ballast)
    await until(async () => (await unready(http)) === undefined)
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

/** Why `/readyz` says that the bot is not ready; nothing when it is. */
async function unready(http: string): Promise<string | undefined> {
  const answer = await fetch(`http://${http}/readyz`)
  const { why } = (await answer.json()) as { why?: string }
  return answer.status === 503 ? why : undefined
}

const NOTICED_MS = 5_000

/** @param begin makes the files unusable. @param end makes them usable again */
async function unusable(data: string, begin: () => void, end: () => void): Promise<string> {
  const log: string[] = []
  const http = `127.0.0.1:${await freePort()}`
  const logger = createLogger({ level: 'info', format: 'lines', write: line => void log.push(line), clock: systemClock })
  const platform = testPlatform({ me: { id: 'bot', name: 'kiki' } })
  await using bot = await startBot(
    { persona: { name: 'kiki' }, database: data, http, plugins: [] },
    { env: {}, platforms: [platform], log: logger },
  )
  expect(await unready(http)).toBeUndefined()
  const began = Date.now()
  begin()
  await until(async () => (await unready(http)) !== undefined)
  expect(Date.now() - began).toBeLessThan(NOTICED_MS)
  const why = (await unready(http)) ?? ''
  end()
  await until(async () => (await unready(http)) === undefined)
  await until(() => log.some(line => line.includes('the database is available again')))
  expect(log.filter(line => line.includes('the database'))).toHaveLength(2)
  expect(log.find(line => line.includes('the database is unavailable'))).toContain('error')
  expect(await bot.receive(platform, said(platform, 'after'))).toBe(true)
  return why
}

export async function isMovedAway(): Promise<void> {
  await using scratch = await mkdtempDisposable(join(tmpdir(), 'kikimimi-moved-'))
  const [data, away] = [join(scratch.path, 'data'), join(scratch.path, 'away')]
  const why = await unusable(
    data,
    () => renameSync(data, away),
    () => renameSync(away, data),
  )
  expect(why).toMatch(/its folder .*data was deleted/)
}

export async function cannotBeWritten(): Promise<void> {
  await using scratch = await mkdtempDisposable(join(tmpdir(), 'kikimimi-read-only-'))
  const data = join(scratch.path, 'data')
  const mount = (...args: string[]) => execFileSync('mount', [...args, data], { stdio: 'pipe' })
  const why = await unusable(
    data,
    () => {
      mount('--bind', data)
      mount('-o', 'remount,bind,ro')
    },
    () => execFileSync('umount', ['--lazy', data]),
  )
  expect(why).toMatch(/it cannot write to its folder .*read-only/)
}
