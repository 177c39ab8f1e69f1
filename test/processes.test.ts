import { openTestDatabase } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import { measured } from '../bench/processes/measured.ts'

// For longer: npm run bench:processes
const load = { seconds: 10, perSecond: 100, kills: 1, idempotent: true }

test.skipIf(!process.env.TEST_DATABASE_URL)(
  'one of two processes on a server is killed: all that people said is recorded once, and who called is answered once',
  { timeout: 200_000 },
  async () => {
    const db = await openTestDatabase()
    try {
      if (db.kind !== 'postgres') throw new Error('not a server')
      const { messages, questions, unasked } = await measured({ ...load, database: db.url })
      expect(messages).toMatchObject({ said: 1_000, recorded: 1_000 })
      expect(questions).toMatchObject({ answeredOnce: questions.asked, unanswered: 0, answeredTwice: 0 })
      expect(unasked).toBe(0)
    } finally {
      await db.close()
    }
  },
)
