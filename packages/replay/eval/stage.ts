/** A bot in memory on a clock of its own, to which situations are played. It posts nothing, opens no port and reads no data of the real bot. */
import { setImmediate } from 'node:timers/promises'
import { offline } from '@kikimimi/offline'
import {
  type BotConfig,
  type Conversation,
  conversationId,
  definePlugin,
  type IncomingMessage,
  type Person,
  type Section,
  type Stages,
  startBot,
  type Trace,
} from 'kikimimi'
import type { Setting } from 'kikimimi/host'
import { createLogger, loadPlugins, movedClock, seededRandom, stepsOf } from 'kikimimi/host'
import type { Platform } from 'kikimimi/platform'
import { replayed } from '../without-memory.ts'
import type { Metered } from './metered.ts'

/** A configuration of a bot, as `loadConfig` returns it. */
export interface Configuration {
  readonly name: string
  readonly config: BotConfig
  readonly project: URL | undefined
}

/** One message of a situation. The bot's own lines have its account as author. */
export interface Line extends Pick<IncomingMessage, 'id' | 'author' | 'text' | 'at' | 'mentions' | 'replyTo'> {}

export interface Situation {
  readonly conversation: Omit<Conversation, 'id'>
  /** The account of the bot there. */
  readonly me: Person
  /** What was said before. The bot is silent to it. */
  readonly history: readonly Line[]
  /** The messages that the bot decides about, in one turn. */
  readonly batch: readonly Line[]
  /** When it decides. Default: at the last message. */
  readonly at?: Date
}

export interface Played {
  /** What the bot would have posted. */
  readonly texts: readonly string[]
  readonly reactions: readonly string[]
  /** Absent: a filter dropped the messages, so there was no turn. */
  readonly trace?: Trace
}

export interface Stage extends AsyncDisposable {
  play(situation: Situation): Promise<Played>
  /** The time on the clock of the bot. */
  now(): Date
}

const MINUTE = 60_000

/** The longest delay of an answer that is waited for. */
const DELAY = 60 * MINUTE

export interface StageOptions {
  /** Where the clock begins: not later than the first line. */
  readonly begin: Date
  /** The name of the platform of the situations. */
  readonly platform: string
  /** Settings made in the chat. Default: none. */
  readonly set?: readonly Omit<Setting, 'at'>[]
  /** What the bot remembers for a turn. Default: nothing. */
  readonly remembered?: Remembered
}

export type Remembered = (...of: Parameters<NonNullable<Stages['context']>>) => Promise<readonly Section[]>

/** @param metered the models of the configuration */
export async function openStage(
  { config, project }: Configuration,
  metered: Metered,
  { begin, platform: name, set = [], remembered }: StageOptions,
): Promise<Stage> {
  await using opening = new AsyncDisposableStack()
  const time = movedClock(begin)
  const { clock } = time
  const log = createLogger({ level: 'silent', format: 'lines', write: () => {}, clock })
  let [texts, reactions, traces]: [string[], string[], Trace[]] = [[], [], []]
  /** The messages about which the bot decides. */
  let batch: ReadonlySet<string> = new Set()
  let me: Person = { id: 'kikimimi', name: config.persona.name }
  const platform: Platform = {
    name,
    get me() {
      return me
    },
    limits: { textLength: 4_000 },
    send: async (_conversation, { text }) => ({ id: `said-${clock.now()}-${texts.push(text)}` }),
    react: async (_conversation, _message, emoji) => void reactions.push(emoji),
  }
  const director = definePlugin({
    name: 'evaluation',
    setup: () => ({
      decide: ({ messages }) => (messages.some(({ id }) => batch.has(id)) ? undefined : { kind: 'silent', why: 'it is history' }),
      ...(remembered && { context: (turn, decision) => metered.during(remembered(turn, decision)) }),
      after: (_turn, trace) => void traces.push(trace),
    }),
  })
  const { plugins, ...rest } = await evaluated(config)
  const bot = opening.use(
    await startBot(
      { ...rest, ...(metered.models && { models: metered.models }), plugins: [director(), ...plugins] },
      {
        defaultModel: offline(),
        ...{ clock, jobClock: time.jobClock, random: seededRandom(SEED), log, env: {} },
        ...{ inMemory: true, serves: false, supervise: false, platforms: [platform] },
        ...(project && { project }),
      },
    ),
  )
  for (const setting of set) await bot.settings.set(setting)
  const settle = settleWith(
    stepsOf(time, undefined, () => bot.jobs),
    metered,
  )
  const until = (at: number) => clock.advance(Math.max(clock.now(), at), settle)

  async function decide(conversation: string): Promise<void> {
    await bot.turns.schedule(conversation, { at: clock.now(), vary: 0 }, 'instead')
    await until(clock.now() + MINUTE)
  }

  async function play({ conversation, history, batch: lines, at, ...situation }: Situation): Promise<Played> {
    const place = { ...conversation, platform: name }
    const receive = (line: Line) => bot.receive(platform, { ...line, conversation: place })
    me = situation.me
    batch = new Set()
    for (const line of history) {
      await until(line.at.getTime())
      await receive(line)
    }
    if (history.length > 0) await decide(conversationId(place))
    batch = new Set(lines.map(({ id }) => id))
    ;[texts, reactions, traces] = [[], [], []]
    await until(Math.max(0, ...lines.map(line => line.at.getTime()), at?.getTime() ?? 0))
    // All at once: a message that calls the bot would begin a turn without the others.
    await Promise.all(lines.map(receive))
    await decide(conversationId(place))
    const last = () => traces.findLast(({ messages }) => messages.some(id => batch.has(id)))
    if (last()?.outcome === 'delayed') await until(clock.now() + DELAY)
    const trace = last()
    return { texts, reactions, ...(trace && { trace }) }
  }

  const opened = opening.move()
  return { play, now: () => new Date(clock.now()), [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

const SEED = 1

/** Number of passes of the event loop without a call of a model after which the bot waits for time. */
const QUIET = 20

/** Models take real time. Meanwhile the clock of the bot stands still. */
export function settleWith<S extends { settle(): Promise<void> }>(steps: S, metered: Pick<Metered, 'running' | 'nextEnd'>): S {
  return {
    ...steps,
    async settle() {
      for (;;) {
        await steps.settle()
        for (let quiet = 0; quiet < QUIET && metered.running === 0; quiet++) await setImmediate()
        if (metered.running === 0) return
        await metered.nextEnd()
      }
    },
  }
}

/**
 * The bot without platforms, routes, memory and plugins with tables of their own. It hears everybody, and has no tools: a tool of a
 * plugin can act outside of the bot. Its limits of cost are those of the evaluation.
 */
async function evaluated(config: BotConfig): Promise<BotConfig> {
  const {
    http: _http,
    listen: _listen,
    database: _database,
    ...rest
  } = replayed({ config, order: await loadPlugins(config.plugins) })
  return { ...rest, access: { tools: 'nobody' }, budget: { prices: config.budget?.prices } }
}
