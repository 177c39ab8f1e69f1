/** Two days of messages in three channels, as a backup that a bot restores. */
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { systemClock, VirtualClock } from '../../../core/base/clock.ts'
import { seededRandom } from '../../../core/base/random.ts'
import { openDatabase } from '../../../core/storage/database/database.ts'
import { silentLog } from '../../../core/testing/test-log.ts'
import { dumpTo } from '../../../packages/backup/data/stream.ts'
import { botOn } from '../../../test/upgrade/bot.ts'

const SAYINGS = [
  'the train leaves at ten from the other platform',
  'does anybody know when the train leaves?',
  '@kiki when does the train leave?',
  'kiki was right about that',
  'I will take a look after lunch',
  'what do you think?',
  'my sister works at the harbour',
  'has anybody seen the key to the shed?',
  'ok',
  'thanks!',
  '昨日の会議の議事録、あとで共有します',
  '誰か駅までの道を知りませんか？',
]
const PEOPLE = ['Alice', 'Bob', 'Carol', 'Dave']

/** @returns the number of messages of people */
export async function writeWeek(file: string): Promise<number> {
  const random = seededRandom(7)
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T
  const db = await openDatabase('memory', { clock: systemClock, log: silentLog })
  const bot = await botOn(db, new Date('2026-01-05T10:00:00Z'))
  let messages = 0
  for (let day = 0; day < 2; day++) {
    for (let talk = 0; talk < 8; talk++) {
      const where = pick([{ channel: 'general' }, { channel: 'office' }, { channel: 'board', visibility: 'private' as const }])
      for (let turn = 0; turn < 4; turn++) {
        await bot.say(pick(PEOPLE), pick(SAYINGS), where)
        await bot.pass(pick(['3s', '20s', '2m'] as const))
        messages++
      }
      await bot.pass('1h')
    }
    await bot.pass('16h')
  }
  await bot.bot.stop()
  const gzip = createGzip()
  const written = pipeline(gzip, createWriteStream(file))
  await dumpTo(db, gzip, { clock: new VirtualClock(new Date('2026-01-08T10:00:00Z')) })
  await written
  await db.close()
  return messages
}
