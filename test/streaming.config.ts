/** A bot for tests: it writes its answers word by word. */
import discord from '@kikimimi/discord'
import slack from '@kikimimi/slack'
import { defineBot, definePlugin, sleep, systemClock } from 'kikimimi'
import { wholeAnswer } from './streaming/answer.ts'

const { DATABASE_URL = '', DISCORD_TOKEN, SLACK_BOT_TOKEN } = process.env

/** Milliseconds for one word. */
const WORD = 80

const writer = definePlugin({
  name: 'writer',
  setup: () => ({
    async respond({ message, show, signal }) {
      const words = wholeAnswer(message.text).split(/(?<= )/)
      for (let count = 1; count <= words.length; count++) {
        show?.({ kind: 'text', text: words.slice(0, count).join('') })
        await sleep(systemClock, WORD, signal)
      }
      return { kind: 'text', text: words.join('') }
    },
  }),
})

export default defineBot({
  persona: { name: 'kiki' },
  database: DATABASE_URL,
  plugins: [DISCORD_TOKEN && discord({ streaming: 'everywhere' }), SLACK_BOT_TOKEN && slack(), writer],
})
