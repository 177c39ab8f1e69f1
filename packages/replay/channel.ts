/** Replays the messages of a channel through this bot, with today's options and with others. */

import { type Conversation, type Database, type Person, systemClock } from 'kikimimi'
import { createLogger } from 'kikimimi/host'
import type { Variant } from './changes.ts'
import { latestIn } from './database-log.ts'
import { recordedJudge } from './judge/recorded-judge.ts'
import type { ChatLog, LogLine } from './logs/chat-log.ts'
import { firings } from './report.ts'
import type { ChannelReplay, InPlaces, ReplayDifference, ReplayRequest, ReplaySide, ReplayTurn, TurnKind } from './request.ts'
import { type Run, replayLogs } from './run.ts'
import { addSums, metricsOf, noSums, type Sums } from './scores.ts'
import { type Seat, seatsIn } from './seats.ts'

export interface ChannelReplayOptions extends Pick<ReplayRequest, 'channel' | 'limit' | 'members' | 'progress'> {
  readonly db: Database
  /** The bot of the channel. */
  readonly me: Person
  readonly today: Variant
  /** The config with the changes. Without changes it is the same object, and the replay runs once. */
  readonly changed: Variant
  /** The verdicts that the judge gave in the channel, by message. */
  readonly verdicts: ReadonlyMap<string, number>
  readonly project: URL | undefined
  readonly signal: AbortSignal
  readonly start: Run['start']
}

/** Messages before the first counted one: the context that a turn sees. */
const CONTEXT = 50

const SEED = 1

/** A replay writes no log. */
const log = createLogger({ level: 'silent', format: 'lines', write: () => {}, clock: systemClock })

/** Returns nothing when the channel has no messages. */
export async function replayChannel(options: ChannelReplayOptions): Promise<Omit<ChannelReplay, 'leftOut'> | undefined> {
  const { me, today, changed, verdicts, members = 3, progress, signal } = options
  const { lines, itself, others } = await logsOf(options)
  const counted = lines.filter(({ context }) => !context)
  const [first, last] = [counted.at(0), counted.at(-1)]
  if (!first || !last) return undefined
  const busiest = await seatsIn(others, { busiest: members })
  // Without answers between people there is nothing to measure.
  const seats = busiest.some(({ answered }) => answered.size > 0) ? busiest : []

  const isSame = today === changed
  const all = lines.length * (isSame ? 1 : 2) * (1 + seats.length)
  let done = 0
  const common = {
    start: options.start,
    project: options.project,
    seed: SEED,
    log,
    undecided: true,
    signal,
    progress: () => progress?.(++done / all),
  }
  const run = async (variant: Variant) => ({
    own: await asItself(itself, { me, verdicts }, { ...common, ...variant }),
    ...(seats.length > 0 && { places: await inPlaces(others, seats, { ...common, ...variant }) }),
  })
  const one = await run(today)
  const other = isSame ? one : await run(changed)
  return {
    messages: counted.length,
    from: first.at,
    to: last.at,
    today: sideOf(one),
    changed: sideOf(other),
    differences: counted.flatMap(({ id }) => differenceAt(id, one.own.turns.get(id), other.own.turns.get(id)) ?? []),
  }
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

// ---------------------------------------------------------------- as itself

/** A turn, and the message that it would have answered. */
interface Seen extends ReplayTurn {
  readonly answers: string
  /** True: a recorded verdict decided. */
  readonly isRecorded: boolean
}

interface OwnRun {
  /** By message: its last turn, because a delayed batch has another one. */
  readonly turns: ReadonlyMap<string, Seen>
  readonly rules: ReplaySide['rules']
}

type Common = Omit<Run, 'seating' | 'onTurn' | 'onDecision' | 'models'>

async function asItself(
  lines: ChatLog,
  { me, verdicts }: Pick<ChannelReplayOptions, 'me' | 'verdicts'>,
  common: Common,
): Promise<OwnRun> {
  const turns = new Map<string, Seen>()
  const judge = recordedJudge(verdicts)
  const { sums = noSums() } = await replayLogs([lines], {
    ...common,
    // One turn after the other: a verdict belongs to the turn that got its points last.
    ...(verdicts.size > 0 && {
      config: { ...common.config, concurrency: 1 },
      models: { judge: judge.model },
      onTurn: judge.begin,
    }),
    seating: { itself: me },
    onDecision({ messages, message }, { decision, score }, judged) {
      if (!decision) return
      const { kind, why } = decision
      const isRecorded = judged && judge.knows({ messages })
      const shown = judged && !isRecorded ? 'asked' : kind
      const seen = { kind: shown, why, answers: message.id, isRecorded, ...(score && { points: score.points }) } as const
      for (const { id } of messages) turns.set(id, seen)
    },
  })
  return { turns, rules: firings(sums).map(({ rule, gold, other }) => ({ why: rule, times: gold + other })) }
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

function sideOf({ own, places }: { readonly own: OwnRun; readonly places?: InPlaces }): ReplaySide {
  const turns = { silent: 0, react: 0, asked: 0, ack: 0, full: 0 }
  const all = new Set(own.turns.values())
  for (const { kind } of all) turns[kind]++
  const recorded = [...all].filter(({ isRecorded }) => isRecorded).length
  return { turns, recorded, rules: own.rules, ...(places && { places }) }
}

const LOUDNESS: readonly TurnKind[] = ['silent', 'react', 'asked', 'ack', 'full']

/** A difference appears at the message of the turn that does more. The other messages of its batch do not count. */
function differenceAt(message: string, today: Seen | undefined, changed: Seen | undefined): ReplayDifference | undefined {
  if (!today || !changed || today.kind === changed.kind) return undefined
  const louder = LOUDNESS.indexOf(today.kind) > LOUDNESS.indexOf(changed.kind) ? today : changed
  return louder.answers === message ? { message, today: turnOf(today), changed: turnOf(changed) } : undefined
}

function turnOf({ answers: _, isRecorded: __, ...turn }: Seen): ReplayTurn {
  return turn
}
