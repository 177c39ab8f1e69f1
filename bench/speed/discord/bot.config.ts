/** The measured bot, in its own process. It answers each mention at once, so that the figures are those of Discord's limits. */
import discord from '@kikimimi/discord'
import { defineBot, definePlugin } from 'kikimimi'

const { BENCH_DATABASE, BENCH_TOKEN, BENCH_URL } = process.env

const echo = definePlugin({
  name: 'echo',
  setup: () => ({ respond: ({ message }) => ({ kind: 'text', text: `re ${message.id}` }) }),
})

// The measuring process is gone, so this one ends.
process.on('disconnect', () => process.exit())

export default defineBot({
  persona: { name: 'kiki' },
  ...(BENCH_DATABASE && { database: BENCH_DATABASE }),
  pacing: { minWait: '50ms', jitter: 0 },
  concurrency: 50,
  plugins: [discord({ ...(BENCH_TOKEN && { token: BENCH_TOKEN }), ...(BENCH_URL && { apiUrl: BENCH_URL }) }), echo],
})
