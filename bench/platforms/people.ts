/** People who talk on a platform. One message in a hundred mentions the bot, which answers. */
import { startDiscord } from '../../plugins/discord/testing/index.ts'
import { startSlack } from '../../plugins/slack/testing/index.ts'
import { line } from '../base/talk.ts'
import type { Settings } from './messages.ts'

export interface People extends AsyncDisposable {
  /** The address of the simulated platform for the bot. */
  readonly settings: Omit<Settings, 'database'>
  /** Writes the next message. Resolves with its id. */
  say(): Promise<string>
  /** The number of posts of the bot. */
  readonly posted: number
}

const CHANNELS = Array.from({ length: 20 }, (_, index) => `channel-${index}`)
const PERSONS = 40
/** A prime, so that each channel has its share. */
const MENTIONS = 101

/** The n-th message. The channels take turns. */
function spoken(index: number) {
  return {
    author: `person-${(index * 7) % PERSONS}`,
    channel: CHANNELS[index % CHANNELS.length] ?? '',
    text: line(index),
    mention: index % MENTIONS === MENTIONS - 1,
  }
}

export async function inDiscord(): Promise<People> {
  const discord = await startDiscord({ guilds: [{ name: 'team', channels: CHANNELS }] })
  let count = 0
  return {
    settings: { discord: { token: discord.token, apiUrl: discord.apiUrl } },
    async say() {
      const { mention, text, ...rest } = spoken(count++)
      return discord.say({ ...rest, text: mention ? `@kiki ${text}` : text })
    },
    get posted() {
      return discord.posted.length
    },
    [Symbol.asyncDispose]: () => discord.close(),
  }
}

export async function inSlack(): Promise<People> {
  const slack = await startSlack({ bot: { id: 'UKIKI', name: 'kiki' } })
  let count = 0
  return {
    settings: { slack: { botToken: slack.botToken, appToken: slack.appToken, apiUrl: slack.apiUrl } },
    say: async () => (await slack.say(spoken(count++))).ts,
    get posted() {
      return slack.posted.length
    },
    [Symbol.asyncDispose]: () => slack.close(),
  }
}
