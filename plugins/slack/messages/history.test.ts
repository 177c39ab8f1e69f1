/** The end of threads of any length and rhythm, with at most three calls. */
import { expect, test } from 'vitest'
import { mention, startWithPlatform, until } from '../test-bot.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Seconds between the root and each of so many replies. */
const even = (count: number, seconds: number) => Array.from({ length: count }, (_, at) => ((at + 1) * seconds) / (count + 1))
const burstThenFew = (count: number, seconds: number, few: number, until: number) => [
  ...even(count, seconds),
  ...even(few, until - seconds).map(after => seconds + after),
]

test.each<[title: string, replies: readonly number[], askedAfter: number]>([
  ['150 replies in an hour, asked at once', even(150, HOUR), HOUR],
  ['250 replies in 10 minutes, asked an hour later', even(250, 10 * MINUTE), HOUR],
  ['250 replies in 2 hours, asked a day later', even(250, 2 * HOUR), DAY],
  ['600 replies in 4 hours, 7 days ago', even(600, 4 * HOUR), 7 * DAY],
  ['2,900 replies in a day, asked 30 days later', even(2_900, DAY), 30 * DAY],
  ['5,000 replies, evenly until now', even(5_000, 10 * DAY), 10 * DAY],
  ['5,000 replies in 3 hours, asked 2 days later', even(5_000, 3 * HOUR), 2 * DAY],
  ['4,990 replies in a day, and 10 in the month after it', burstThenFew(4_990, DAY, 10, 30 * DAY), 30 * DAY],
  ['4,000 replies in an hour, and 300 in the days after it', burstThenFew(4_000, HOUR, 300, 5 * DAY), 5 * DAY],
])('%s: the latest 50', async (_title, replies, askedAfter) => {
  await using on = await startWithPlatform()
  await on.slack.say(mention('well?'))
  await until(() => on.texts().length === 1)
  const began = Math.floor(Date.now() / 1_000) - askedAfter - MINUTE
  const stamp = (seconds: number) => (began + seconds).toFixed(6)
  const thread = stamp(0)
  const about = { author: 'bob', channel: 'general', quietly: true }
  await on.slack.say({ ...about, text: 'a topic', ts: thread })
  for (const [index, after] of replies.entries())
    await on.slack.say({ ...about, text: `reply ${index}`, ts: stamp(after), thread })
  const [turn] = on.turns
  if (!turn) throw new Error('no turn')
  const asked = { before: stamp(askedAfter + 1), limit: 50 }
  const read = await on.platform.history({ ...turn.conversation, thread }, asked, turn.signal)
  expect(read.map(({ text }) => text)).toEqual(replies.slice(-50).map((_, index) => `reply ${replies.length - 50 + index}`))
  expect(on.slack.calls.filter(({ method }) => method === 'conversations.replies').length).toBeLessThanOrEqual(3)
})
