/** The process is killed at any moment. */

import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from 'kikimimi'
import { openTestDatabase, testRounds, testServer } from 'kikimimi/testing'
import { expect } from 'vitest'
import { openDatabase } from '../../core/storage/database/database.ts'
import { inspect } from '../../core/testing/crash/findings.ts'
import { playRounds } from '../../core/testing/crash/rounds.ts'
import type { Doubles } from '../../core/testing/crash/victim.ts'
import { silent } from '../support.ts'

// `npm run bench:kills` prints what the rounds find.
const { rounds, seed } = testRounds({ few: 1, all: 50 })

export async function isKilled(doubles: Doubles): Promise<void> {
  await using opened = new AsyncDisposableStack()
  const scratch = opened.use(await mkdtempDisposable(join(tmpdir(), 'kikimimi-kill-')))
  const server = testServer() ? opened.adopt(await openTestDatabase(), db => db.close()) : undefined
  const database = server && 'url' in server ? server.url : join(scratch.path, 'data')
  const journal = join(scratch.path, 'journal')
  const course = await playRounds({ database, journal, doubles, rounds, messages: rounds > 1 ? 300 : 100, seed })
  const db = server ?? opened.adopt(await openDatabase(database, { log: silent, clock: systemClock }), one => one.close())
  const { wrong } = await inspect(db, course, journal, doubles)
  expect(wrong, `seed ${seed}; a message is named by its round and number`).toEqual([])
}
