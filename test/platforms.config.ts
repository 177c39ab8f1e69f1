/** A bot for tests: it connects to platforms with a token in the environment, and answers mentions. */
import discord from '@kikimimi/discord'
import slack from '@kikimimi/slack'
import { defineBot, definePlugin } from 'kikimimi'

const { DATABASE_URL, DISCORD_TOKEN, SLACK_BOT_TOKEN } = process.env

const yes = definePlugin({
  name: 'yes',
  setup: () => ({ respond: ({ message }) => ({ kind: 'text', text: `yes, ${message.author.name}` }) }),
})

export default defineBot({
  persona: { name: 'kiki' },
  database: DATABASE_URL ?? false,
  plugins: [DISCORD_TOKEN && discord(), SLACK_BOT_TOKEN && slack(), yes],
})
