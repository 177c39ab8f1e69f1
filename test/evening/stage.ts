/** The world of the evening: emulators of Discord, Slack and Gemini, and a bot. */

import addressing from '@kikimimi/addressing'
import discordPlugin from '@kikimimi/discord'
import { type DiscordEmulator, startDiscord } from '@kikimimi/discord/testing'
import judgeRules from '@kikimimi/judge-rules'
import reply from '@kikimimi/reply'
import slackPlugin from '@kikimimi/slack'
import { type SlackEmulator, startSlack } from '@kikimimi/slack/testing'
import { ChatGoogleGenerativeAI } from '@langchain/google-genai'
import { type Bot, startBot, systemClock } from 'kikimimi'
import { readTranscript } from 'kikimimi/model'
import type { openTestDatabase } from 'kikimimi/testing'
import { type Gemini, type GeminiCall, type GeminiFault, type GeminiScript, startGemini } from 'kikimimi/testing/gemini'
import { createLogger } from '../../core/base/log.ts'
import { seededRandom } from '../../core/base/random.ts'
import { answer, answered, type Line, type Place } from './script.ts'

/** A message of the bot, and its place. */
export interface Post {
  readonly text: string
  /** A channel of Discord, or a channel of Slack with a thread. */
  readonly where: string
}

export interface Stage extends AsyncDisposable {
  readonly discord: DiscordEmulator
  readonly slack: SlackEmulator
  readonly gemini: Gemini
  readonly bot: Bot
  /** Errors in the log. */
  readonly errors: readonly string[]
  /** A repeated call delivers the same event twice. */
  say(line: Line): void
  /** All messages of the bot. */
  posts(): readonly Post[]
  /** Possible places of the answer to a line: beside it, or in Slack in a thread under it. */
  homes(line: Line): Promise<readonly string[]>
}

/** The message of a line. */
interface Said {
  readonly id: string
  /** In Slack. */
  readonly thread?: string | undefined
}

export async function setStage(db: Awaited<ReturnType<typeof openTestDatabase>>, seed: number): Promise<Stage> {
  await using opening = new AsyncDisposableStack()
  const discord = opening.use(await startDiscord({ guilds: [{ name: 'team', channels: [] }] }))
  const slack = opening.use(await startSlack({ bot: { id: 'UKIKI', name: 'kiki' } }))
  const gemini = opening.use(await startGemini({ answer: failingOneInFive() }))
  const { baseUrl, apiKey } = gemini
  const channels = { general: discord.channel({ name: 'general' }), dev: discord.channel({ name: 'dev' }) }
  const longAgo = { ts: '1700000000.000100', quietly: true }
  const root = await slack.say({ author: 'carol', channel: 'general', text: 'picnic', ...longAgo })

  const errors: string[] = []
  const bot = opening.use(
    await startBot(
      {
        persona: { name: 'kiki' },
        models: { chat: new ChatGoogleGenerativeAI({ baseUrl, apiKey, model: 'gemini-2.5-flash' }) },
        pacing: { minWait: '300ms', maxWait: '2s' },
        plugins: [
          discordPlugin({ token: discord.token, apiUrl: discord.apiUrl }),
          slackPlugin({ botToken: slack.botToken, appToken: slack.appToken, apiUrl: slack.apiUrl }),
          addressing(),
          judgeRules(),
          reply(),
        ],
      },
      {
        db,
        env: {},
        random: seededRandom(seed),
        log: createLogger({ level: 'error', format: 'lines', write: line => void errors.push(line), clock: systemClock }),
      },
    ),
  )

  const said = new Map<string, Promise<Said>>()
  let picnic: string | undefined
  function roomOf({ channel, thread, direct }: Place): string {
    if (direct !== undefined) return discord.direct(direct)
    if (!thread) return channels[channel]
    picnic ??= discord.thread({ channel: channels[channel], name: 'picnic' })
    return picnic
  }
  const channelOf = ({ channel, direct }: Place) => (direct === undefined ? channel : `@${direct}`)

  async function sayInDiscord({ mark, place, author, kind, text, after }: Line): Promise<Said> {
    const known = await said.get(mark)
    if (known) {
      discord.redeliver(known.id)
      return known
    }
    const answers = after && discord.posted.find(post => answered(post.text).includes(after.mark))
    const id = discord.say({
      author,
      channel: roomOf(place),
      text: kind === 'mention' ? `@kiki ${text}` : text,
      ...(kind === 'chat' && { attachments: [{ name: 'notes.txt', type: 'text/plain', url: LONG_URL }] }),
      ...(answers && { replyTo: answers.id }),
    })
    return { id }
  }

  async function sayInSlack({ mark, place, author, kind, text, after }: Line): Promise<Said> {
    const known = await said.get(mark)
    const answers = after && slack.posted.find(post => answered(post.text).includes(after.mark))
    const thread = place.thread ? root.ts : answers?.ts
    const { ts: id } = await slack.say({
      author,
      channel: channelOf(place),
      text,
      mention: kind === 'mention',
      ...(kind === 'chat' && { files: [{ name: 'notes.txt', mimetype: 'text/plain', url_private: LONG_URL }] }),
      ...(thread !== undefined && { thread }),
      ...(known && { ts: known.id }),
    })
    return { id, thread }
  }

  const stack = opening.move()
  return {
    ...{ discord, slack, gemini, bot, errors },

    say(line) {
      said.set(line.mark, line.place.platform === 'discord' ? sayInDiscord(line) : sayInSlack(line))
    },

    posts: () => [
      ...discord.posted.map(({ text, channel }) => ({ text, where: channel })),
      ...slack.posted.map(({ text, channel, thread = '' }) => ({ text, where: `${channel} ${thread}` })),
    ],

    async homes({ mark, place }) {
      if (place.platform === 'discord') return [roomOf(place)]
      const { id = '', thread } = (await said.get(mark)) ?? {}
      return (thread === undefined ? ['', id] : [thread]).map(one => `${channelOf(place)} ${one}`)
    },

    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** Ballast in unanswered messages: a bot that kept every message in memory would keep it too. */
const LONG_URL = `https://files.example.com/${'x'.repeat(39_000)}`

const FAULTS: readonly Exclude<GeminiFault, 'slow'>[] = [429, 500, 'cut', 503, 'broken', 'html']

/** The messages to answer, which are marked in the texts of a request. */
function askedIn({ contents = [] }: GeminiCall['body']): string {
  const texts = contents.flatMap(({ parts }) => parts.flatMap(({ text }) => text ?? []))
  return texts.flatMap(text => readTranscript(text).flatMap(line => (line.asked ? [line.text] : []))).join('\n')
}

/** Every fifth call fails, but no question twice, because a third failure would end its attempts. */
function failingOneInFive(): (call: GeminiCall) => GeminiScript {
  const failed = new Set<string>()
  let owed = 0
  return ({ number, body }) => {
    if (number % 5 === 0) owed++
    const asked = askedIn(body)
    if (owed === 0 || failed.has(asked)) return answer(asked)
    owed--
    failed.add(asked)
    return { fault: FAULTS[failed.size % FAULTS.length] ?? 500 }
  }
}
