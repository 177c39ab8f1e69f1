/** Replays the messages of a channel through this bot, with today's options and with others. */

import {
  type BotConfig,
  type Conversation,
  type Database,
  estimateTokens,
  KikimimiError,
  type Person,
  systemClock,
} from 'kikimimi'
import type { ModelCall } from 'kikimimi/host'
import { createLogger, namesOf } from 'kikimimi/host'
import type { GenerateRequest } from 'kikimimi/model'
import { asItself, type Common, LOUDNESS, type OwnRun, type Seen } from './as-itself.ts'
import type { Variant } from './changes.ts'
import { CONTEXT, latestIn } from './database-log.ts'
import { shareOf } from './eval/figures.ts'
import { mostTokensOf, priceOf } from './eval/metered.ts'
import { type Answers, askJudge, type JudgeModel, type KnownVerdicts } from './judge/ask.ts'
import { VERDICT } from './judge/judges.ts'
import type { ChatLog, LogLine } from './logs/chat-log.ts'
import type {
  ChannelReplay,
  InPlaces,
  ReplayDifference,
  ReplayRequest,
  ReplaySide,
  ReplayTurn,
  Sampling,
  Undecided,
} from './request.ts'
import { type Run, replayLogs } from './run.ts'
import { addSums, metricsOf, noSums, type Sums } from './scores.ts'
import { type Seat, seatsIn } from './seats.ts'

export interface ChannelReplayOptions extends Pick<ReplayRequest, 'channel' | 'limit' | 'members' | 'progress' | 'ask'> {
  readonly db: Database
  /** The bot of the channel. */
  readonly me: Person
  readonly today: Variant
  /** The config with the changes. Without changes it is the same object, and the replay runs once. */
  readonly changed: Variant
  /** The verdicts that the judge gave in the channel, by message. */
  readonly recorded: ReadonlyMap<string, number>
  /** The real model of the judge. Absent: there is none. */
  readonly judge: JudgeModel | undefined
  /** Verdicts of earlier samples. */
  readonly known: KnownVerdicts
  /** Receives every call of the judge. */
  onCall(call: ModelCall): void
  readonly project: URL | undefined
  readonly signal: AbortSignal
  readonly start: Run['start']
}

export const SEED = 1

/** A replay writes no log. */
export const log = createLogger({ level: 'silent', format: 'lines', write: () => {}, clock: systemClock })

/** Returns nothing when the channel has no messages. @throws MODEL_MISSING to ask a judge without a model */
export async function replayChannel(options: ChannelReplayOptions): Promise<Omit<ChannelReplay, 'leftOut'> | undefined> {
  const { me, today, changed, recorded, judge, ask, members = 3, progress, signal } = options
  if (ask && !judge) throw new KikimimiError('MODEL_MISSING', 'bot.config.ts has no model that judges.')
  const { lines, itself, others } = await logsOf(options)
  const counted = lines.filter(({ context }) => !context)
  const [first, last] = [counted.at(0), counted.at(-1)]
  if (!first || !last) return undefined
  const busiest = await seatsIn(others, { busiest: members })
  // Without answers between people there is nothing to measure.
  const seats = busiest.some(({ answered }) => answered.size > 0) ? busiest : []

  const variants = today === changed ? [today] : [today, changed]
  // With questions to the judge, each bot runs before them and after them, and they take as long as a run of one bot.
  const runs = variants.length * (1 + seats.length + (ask ? 1 : 0)) + (ask ? 1 : 0)
  const all = lines.length * runs
  let done = 0
  const progressed = (more: number) => {
    done += more
    // A sum of shares can be a little more than one.
    progress?.(Math.min(1, done / all))
  }
  const common = {
    start: options.start,
    project: options.project,
    seed: SEED,
    log,
    undecided: true,
    signal,
    progress: () => progressed(1),
  }
  const name = judge ? (namesOf({ chat: judge })[0] ?? '') : undefined
  const asOwn = (variant: Variant, sampled?: Answers['verdicts']) =>
    asItself(itself, { me, name, recorded, sampled }, { ...common, ...variant })

  let own = await each(variants, variant => asOwn(variant))
  const prompts = new Map(own.flatMap(run => [...run.prompts]))
  let asked: Answers | undefined
  if (ask && judge) {
    asked = await askAbout(prompts, ask, { ...options, judge }, share => progressed(lines.length * share))
    const { verdicts } = asked
    own = await each(variants, variant => asOwn(variant, verdicts))
  }
  const places = seats.length > 0 ? await each(variants, variant => inPlaces(others, seats, { ...common, ...variant })) : []
  const [one, other = one] = own
  if (!one || !other) return undefined
  const undecided = name !== undefined && undecidedOf(name, prompts, today.config.budget?.prices)
  return {
    messages: counted.length,
    from: first.at,
    to: last.at,
    today: sideOf(one, places[0], asked),
    changed: sideOf(other, places.at(-1), asked),
    ...(undecided && { undecided }),
    ...(asked && { asked: withoutVerdicts(asked) }),
    differences: counted.flatMap(({ id }) => differenceAt(id, one.turns.get(id), other.turns.get(id)) ?? []),
  }
}

/** One after the other: two replays at a time would hold both in memory. */
async function each<T, U>(all: readonly T[], run: (one: T) => Promise<U>): Promise<U[]> {
  const done: U[] = []
  for (const one of all) done.push(await run(one))
  return done
}

// ---------------------------------------------------------------- the judge

type Prompts = ReadonlyMap<string, GenerateRequest>

async function askAbout(
  prompts: Prompts,
  { calls, tokens }: Sampling,
  { judge, known, today, signal, onCall }: ChannelReplayOptions & { readonly judge: JudgeModel },
  progress: (share: number) => void,
): Promise<Answers> {
  let missing = 0
  return askJudge(prompts, {
    ...{ model: judge, prices: today.config.budget?.prices, sample: calls, budget: tokens, known, log, signal, onCall },
    begin: (sampled, cached) => {
      missing = sampled - cached
      if (missing === 0) progress(1)
    },
    progress: () => progress(1 / missing),
  })
}

function undecidedOf(model: string, prompts: Prompts, prices: NonNullable<BotConfig['budget']>['prices']): Undecided | undefined {
  if (prompts.size === 0) return undefined
  const each = [...prompts.values()]
  const inputTokens = Math.round(each.reduce((sum, request) => sum + tokensIn(request), 0) / each.length)
  const cost = priceOf(prices)({ role: 'judge', model, inputTokens, outputTokens: VERDICT })
  return {
    ...{ model, prompts: prompts.size, tokens: inputTokens + VERDICT },
    most: Math.max(...each.map(mostTokensOf)),
    ...(cost !== undefined && { cost }),
  }
}

function withoutVerdicts({ verdicts: _, problem: __, ...asked }: Answers) {
  return asked
}

interface Logs {
  readonly lines: readonly LogLine[]
  /** For the bot as itself. */
  readonly itself: ChatLog
  /** For the bot in the seat of a member: its real messages are those of another bot. */
  readonly others: ChatLog
}

async function logsOf({ db, channel, limit, me }: ChannelReplayOptions): Promise<Logs> {
  const { rows } = await db.query<Omit<Conversation, 'thread'> & { readonly thread: string | null }>(
    `select id, platform, workspace, channel, thread, name, visibility from kikimimi_v1.conversation
     where id = $1 or starts_with(id, $1 || '/')`,
    [channel],
  )
  const places = new Map(rows.map(({ id, thread, ...place }) => [id, { ...place, ...(thread !== null && { thread }) }]))
  // Messages of a conversation that the bot no longer knows are left out.
  const heard = (await latestIn(db, channel, limit + CONTEXT)).filter(line => places.has(line.channel))
  const begin = heard.length - limit
  const asOf = (own: LogLine['author']) =>
    heard.map(
      (line, index): LogLine => ({
        ...line,
        at: new Date(line.at),
        context: index < begin,
        author: line.own ? own : line.author,
      }),
    )
  const logOf = (lines: readonly LogLine[]): ChatLog => ({
    name: channel,
    lines: () => lines,
    conversation: line => places.get(line.channel),
  })
  const lines = asOf(me)
  return { lines, itself: logOf(lines), others: logOf(asOf({ ...me, bot: true })) }
}

// ---------------------------------------------------------------- in the seats of members

async function inPlaces(lines: ChatLog, seats: readonly Seat[], common: Common): Promise<InPlaces> {
  const total = { messages: 0, judgements: 0, sums: noSums() }
  const members: InPlaces['members'][number][] = []
  for (const { id, name } of seats) {
    const { counts, sums = noSums() } = await replayLogs([lines], { ...common, seating: { author: id } })
    total.messages += counts.messages
    total.judgements += counts.judgements
    addSums(total.sums, sums)
    members.push({ name, ...placed(counts.judgements, counts.messages, sums) })
  }
  return { ...placed(total.judgements, total.messages, total.sums), members }
}

function placed(judgements: number, messages: number, sums: Sums): Omit<InPlaces, 'members'> {
  const { coverage, precision } = metricsOf(sums)
  return {
    judgements: messages === 0 ? 0 : (100 * judgements) / messages,
    considered: messages === 0 ? 0 : (100 * sums.considered) / messages,
    ...(coverage !== undefined && { coverage }),
    ...(precision !== undefined && { precision }),
  }
}

// ---------------------------------------------------------------- side by side

function sideOf(own: OwnRun, places: InPlaces | undefined, asked: Answers | undefined): ReplaySide {
  const turns = { silent: 0, react: 0, asked: 0, ack: 0, full: 0 }
  const all = [...new Set(own.turns.values())]
  for (const { kind } of all) turns[kind]++
  const recorded = all.filter(({ judged }) => judged?.from === 'record').length
  const sampled = all.filter(({ judged }) => judged?.from === 'sample')
  const of = turns.asked + sampled.length
  const answers = sampled.map(({ kind }) => kind === 'ack' || kind === 'full')
  const estimate = asked && of > 0 && { of, ...shareOf(answers, of) }
  return { turns, recorded, rules: own.rules, ...(estimate && { estimate }), ...(places && { places }) }
}

/** A difference appears at the message of the turn that does more. The other messages of its batch do not count. */
function differenceAt(message: string, today: Seen | undefined, changed: Seen | undefined): ReplayDifference | undefined {
  if (!today || !changed || today.kind === changed.kind) return undefined
  const louder = LOUDNESS.indexOf(today.kind) > LOUDNESS.indexOf(changed.kind) ? today : changed
  return louder.answers === message ? { message, today: turnOf(today), changed: turnOf(changed) } : undefined
}

function tokensIn({ system, messages }: GenerateRequest): number {
  return estimateTokens([system, ...messages.map(({ text }) => text)].join('\n'))
}

function turnOf({ answers: _, judged: __, ...turn }: Seen): ReplayTurn {
  return turn
}
