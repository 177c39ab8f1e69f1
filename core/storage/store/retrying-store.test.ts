import { expect, test } from 'vitest'
import type { Conversation, Message } from '../../api/index.ts'
import { VirtualClock } from '../../base/clock.ts'
import { createRetryWhileUnavailable } from '../database/retry-while-unavailable.ts'
import { isAway } from '../database/unavailable.ts'
import { createMemoryStore } from './memory.ts'
import { retryingStore } from './retrying-store.ts'

const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' })
// Docker Compose takes away the name of a service that is stopped.
const nameless = Object.assign(new Error('getaddrinfo ENOTFOUND postgres'), { code: 'ENOTFOUND' })
const general: Conversation = {
  ...{ id: 'test//general', platform: 'test', workspace: '', channel: 'general', name: 'general', visibility: 'public' },
}
const hello: Message = {
  ...{
    id: 'm1',
    author: { id: 'alice', name: 'alice' },
    text: 'hello',
    at: new Date(0),
    mentions: [],
    attachments: [],
    own: false,
  },
}

/** A store on a database that fails with this error while it is set. */
function waiting(failure: Error | undefined) {
  const clock = new VirtualClock()
  const stopping = new AbortController()
  const memory = createMemoryStore()
  const database = { failure }
  const store = retryingStore(
    {
      ...memory,
      async record(...args) {
        if (database.failure) throw database.failure
        return memory.record(...args)
      },
    },
    createRetryWhileUnavailable({ clock, isAway, stopping: stopping.signal }),
    { counted: recording => recording },
  )
  const record = () => store.record(general, hello, new Date(clock.now()))
  const pass = (ms: number) => clock.advance(clock.now() + ms, { settle: () => new Promise(done => setImmediate(done)) })
  return { database, stopping, record, pass }
}

test.each([refused, nameless])('a message waits for an unavailable database: $message', async failure => {
  const { database, record, pass } = waiting(failure)
  const recorded = Promise.all([record(), record()])
  await pass(60_000)
  database.failure = undefined
  await pass(1_000)
  expect((await recorded).toSorted()).toEqual([false, true])
})

test('it is refused after five minutes, and when the bot stops', async () => {
  const { stopping, record, pass } = waiting(refused)
  const late = expect(record()).rejects.toBe(refused)
  await pass(301_000)
  await late
  const stopped = expect(record()).rejects.toThrow('stopped')
  await pass(1_000)
  stopping.abort(new Error('stopped'))
  await stopped
})

test('an error that does not pass is thrown at once', async () => {
  const broken = Object.assign(new Error('value too long'), { code: '22001' })
  const { record } = waiting(broken)
  await expect(record()).rejects.toBe(broken)
})
