/** A bot for tests: the dashboard beside the platforms with a token in the environment. */
import addressing from '@kikimimi/addressing'
import dashboard from '@kikimimi/dashboard'
import discord from '@kikimimi/discord'
import reply from '@kikimimi/reply'
import slack from '@kikimimi/slack'
import terminal from '@kikimimi/terminal'
import { defineBot } from 'kikimimi'

const { DATABASE_URL, DISCORD_TOKEN, SLACK_BOT_TOKEN } = process.env

export default defineBot({
  persona: { name: 'kiki' },
  database: DATABASE_URL ?? 'memory',
  plugins: [dashboard(), terminal(), DISCORD_TOKEN && discord(), SLACK_BOT_TOKEN && slack(), addressing(), reply()],
})
