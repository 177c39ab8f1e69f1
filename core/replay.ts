/**
 * Pushes chat logs through the real pipeline on a virtual clock: what would this bot have done here? Messages
 * and jobs are kept in memory, models are the offline one, so the same logs give the same counts.
 */
import { setImmediate } from 'node:timers/promises'
import { type Bot, startBot } from './bot.ts'
import { VirtualClock } from './clock.ts'
import type { BotConfig } from './config.ts'
import type { Logger } from './log.ts'
import { definePlugin, type IncomingMessage, type ModelCall, type Platform, type Trace } from './plugin.ts'
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
  /** Looks that led to a judgement, a late answer included. */
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

async function replayFile(file: string, counts: ReplayCounts, { config, project, seed, log }: ReplayOptions): Promise<void> {
  let opened: { bot: Bot; clock: VirtualClock; start: number } | undefined
  let last = 0
  const platform = silentPlatform(config.persona.name)
  /** Lines that count and have not been looked at. */
  const waiting = new Set<string>()
  try {
    for await (const line of readChatLog(file)) {
      opened ??= await open(line.at)
      const { bot, clock } = opened
      // A line that is out of order is heard when its turn comes: time does not run backwards.
      last = Math.max(clock.now(), line.at.getTime())
      await clock.advance(last, { settle: () => settled(bot) })
      if (!line.context) waiting.add(line.id)
      const isNew = await bot.receive(platform, toMessage(line, platform))
      await settled(bot)
      if (line.context) counts.context++
      else counts.messages++
      if (!isNew) waiting.delete(line.id)
      if (!isNew && !line.context) counts.dropped++
    }
    if (!opened) return
    const { bot, clock, start } = opened
    await clock.advance(clock.now() + AFTERWARDS, { settle: () => settled(bot) })
    counts.hours += (last - start) / 3_600_000
  } finally {
    await opened?.bot.stop()
  }

  async function open(at: Date): Promise<NonNullable<typeof opened>> {
    const clock = new VirtualClock(at)
    const { models: _, ...rest } = config
    const bot = await startBot(
      // Plugins with tables of their own get a database; the messages stay out of it.
      { ...rest, database: 'memory', plugins: [config.plugins, countingPlugin(counts, waiting)] },
      { clock, random: seededRandom(seed), log, project, inMemory: true, platforms: [platform], env: {} },
    )
    return { bot, clock, start: at.getTime() }
  }
}

/** Counts the turns that look at a line that counts. */
const countingPlugin = (counts: ReplayCounts, waiting: Set<string>) =>
  definePlugin({
    name: 'replay-counts',
    setup: () => ({
      after({ messages }, { outcome, decision, addressed, problems, models, reply, sent }) {
        const looked = messages.filter(({ id }) => waiting.delete(id))
        if (looked.length === 0) return
        counts.turns++
        counts.outcomes[outcome]++
        if (decision) counts.decisions[decision.kind]++
        if (!addressed) counts.judgements++
        if (reply?.kind === 'reaction') counts.reactions += sent.length
        else counts.texts += sent.length
        counts.problems += problems.length
        for (const call of models) countCall(call, counts)
      },
    }),
  })

function silentPlatform(name: string): Platform {
  let sent = 0
  return {
    name: 'replay',
    me: { id: 'kikimimi', name },
    limits: { textLength: 2_000 },
    send: async () => ({ id: `sent-${++sent}` }),
    react: async () => {},
  }
}

function countCall({ role, inputTokens, outputTokens, error }: ModelCall, { models }: ReplayCounts): void {
  models[role] ??= { calls: 0, failed: 0, inputTokens: 0, outputTokens: 0 }
  models[role].calls++
  models[role].inputTokens += inputTokens
  models[role].outputTokens += outputTokens
  if (error !== undefined) models[role].failed++
}

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

/** How often nothing may begin or end before a job that runs counts as waiting for time to pass. */
const QUIET = 20

/** Waits until nothing runs, or what runs waits for the clock. */
async function settled({ jobs }: Bot): Promise<void> {
  for (let quiet = 0; quiet < QUIET; quiet++) {
    const { due, active } = await jobs.state()
    if (due === 0 && active === 0) return
    await setImmediate()
  }
}
