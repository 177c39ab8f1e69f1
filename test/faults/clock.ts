/** The clock of the machine is set forward or back while timers are pending. */
import quiet from '@kikimimi/quiet'
import { definePlugin } from 'kikimimi'
import { testBot } from 'kikimimi/testing'
import { expect } from 'vitest'

const HOUR = 60 * 60_000

/** All kinds of pending work: a judgement, a delayed answer, a job, repeated work, and a mute. */
async function everythingWaits() {
  const judged: string[] = []
  const ran: string[] = []
  const waits = definePlugin({
    name: 'waits',
    setup(ctx) {
      const later = ctx.job<string>('later', name => void ran.push(name))
      ctx.every('tick', '1h', () => void ran.push('tick'))
      return {
        async decide({ addressed, message }) {
          judged.push(message.id)
          if (message.id === 'delayed') return { kind: 'full', why: 'later', delayMs: 30 * 60_000 }
          if (!addressed) return { kind: 'silent', why: 'nobody asked' }
          await later.schedule(message.id, { at: new Date(ctx.clock.now() + 45 * 60_000), key: message.id })
          return undefined
        },
        respond: ({ message }) => ({ kind: 'text', text: message.id }),
      }
    },
  })
  const bot = await testBot({ storage: 'pglite', plugins: [quiet(), waits], pacing: { jitter: 0 } })
  await bot.say('alice', '@kiki be quiet', { channel: 'muted' })
  await bot.say('alice', 'an answer, some time', { id: 'delayed', channel: 'delayed' })
  await bot.pass('10s')
  await bot.say('alice', '@kiki hello', { id: 'called' })
  await bot.say('alice', 'hello', { id: 'pending', channel: 'pending' })
  expect({ judged, ran, sent: bot.sent }).toEqual({ judged: ['delayed', 'called'], ran: [], sent: ['called'] })
  return {
    bot,
    judged,
    ran,
    /** The visible results after the clock was changed. */
    async set(by: number) {
      bot.clock.set(bot.clock.now() + by)
      await bot.pass('5s')
    },
  }
}

export async function forward(): Promise<void> {
  const { bot, judged, ran, set } = await everythingWaits()
  await using _stopped = bot
  await set(24 * HOUR)
  // All due work happens once.
  expect(judged).toEqual(['delayed', 'called', 'pending'])
  expect(bot.sent).toEqual(['called', 'delayed'])
  expect(ran.toSorted()).toEqual(['called', 'tick'])
  await bot.say('alice', 'hello', { id: 'unmuted', channel: 'muted' })
  await bot.pass('5s')
  expect(judged).toContain('unmuted')
}

export async function back(): Promise<void> {
  const { bot, judged, ran, set } = await everythingWaits()
  await using _stopped = bot
  await set(-HOUR)
  await bot.say('alice', '@kiki hello', { id: 'again' })
  expect(bot.sent).toEqual(['called', 'again'])
  // A pending judgement is due an hour later, or at the next message.
  await bot.say('alice', 'are you there?', { id: 'next', channel: 'pending' })
  await bot.pass('5s')
  expect(judged).toEqual(['delayed', 'called', 'again', 'next'])
  await bot.say('alice', 'hello', { id: 'muted', channel: 'muted' })
  await bot.pass('61m')
  expect({ judged: judged.includes('muted'), ran, sent: bot.sent }).toEqual({
    judged: false,
    ran: ['again'],
    sent: ['called', 'again'],
  })
  await bot.pass('1h')
  expect(ran.toSorted()).toEqual(['again', 'called', 'tick'])
  expect(bot.sent).toEqual(['called', 'again', 'delayed'])
}
