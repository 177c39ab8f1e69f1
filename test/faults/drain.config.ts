/** A slow bot that names the message in its answer. */
import discord from '@kikimimi/discord'
import { defineBot, definePlugin, sleep } from 'kikimimi'

const names = definePlugin({
  name: 'names',
  setup: ({ clock }) => ({
    async respond({ messages, signal }) {
      await sleep(clock, 200, signal)
      const calls = messages.filter(({ addressed }) => addressed)
      return { kind: 'text', text: calls.map(({ text }) => text.replace('@kiki ', '')).join(' ') }
    },
  }),
})

const { DATABASE = 'memory' } = process.env

export default defineBot({ persona: { name: 'kiki' }, database: DATABASE, plugins: [discord(), names] })
