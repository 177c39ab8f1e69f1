/** A bot that answers each mention with its text: `kikimimi start --config bench/faults/workspaces/bot.config.ts`. */
import slack from '@kikimimi/slack'
import { defineBot, definePlugin } from 'kikimimi'
import type { Settings } from './settings.ts'

const { database, http, slack: options }: Settings = JSON.parse(process.env.BENCH_SETTINGS ?? '{}')

const echo = definePlugin({
  name: 'echo',
  setup: () => ({
    respond: ({ messages }) => ({
      kind: 'text',
      text: messages.flatMap(({ addressed, text }) => (addressed ? [`to ${text}`] : [])).join('\n'),
    }),
  }),
})

export default defineBot({ persona: { name: 'kiki' }, database, http, concurrency: 8, plugins: [slack(options), echo] })
