/**
 * Plays a talk to the bot of bot.config.ts, on a clock that the test moves. A talk is written as people read it:
 *
 *     alice: when does the train leave?      somebody says it
 *     bob > alice: at ten                    in reply to her last words
 *     ci[bot]: build 12 is green             another bot
 *     "any name: at all": hi                 a name with spaces or colons
 *     (20s)                                  time passes
 *     (edited) when does the bus leave?      the last message says something else now
 *     (deleted)  (again)  (restart)          it is gone; its event comes once more; the bot stops and starts
 *
 * ⏎ breaks a line of text. Two seconds pass after each line, and half a minute at the end.
 */
import eavesdrop from '@kikimimi/eavesdrop'
import {
  type BotConfig,
  type ChatModel,
  type Duration,
  type Locale,
  milliseconds,
  type Plugin,
  sleep,
  type Trace,
} from 'kikimimi'
import { type Said, scriptedModel, type TestBot, testBot } from 'kikimimi/testing'
import { vi } from 'vitest'
import { mind, type Says } from '../../plugins/eavesdrop/listener.ts'

// With a key there is a judge in it. Its models are never asked: a scene has its own.
vi.stubEnv('GOOGLE_API_KEY', 'none')
const { default: config } = await import('../../bot.config.ts')

type Answers = Parameters<typeof scriptedModel>[0]

export interface Cast {
  /** What the chat model says. Default: {@link ANSWER}. */
  readonly chat?: Answers
  /** What the judge says. Without it there is none, as without a key. */
  readonly judge?: Answers
  /** How long the models take. Default: no time. */
  readonly takes?: { readonly chat?: Duration; readonly judge?: Duration }
  /** Eavesdrop listens, and this is what its model says. */
  readonly eavesdrop?: Says
  /** In the place of those of the same name. */
  readonly plugins?: readonly Plugin[]
  readonly listen?: BotConfig['listen']
}

/** What came of it. */
export interface Played {
  readonly texts: readonly string[]
  readonly reactions: readonly string[]
  /** How often a model was asked, by role. */
  readonly calls: Readonly<Record<string, number>>
  readonly traces: readonly Trace[]
  /** Milliseconds from each call on the bot to its answer. */
  readonly waits: readonly number[]
  /** All of it, for who wants to know why. */
  readonly report: string
}

interface Heard extends Said {
  readonly id: string
  readonly author: string
  readonly text: string
  readonly at: Date
}

export const ANSWER = 'An answer.'

const LINE = /^(?:"(?<quoted>[^"]+)"|(?<name>[^\s:>"[]+))(?<bot>\[bot\])?(?: > (?<to>[^\s:]+))?: (?<text>.*)$/u
const STAGE = /^\((?<what>[^)]+)\)\s*(?<text>.*)$/u

export async function play(talk: string, cast: Cast, locale: Locale): Promise<Played> {
  const heard: Heard[] = []
  const { bot, calls } = await start(cast, locale)
  await using _stopped = bot

  async function say({ author, text, ...said }: Heard): Promise<void> {
    await bot.say(author, text, said)
    await bot.pass('2s')
  }

  async function direct(what: string, text: string): Promise<void> {
    const last = heard.at(-1)
    if (what === 'restart') return bot.restart()
    if (/^\d/.test(what)) return bot.pass(what as Duration)
    if (!last) throw new Error(`Nobody has said anything before (${what}).`)
    if (what === 'again') return say(last)
    if (what === 'deleted') return bot.remove(last.id)
    if (what === 'edited') return bot.edit(last.id, text)
    throw new Error(`A scene knows no (${what}).`)
  }

  for (const line of talk
    .trim()
    .split('\n')
    .map(line => line.trim())) {
    const { what, text: given = '' } = STAGE.exec(line)?.groups ?? {}
    if (what !== undefined) {
      await direct(what, given)
      continue
    }
    const { quoted, name, bot: isBot, to, text } = LINE.exec(line)?.groups ?? {}
    const author = quoted?.replaceAll('⏎', '\n') ?? name
    if (author === undefined || text === undefined) throw new Error(`This is no line of a scene: ${line}`)
    const answered = (to === bot.platform.me.name && lastPosted(bot)) || heard.findLast(one => one.author === to)
    heard.push({
      id: `m${heard.length}`,
      author,
      text: text.replaceAll('⏎', '\n'),
      at: new Date(bot.clock.now()),
      ...(isBot && { bot: true }),
      ...(to !== undefined && answered && { replyTo: { id: answered.id, author: answered.author } }),
    })
    const message = heard.at(-1)
    if (message) await say(message)
  }
  await bot.pass('30s')

  const traces = await bot.traces()
  const said = new Map(heard.map(one => [one.id, one]))
  return {
    texts: [...bot.sent],
    reactions: bot.posted.flatMap(one => (one.kind === 'reaction' ? [one.emoji] : [])),
    calls,
    traces,
    waits: traces
      .filter(({ outcome, addressed }) => outcome === 'replied' && addressed)
      .map(({ at, trigger, ms }) => at.getTime() + sum(ms) - (said.get(trigger)?.at.getTime() ?? 0)),
    report: [talk, traces.map(trace => tell(trace, said.get(trace.trigger))), bot.sent.map(text => `kiki: ${text}`)]
      .flat()
      .join('\n'),
  }
}

async function start({ chat, judge, takes = {}, eavesdrop: mood, plugins: instead = [], listen }: Cast, locale: Locale) {
  const calls: Record<string, number> = {}
  const listener = mood && mind(mood).model
  const timed = ({ name, generate }: ChatModel, ms: number): ChatModel => ({
    name,
    async generate(request) {
      calls[request.role] = (calls[request.role] ?? 0) + 1
      if (ms > 0) await sleep(bot.clock, ms, request.signal)
      // Eavesdrop asks for a word, judge-llm for a value.
      return listener && request.role === 'judge' && !request.schema ? listener.generate(request) : generate(request)
    },
  })
  const models = {
    chat: timed(scriptedModel(chat ?? ANSWER), milliseconds(takes.chat ?? 0)),
    judge: timed(scriptedModel(judge ?? 'nobody asks'), milliseconds(takes.judge ?? 0)),
  }
  const plugins = config.plugins.flatMap(entry => {
    if (!entry || !('definition' in entry)) return []
    const { name } = entry.definition
    if (name === 'console' || (name === 'judge-llm' && judge === undefined)) return []
    const plugin = instead.find(({ definition }) => definition.name === name) ?? entry
    return name === 'judge-rules' && mood ? [eavesdrop({ channels: ['general'] }), plugin] : [plugin]
  })
  const { database: _, ...rest } = config
  const bot: TestBot = await testBot({ ...rest, plugins, models, locale, ...(listen && { listen }) })
  return { bot, calls }
}

function lastPosted({ platform }: TestBot): { id: string; author: string } | undefined {
  const text = platform.posted.findLast(one => one.kind === 'text')
  return text && { id: text.id, author: platform.me.id }
}

function tell({ at, trigger, addressed, score, decision, outcome, why, models, problems }: Trace, message?: Heard): string {
  const parts = score?.parts.map(part => `${part.why} ${part.points}`).join(', ')
  const details = [
    ...(why === undefined ? [] : [why]),
    ...models.map(({ role, error = 'fine' }) => `${role} model ${error}`),
    ...problems.map(problem => `${problem.plugin} ${problem.stage}: ${problem.message}`),
  ]
  return `${at.toISOString().slice(11, 19)} ${message?.author ?? trigger}: ${message?.text ?? ''} (${addressed ?? 'unasked'})
    ${score ? `score ${score.points}: ${parts || 'no points'}` : 'not scored'}
    ${decision?.plugin ?? 'the kernel'} decided ${decision?.kind}: ${decision?.why}
    ${[outcome, ...details].join(' · ')}`
}

function sum(ms: Trace['ms']): number {
  return Object.values(ms).reduce((total, one) => total + one, 0)
}
