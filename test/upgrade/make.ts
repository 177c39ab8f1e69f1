/**
 * Creates the data for tests of upgrades: two days of messages, and the memories of this version. `npm run release` runs it.
 *
 *   node test/upgrade/make.ts test/upgrade/0.1.0.backup
 */

import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { systemClock, VirtualClock } from '../../core/base/clock.ts'
import { openDatabase } from '../../core/storage/database/database.ts'
import { silentLog } from '../../core/testing/test-log.ts'
import { dump } from '../../packages/backup/data/dump.ts'
import { botOn } from './bot.ts'

/** Returns the number of rows in the file. */
export async function makeBackup(file: string): Promise<number> {
  const begin = new Date('2026-01-05T10:00:00Z')
  const db = await openDatabase('memory', { clock: systemClock, log: silentLog })
  const bot = await botOn(db, begin)

  // Orders and conversations: facts, profiles, memories of channels and threads.
  await bot.say('Alice', 'my cat is called Momo')
  await bot.say('Bob', 'kiki, remember that the spare key is under the blue pot')
  for (const [author, text] of [
    ['Alice', 'I moved to Osaka last week'],
    ['Bob', 'the release is on Friday'],
    ['Carol', 'うちの犬の名前はポチです'],
    ['Alice', 'we meet at the station at nine'],
    ['Bob', 'I like old trains'],
    ['Carol', '来週の会議は水曜日です'],
    ['Alice', 'the server restarts on Mondays'],
    ['Bob', 'my sister works at the harbour'],
    ['Erin', 'my bicycle is red'],
    ['Carol', 'does anybody have the key?'],
    ['Bob', '@kiki where is the spare key?'],
  ] as const) {
    await bot.say(author, text)
    await bot.pass('20s')
  }
  await bot.say('Carol', 'the plan is in the wiki', { thread: 'plans' })
  await bot.say('Alice', 'the password is in the drawer', { channel: 'board', visibility: 'private' })
  await bot.say('Dora', 'remember that I am allergic to nuts', { channel: 'dora', visibility: 'direct' })
  await bot.pass('1d')
  await bot.say('Alice', 'good morning everybody')
  await bot.pass('2h')

  // Lasting requests.
  await bot.say('Erin', '@kiki forget me')
  await bot.say('Dave', '@kiki don’t listen to me')
  await bot.say('Bob', '@kiki be quiet for 20 hours', { channel: 'office' })
  await bot.pass('30m')

  // Messages that are not judged yet.
  await bot.say('Alice', 'does anybody know when the train leaves?')
  await bot.bot.stop()

  const lines = new Readable({ objectMode: true, read: () => {} })
  const written = pipeline(
    lines.map(line => `${line}\n`),
    createGzip({ level: 9 }),
    createWriteStream(file),
  )
  const rows = await dump(db, new VirtualClock(begin), async line => void lines.push(line))
  lines.push(null)
  await written
  await db.close()
  return rows
}

if (import.meta.main) {
  const [file] = process.argv.slice(2)
  if (file === undefined) throw new Error('Into which file?')
  process.stdout.write(`${await makeBackup(file)} rows in ${file}\n`)
}
