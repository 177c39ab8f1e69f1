/** People who talk on a platform. Some messages mention the bot, which answers. */
import { startDiscord } from '../../../plugins/discord/testing/index.ts'
import { startSlack } from '../../../plugins/slack/testing/index.ts'
import { line } from '../../base/talk.ts'
import type { Settings } from './messages.ts'

export interface People extends AsyncDisposable {
  /** The address of the simulated platform for the bot. */
  readonly settings: Omit<Settings, 'database'>
  /** Writes the next message. Resolves with its id. */
  say(): Promise<string>
  /** The posts of the bot, oldest first. */
  readonly posted: readonly Post[]
}

export interface Post {
  readonly channel: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** How many channels there are, and which message in each so many mentions the bot: a prime, so that each channel has its share. */
export interface Talk {
  readonly channels: number
  readonly mentions: number
}

const PERSONS = 40
const TALK = { channels: 20, mentions: 101 }

const nameOf = (index: number) => `channel-${index}`

/** The n-th message. The channels take turns. */
export function spoken(index: number, { channels, mentions }: Talk) {
  const mention = index % mentions === mentions - 1
  return {
    author: `person-${(index * 7) % PERSONS}`,
    channel: nameOf(index % channels),
    // No question: a line of the talk would count as its answer.
    text: mention ? `tell me about number ${index}` : line(index),
    mention,
  }
}

/** The first millisecond of Discord's ids. */
const EPOCH = 1_420_070_400_000

export async function inDiscord(talk: Talk = TALK): Promise<People> {
  const channels = Array.from({ length: talk.channels }, (_, index) => nameOf(index))
  const discord = await startDiscord({ guilds: [{ name: 'team', channels }] })
  const names = new Map(channels.map(name => [discord.id(name), name]))
  let count = 0
  return {
    settings: { discord: { token: discord.token, apiUrl: discord.apiUrl } },
    async say() {
      const { mention, text, ...rest } = spoken(count++, talk)
      return discord.say({ ...rest, text: mention ? `@kiki ${text}` : text })
    },
    get posted() {
      return discord.posted.map(({ channel, id }) => ({
        channel: names.get(channel) ?? channel,
        at: Number(BigInt(id) >> 22n) + EPOCH,
      }))
    },
    [Symbol.asyncDispose]: () => discord.close(),
  }
}

export async function inSlack(talk: Talk = TALK): Promise<People> {
  const slack = await startSlack({ bot: { id: 'UKIKI', name: 'kiki' } })
  let count = 0
  return {
    settings: { slack: { botToken: slack.botToken, appToken: slack.appToken, apiUrl: slack.apiUrl } },
    say: async () => (await slack.say(spoken(count++, talk))).ts,
    get posted() {
      return slack.posted.map(({ channel, ts }) => ({ channel, at: Number(ts) * 1_000 }))
    },
    [Symbol.asyncDispose]: () => slack.close(),
  }
}
