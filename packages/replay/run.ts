/** The run of chat logs through a bot: see `packages/replay/replay.ts`. */
import { offline } from '@kikimimi/offline'
import {
  type BotConfig,
  definePlugin,
  type Logger,
  type ModelConfig,
  type Reply,
  type startBot,
  type Trace,
  type Turn,
} from 'kikimimi'
import type { Setting } from 'kikimimi/host'
import { type ModelUsage, seededRandom, VirtualClock } from 'kikimimi/host'
import type { Platform } from 'kikimimi/platform'
import { passOn, passUntil, type Replaying, say, whenDone } from './feed.ts'
import { type Band, type JudgeKind, withJudge } from './judge/judges.ts'
import type { ChatLog, LogLine } from './logs/chat-log.ts'
import { createScorer, inPlaceOf, type Scorer } from './member.ts'
import { addSums, type Metrics, metricsOf, noSums, type Sums } from './scores.ts'
import { type Seat, type Seating, seatsIn } from './seats.ts'
import { withoutMemory } from './without-memory.ts'

export interface ReplayOptions {
  readonly config: BotConfig
  readonly project: URL | undefined
  readonly seed: number
  readonly log: Logger
  readonly seating?: Seating
  /** Replaces the judge model. `alone`: no plugin decides before it. */
  readonly judge?: Band & { readonly kind: JudgeKind; readonly alone?: boolean }
  /** The result of the bot's own judge is unknown: a batch for which it is asked does not count as answered. */
  readonly undecided?: boolean
  /** Models for the bot. Default: the offline model alone, because a replay costs nothing. */
  readonly models?: ModelConfig
  /** Settings made in the chat. */
  readonly set?: readonly Omit<Setting, 'at'>[]
  /** Runs after each line. */
  progress?(): void
  /** Runs when a turn gets its points, before anything decides. */
  onTurn?(turn: Turn): void
  /** Runs after each judged batch. Receives the decision, and whether a judge was asked. */
  onDecision?(turn: Turn, trace: Trace, judged: boolean): void
  /** Stops between two lines. */
  readonly signal?: AbortSignal
}

/** Start options of the bot: for one that runs replays, too. */
export interface Run extends ReplayOptions {
  readonly start: typeof startBot
}

export interface ReplayCounts {
  files: number
  /** Counted lines, and context lines before them. */
  messages: number
  context: number
  /** Messages that were dropped by a filter, or known already. */
  dropped: number
  /** A delayed answer is a turn too. */
  turns: number
  /** Turns that decided whether to speak, for a batch without a mention. */
  unasked: number
  /** Turns in which a judge was asked: a model in the role `judge`, or the scripted one. */
  judgements: number
  outcomes: Record<Trace['outcome'], number>
  /** Decisions by kind. */
  decisions: Record<'silent' | 'react' | 'ack' | 'full', number>
  /** Posts, or in a member's seat the answers that were made. */
  texts: number
  reactions: number
  models: Record<string, { calls: number; failed: number; inputTokens: number; outputTokens: number }>
  problems: number
  /** Hours between the first and the last line of each file, added up. */
  hours: number
}

export interface Replayed {
  readonly counts: ReplayCounts
  /** The bot in the seats of all members together, and in each. Absent without `seating`. */
  readonly sums?: Sums
  readonly seats?: readonly ({ readonly file: string; readonly member: string } & Metrics)[]
}

export async function replayLogs(logs: readonly ChatLog[], options: Run): Promise<Replayed> {
  const counts = noCounts()
  const sums = noSums()
  const seats: ({ file: string; member: string } & Metrics)[] = []
  for (const log of logs) {
    counts.files++
    if (!options.seating) await replayLog(log, { counts, counting: false, answered: '' }, options)
    for (const seat of options.seating ? await seatsIn(log, options.seating) : []) {
      const own = noSums()
      const scorer = createScorer(seat, own)
      await replayLog(log, { counts, counting: false, answered: '', seat, scorer }, options)
      addSums(sums, own)
      seats.push({ file: log.name, member: seat.name, ...metricsOf(own) })
    }
  }
  counts.hours = Math.round(counts.hours * 100) / 100
  return { counts, ...(options.seating && { sums, seats }) }
}

/** Counting begins with the first line that counts. */
interface Tally {
  readonly counts: ReplayCounts
  counting: boolean
  /** The turn whose answer was made and not sent. */
  answered: string
  readonly seat?: Seat
  readonly scorer?: Scorer
}

async function replayLog(log: ChatLog, tally: Tally, options: Run): Promise<void> {
  const { counts, seat, scorer } = tally
  let replaying: Replaying | undefined
  let used: readonly ModelUsage[] = []
  try {
    for await (const line of log.lines()) {
      options.signal?.throwIfAborted()
      if (!replaying) {
        replaying = await open(line, log, tally, options)
        for (const setting of options.set ?? []) await replaying.bot.settings.set(setting)
      }
      await passUntil(line.at, replaying)
      if (!line.context && !tally.counting) {
        tally.counting = true
        used = replaying.bot.modelUsage()
      }
      scorer?.heard(line)
      const isNew = await say(line, replaying)
      options.progress?.()
      if (line.context) counts.context++
      // The bot does not receive its own messages.
      else if (line.author.id !== seat?.id) counts.messages++
      if (!isNew && !line.context) counts.dropped++
    }
    if (!replaying) return
    const { bot, clock, start } = replaying
    counts.hours += (clock.now() - start) / 3_600_000
    await passOn(replaying)
    if (tally.counting) addModels(bot.modelUsage(), used, counts)
  } finally {
    if (replaying) await whenDone(replaying.bot.stop(), replaying)
  }
}

async function open(first: LogLine, log: ChatLog, tally: Tally, options: Run): Promise<Replaying> {
  const { config, project, seed, judge, models } = options
  const { counts, seat, scorer } = tally
  const clock = new VirtualClock(first.at)
  const said = (turn: string, { kind }: Reply) => {
    if (tally.answered === turn) return
    tally.answered = turn
    if (tally.counting) counts[kind === 'text' ? 'texts' : 'reactions']++
  }
  // The replay uses nothing external of the bot: no paid model, no port, no data.
  const own = withoutMemory(config)
  const { models: _models, http: _http, ...rest } = seat && scorer ? inPlaceOf(seat, own, { ...scorer, said }) : own
  const judged = judge
    ? withJudge(rest, {
        alone: false,
        ...judge,
        isGold: id => seat?.answered.has(id) === true,
        asked: (inputTokens, outputTokens) => {
          if (tally.counting) addUsage(counts, 'judge', { calls: 1, failed: 0, inputTokens, outputTokens })
        },
      })
    : rest
  const me = seat ?? { id: 'kikimimi', name: config.persona.name }
  const platform = countingPlatform(log.conversation?.(first)?.platform ?? 'replay', me, tally)
  const bot = await options.start(
    // Plugins with their own tables get a database. The messages are not in it.
    { ...judged, ...(models && { models }), database: 'memory', plugins: [judged.plugins, countingPlugin(tally, options)] },
    {
      defaultModel: offline(),
      clock,
      random: seededRandom(seed),
      log: options.log,
      ...(project && { project }),
      inMemory: true,
      serves: false,
      platforms: [platform],
      env: {},
    },
  )
  return { bot, clock, platform, log, seesReplies: seat?.itself === true, start: first.at.getTime() }
}

const countingPlugin = (
  tally: Tally,
  { onTurn, onDecision, undecided }: Pick<ReplayOptions, 'onTurn' | 'onDecision' | 'undecided'>,
) =>
  definePlugin({
    name: 'replay-counts',
    setup: () => ({
      score: turn => onTurn?.(turn),
      after(turn: Turn, trace: Trace) {
        if (!tally.counting) return
        const { counts, scorer } = tally
        const { decision, score, addressed, problems, models } = trace
        counts.turns++
        counts.outcomes[tally.answered === turn.id ? 'replied' : trace.outcome]++
        counts.problems += problems.length
        const judged = decision?.plugin === 'scripted-judge' || models.some(({ role }) => role === 'judge')
        const isOpen = undecided && judged && decision
        scorer?.took(turn, isOpen ? { ...trace, decision: { kind: 'silent', why: decision.why } } : trace, judged)
        onDecision?.(turn, trace, judged)
        // A delayed answer was decided in an earlier turn.
        if (!decision || !score) return
        counts.decisions[decision.kind]++
        if (!addressed) counts.unasked++
        if (judged) counts.judgements++
      },
    }),
  })

function countingPlatform(name: string, me: Platform['me'], tally: Tally): Platform {
  let sent = 0
  return {
    name,
    me: { id: me.id, name: me.name },
    limits: { textLength: 2_000 },
    async send() {
      if (tally.counting) tally.counts.texts++
      return { id: `sent-${++sent}` }
    },
    async react() {
      if (tally.counting) tally.counts.reactions++
    },
  }
}

function addModels(used: readonly ModelUsage[], before: readonly ModelUsage[], counts: ReplayCounts): void {
  for (const { role, ...now } of used) {
    const then = before.find(one => one.role === role) ?? NONE
    addUsage(counts, role, {
      calls: now.calls - then.calls,
      failed: now.failed - then.failed,
      inputTokens: now.inputTokens - then.inputTokens,
      outputTokens: now.outputTokens - then.outputTokens,
    })
  }
}

function addUsage({ models }: ReplayCounts, role: string, more: typeof NONE): void {
  const sum = models[role] ?? NONE
  models[role] = {
    calls: sum.calls + more.calls,
    failed: sum.failed + more.failed,
    inputTokens: sum.inputTokens + more.inputTokens,
    outputTokens: sum.outputTokens + more.outputTokens,
  }
}

const NONE = { calls: 0, failed: 0, inputTokens: 0, outputTokens: 0 }

function noCounts(): ReplayCounts {
  return {
    files: 0,
    messages: 0,
    context: 0,
    dropped: 0,
    turns: 0,
    unasked: 0,
    judgements: 0,
    outcomes: { silent: 0, delayed: 0, replied: 0, cancelled: 0, failed: 0 },
    decisions: { silent: 0, react: 0, ack: 0, full: 0 },
    texts: 0,
    reactions: 0,
    models: {},
    problems: 0,
    hours: 0,
  }
}
