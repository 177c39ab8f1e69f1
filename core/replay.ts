/**
 * Pushes chat logs through the real pipeline on a virtual clock: what would this bot have done here? Messages
 * and jobs are kept in memory, models are the offline one, so the same logs give the same counts.
 */
import { setImmediate } from 'node:timers/promises'
import { type Bot, startBot } from './bot.ts'
import { VirtualClock } from './clock.ts'
import type { BotConfig } from './config.ts'
import type { Logger } from './log.ts'
import type { ModelUsage } from './models.ts'
import { definePlugin, type IncomingMessage, type Platform, type Trace } from './plugin.ts'
import { seededRandom } from './random.ts'
import { type LogLine, readChatLog } from './replay/chat-log.ts'

export interface ReplayOptions {
  readonly config: BotConfig
  readonly project: URL
  readonly seed: number
  readonly log: Logger
}

export interface ReplayCounts {
  files: number
  /** Lines that count, and lines before them that are only heard. */
  messages: number
  context: number
  /** Dropped by a filter, or the same message again. */
  dropped: number
  /** A late answer is a turn too. */
  turns: number
  /** Turns in which it was decided whether to speak, for a batch that nobody addressed to the bot. */
  judgements: number
  outcomes: Record<Trace['outcome'], number>
  /** Decisions by kind. */
  decisions: Record<'silent' | 'react' | 'ack' | 'full', number>
  /** What was posted. */
  texts: number
  reactions: number
  models: Record<string, { calls: number; failed: number; inputTokens: number; outputTokens: number }>
  problems: number
  /** Hours between the first and the last line of each file, added up. */
  hours: number
}

/** After the last line: long enough for every wait and delay. */
const AFTERWARDS = 60 * 60_000

/** Throws LOG_FILE_INVALID for a file that is no chat log. */
export async function replay(files: readonly string[], options: ReplayOptions): Promise<ReplayCounts> {
  const counts: ReplayCounts = {
    files: 0,
    messages: 0,
    context: 0,
    dropped: 0,
    turns: 0,
    judgements: 0,
    outcomes: { silent: 0, delayed: 0, replied: 0, cancelled: 0, failed: 0 },
    decisions: { silent: 0, react: 0, ack: 0, full: 0 },
    texts: 0,
    reactions: 0,
    models: {},
    problems: 0,
    hours: 0,
  }
  for (const file of files) {
    await replayFile(file, counts, options)
    counts.files++
  }
  counts.hours = Math.round(counts.hours * 100) / 100
  return counts
}

async function replayFile(file: string, counts: ReplayCounts, options: ReplayOptions): Promise<void> {
  const tally: Tally = { counts, counting: false }
  const platform = countingPlatform(options.config.persona.name, tally)
  let opened: Replaying | undefined
  try {
    for await (const line of readChatLog(file)) {
      opened ??= await open(line.at, platform, tally, options)
      const { bot, clock } = opened
      // A line that is out of order is heard when its turn comes: time does not run backwards.
      opened.last = Math.max(clock.now(), line.at.getTime())
      await clock.advance(opened.last, { settle: () => settled(bot) })
      if (!line.context && !tally.counting) {
        tally.counting = true
        opened.used = bot.modelUsage()
      }
      const isNew = await whenDone(bot.receive(platform, toMessage(line, platform)), opened)
      await settled(bot)
      if (line.context) counts.context++
      else counts.messages++
      if (!isNew && !line.context) counts.dropped++
    }
    if (!opened) return
    const { bot, clock, start, last, used } = opened
    await clock.advance(clock.now() + AFTERWARDS, { settle: () => settled(bot) })
    counts.hours += (last - start) / 3_600_000
    if (tally.counting) addModels(bot.modelUsage(), used, counts)
  } finally {
    if (opened) await whenDone(opened.bot.stop(), opened)
  }
}

/** A file on its way through a bot. */
interface Replaying {
  readonly bot: Bot
  readonly clock: VirtualClock
  readonly start: number
  last: number
  /** What models had been asked when counting began. */
  used: readonly ModelUsage[]
}

/** Counting begins with the first line that counts. */
interface Tally {
  readonly counts: ReplayCounts
  counting: boolean
}

async function open(
  at: Date,
  platform: Platform,
  tally: Tally,
  { config, project, seed, log }: ReplayOptions,
): Promise<Replaying> {
  const clock = new VirtualClock(at)
  // Whatever the bot has outside stays as it is: no paid model, no port, no data.
  const { models: _models, http: _http, ...rest } = config
  const bot = await startBot(
    // Plugins with tables of their own get a database; the messages stay out of it.
    { ...rest, database: 'memory', plugins: [config.plugins, countingPlugin(tally)] },
    { clock, random: seededRandom(seed), log, project, inMemory: true, platforms: [platform], env: {} },
  )
  return { bot, clock, start: at.getTime(), last: at.getTime(), used: [] }
}

const countingPlugin = (tally: Tally) =>
  definePlugin({
    name: 'replay-counts',
    setup: () => ({
      after(_turn, { outcome, decision, score, addressed, problems }) {
        if (!tally.counting) return
        const { counts } = tally
        counts.turns++
        counts.outcomes[outcome]++
        counts.problems += problems.length
        // A late answer was decided on in an earlier turn.
        if (!decision || !score) return
        counts.decisions[decision.kind]++
        if (!addressed) counts.judgements++
      },
    }),
  })

function countingPlatform(name: string, tally: Tally): Platform {
  let sent = 0
  return {
    name: 'replay',
    me: { id: 'kikimimi', name },
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

function addModels(used: readonly ModelUsage[], before: readonly ModelUsage[], { models }: ReplayCounts): void {
  for (const { role, ...now } of used) {
    const then = before.find(one => one.role === role) ?? NONE
    const sum = models[role] ?? NONE
    models[role] = {
      calls: sum.calls + now.calls - then.calls,
      failed: sum.failed + now.failed - then.failed,
      inputTokens: sum.inputTokens + now.inputTokens - then.inputTokens,
      outputTokens: sum.outputTokens + now.outputTokens - then.outputTokens,
    }
  }
}

const NONE = { calls: 0, failed: 0, inputTokens: 0, outputTokens: 0 }

function toMessage({ id, at, channel, author, text, mentions }: LogLine, { me }: Platform): IncomingMessage {
  return {
    id,
    conversation: { platform: 'replay', workspace: '', channel, name: channel, visibility: 'public' },
    author: { id: author.id, name: author.name, ...(author.bot && { bot: true }) },
    text,
    at,
    mentions: mentions.map(person => (person === me.name ? me : { id: person, name: person })),
  }
}

/** How many times around the event loop without an end count as waiting for time to pass. */
const QUIET = 20

/** Waits until nothing runs, or what runs waits for the clock. */
async function settled({ jobs }: Bot): Promise<void> {
  for (let quiet = 0; quiet < QUIET; quiet++) {
    const { due, active } = await jobs.state()
    if (due === 0 && active === 0) return
    await setImmediate()
  }
}

/** Waits for something that may hang in a plugin: time passes then, until its deadline. */
async function whenDone<T>(wanted: Promise<T>, { bot, clock }: Replaying): Promise<T> {
  let done = false
  const end = () => {
    done = true
  }
  wanted.then(end, end)
  for (;;) {
    for (let quiet = 0; quiet < QUIET && !done; quiet++) await setImmediate()
    if (done) return wanted
    await clock.advance(clock.now() + 1_000, { settle: () => settled(bot) })
  }
}
