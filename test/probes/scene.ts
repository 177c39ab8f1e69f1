/**
 * Plays a talk to the bot of bot.config.ts, on a clock that the test moves. A talk is written as people read it:
 *
 *     alice: when does the train leave?      somebody says it
 *     bob > alice: at ten                    in reply to her last words
 *     ci[bot]: build 12 is green             another bot
 *     "any name: at all": hi                 a name with spaces or colons
 *     alice=Alicia: hi                       what she is called now
 *     [dev] alice: hi                        in another channel; [board, private], [alice, direct]: in one of that kind
 *     (20s)                                  time passes
 *     (edited) when does the bus leave?      the last message says something else now
 *     (deleted)  (again)  (restart)          it is gone; its event comes once more; the bot stops and starts
 *
 * ⏎ breaks a line of text. Two seconds pass after each line, and a minute at the end.
 */
import type { Locale, Trace } from 'kikimimi'
import type { Duration } from 'kikimimi/host'
import type { Visibility } from 'kikimimi/platform'
import type { Said, TestBot } from 'kikimimi/testing'
import { type Cast, start } from './cast.ts'

/** The result. */
export interface Played {
  readonly texts: readonly string[]
  readonly reactions: readonly string[]
  /** Number of model calls, by role. */
  readonly calls: Readonly<Record<string, number>>
  readonly traces: readonly Trace[]
  /** Milliseconds from each mention to its answer. */
  readonly waits: readonly number[]
  /** All traces, to find the reasons. */
  readonly report: string
}

interface Heard extends Said {
  readonly id: string
  readonly author: string
  readonly text: string
  readonly at: Date
}

const LINE =
  /^(?:\[(?<channel>[^\],]+)(?:, (?<visibility>public|private|direct))?\] )?(?:"(?<quoted>[^"]+)"|(?<name>[^\s:>"[=]+)(?:=(?<called>[^\s:>]+))?)(?<bot>\[bot\])?(?: > (?<to>[^\s:]+))?: (?<text>.*)$/u
const STAGE = /^\((?<what>[^)]+)\)\s*(?<text>.*)$/u

export async function play(talk: string, cast: Cast, locale: Locale): Promise<Played> {
  const heard: Heard[] = []
  const { bot, calls } = await start(cast, locale, talk.includes('(restart)') ? { storage: 'pglite' } : {})
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

  for (const line of talk.trim().split(/\s*\n\s*/)) {
    const { what, text: given = '' } = STAGE.exec(line)?.groups ?? {}
    if (what !== undefined) {
      await direct(what, given)
      continue
    }
    const { channel, visibility, quoted, name, called, bot: isBot, to, text } = LINE.exec(line)?.groups ?? {}
    const author = quoted?.replaceAll('⏎', '\n') ?? name
    if (author === undefined || text === undefined) throw new Error(`This is no line of a scene: ${line}`)
    const answered = (to === bot.platform.me.name && lastPosted(bot)) || heard.findLast(one => one.author === to)
    const message: Heard = {
      id: `m${heard.length}`,
      author,
      text: text.replaceAll('⏎', '\n'),
      at: new Date(bot.clock.now()),
      ...(isBot && { bot: true }),
      ...(called !== undefined && { name: called }),
      ...(channel !== undefined && { channel, visibility: visibilityOf(visibility) }),
      ...(to !== undefined && answered && { replyTo: { id: answered.id, author: answered.author } }),
    }
    heard.push(message)
    await say(message)
  }
  await bot.pass('1m')

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

function visibilityOf(word = 'public'): Visibility {
  return word === 'private' || word === 'direct' ? word : 'public'
}

function lastPosted({ platform }: TestBot): { id: string; author: string } | undefined {
  const text = platform.posted.findLast(one => one.kind === 'text')
  return text && { id: text.id, author: platform.me.id }
}

function sum(ms: Trace['ms']): number {
  return Object.values(ms).reduce((total, one) => total + one, 0)
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
