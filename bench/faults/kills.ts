/** A bot that is killed repeatedly at random moments: what is recorded, judged, answered, given up. */
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { systemClock } from 'kikimimi'
import { openDatabase } from '../../core/storage/database/database.ts'
import { inspect } from '../../core/testing/crash/findings.ts'
import { playRounds } from '../../core/testing/crash/rounds.ts'
import type { Doubles } from '../../core/testing/crash/victim.ts'
import { inFolder, onServer } from '../base/databases.ts'
import { progress } from '../base/measure.ts'
import { benchLog } from '../base/talk.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '40' },
    /** In each round. */
    messages: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    /** `refused`: the platform drops doubles. `found`: it finds a message by its nonce. `possible`: neither. */
    doubles: { type: 'string', default: 'refused' },
  },
})
const { DATABASE_URL } = process.env
const doubles = values.doubles as Doubles

async function measure(database: string) {
  await using scratch = await mkdtempDisposable(join(tmpdir(), 'kikimimi-kills-'))
  const journal = join(scratch.path, 'journal')
  const [rounds, messages, seed] = [Number(values.rounds), Number(values.messages), Number(values.seed)]
  const course = await playRounds({ database, journal, doubles, rounds, messages, seed })
  const db = await openDatabase(database, { clock: systemClock, log: benchLog })
  try {
    return await inspect(db, course, journal, doubles)
  } finally {
    await db.close()
  }
}

progress('with its data in a folder')
const folder = await inFolder(measure)
if (DATABASE_URL) progress('with its data on the server')
const server = DATABASE_URL ? await onServer(DATABASE_URL, measure) : undefined
process.stdout.write(`${JSON.stringify({ folder, server }, null, 2)}\n`)
if ([folder, server].some(found => found && found.wrong.length > 0)) process.exitCode = 1
