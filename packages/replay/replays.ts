/** Replays of channels of a running bot: see {@link Replays}. */
import {
  type BotConfig,
  type Conversation,
  channelOf,
  KikimimiError,
  type Operator,
  type PluginContext,
  type Stages,
  type StoredSettings,
} from 'kikimimi'
import type { ExplainedOption } from 'kikimimi/host'
import { type BotInternals, settings as configSchema, readSchema, untraced, unusedOptions } from 'kikimimi/host'
import { PACING, variantsOf } from './changes.ts'
import { log, replayChannel, SEED } from './channel.ts'
import { bookCalls } from './eval/metered.ts'
import { replayImported } from './imported.ts'
import { judgeModelOf } from './judge/ask.ts'
import { RecordedVerdicts } from './judge/replay-judge.ts'
import { verdictsInMemory } from './judge/verdicts.ts'
import { readUpload } from './logs/chat-log.ts'
import { mapPlugins } from './map-plugins.ts'
import type { Replays } from './request.ts'
import { accountIn } from './seats.ts'
import { replayed } from './without-memory.ts'

export interface ReplaysOptions {
  readonly ctx: Pick<PluginContext, 'bot' | 'db' | 'use'>
  readonly internals: BotInternals
  readonly settings: StoredSettings
  readonly operator: Operator
}

/** Plugins that affect when the bot speaks. */
const SAY: readonly (keyof Stages)[] = ['filter', 'address', 'score', 'decide']

export function createReplays({ ctx, internals, settings: stored, operator }: ReplaysOptions): Replays {
  const { plan, host, closing, keepCall, startBot: start } = internals
  const running = (name: string) => host.running.find(({ plugin }) => plugin.name === name)
  const known = verdictsInMemory()
  let isBusy = false

  const hasSay = (name: string) => SAY.some(stage => running(name)?.hooks[stage])
  const isPlatform = (name: string) => running(name)?.plugin.definition.platform === true

  async function placeOf(channel: string): Promise<Conversation> {
    const { rows } = await ctx.db.query<Omit<Conversation, 'thread'>>(
      'select id, platform, workspace, channel, name, visibility from kikimimi_v1.conversation where id = $1 and thread is null',
      [channel],
    )
    const [conversation] = rows
    if (conversation) return conversation
    throw new KikimimiError('REPLAY_NOTHING', `The bot has never received a message in a channel "${channel}".`)
  }

  return {
    async replay({ settings, signal, ...request }) {
      if (isBusy) throw busy()
      isBusy = true
      try {
        const conversation = await placeOf(request.channel)
        const { plugins, today, changed } = await variantsOf(conversation, settings, { plan: plan(), stored })
        const has = (name: string) => plugins.some(plugin => plugin.name === name)
        const me = await accountIn(conversation, operator, ctx.bot.name)
        const { onCall, booked } = bookCalls(keepCall)
        const done = await untraced(async () =>
          replayChannel({
            ...request,
            ...{ known, onCall, judge: judgeModelOf(plan().config, conversation) },
            recorded: (await ctx.use(RecordedVerdicts, 'optional')?.verdicts(request.channel)) ?? new Map(),
            db: ctx.db,
            me,
            today,
            changed,
            project: plan().project,
            start,
            signal: signal ? AbortSignal.any([signal, closing]) : closing,
          }),
        ).finally(booked)
        if (done) return { ...done, leftOut: plan().names.filter(name => hasSay(name) && !isPlatform(name) && !has(name)) }
        throw new KikimimiError('REPLAY_NOTHING', 'The bot keeps no messages of this channel any more.')
      } finally {
        isBusy = false
      }
    },

    async imported({ name, content, signal, ...request }) {
      if (isBusy) throw busy()
      isBusy = true
      try {
        const { project, names } = plan()
        const config = replayed(plan())
        const lines = await readUpload(name, content)
        const me = { id: 'kikimimi', name: ctx.bot.name }
        const done = await untraced(() =>
          replayImported(lines, me, request, {
            ...{ config, project, start, log, seed: SEED, undecided: true },
            signal: signal ? AbortSignal.any([signal, closing]) : closing,
          }),
        )
        const has = new Set(namesIn(config))
        return { ...done, leftOut: names.filter(one => hasSay(one) && !isPlatform(one) && !has.has(one)) }
      } finally {
        isBusy = false
      }
    },

    tunable(conversation) {
      const names = namesIn(replayed(plan()))
      const options = operator.explain(conversation).filter(({ plugin }) => names.includes(plugin) && hasSay(plugin))
      const set = stored.list(channelOf(conversation))
      const { order, config } = plan()
      const whyUnused = new Map(
        order.map(plugin => {
          const { name, optionsFor } = plugin
          const here = optionsFor(
            conversation,
            set.filter(one => one.plugin === name),
          )
          return [name, unusedOptions(plugin, { plugins: order, models: config.models, persona: config.persona }, here)]
        }),
      )
      const told = options.map(option => {
        const why = whyUnused.get(option.plugin)?.(option.option)
        return why === undefined ? option : { ...option, unused: why }
      })
      return [...paceIn(plan().config.pacing, conversation), ...told]
    },
  }
}

function busy(): KikimimiError {
  return new KikimimiError('REPLAY_BUSY', 'A replay is running. Wait until it is finished.')
}

function namesIn({ plugins }: BotConfig): readonly string[] {
  const names: string[] = []
  mapPlugins(plugins, plugin => {
    names.push(plugin.definition.name)
    return plugin
  })
  return names
}

const PACE = {
  minWait: 'How long a conversation must be quiet before it is judged; `auto`: as long as people there pause.',
  maxWait: 'After this long it is judged even when it never becomes quiet.',
  jitter: 'The share by which the wait varies.',
} as const

/** The pacing as one writes it, and the source of each value. */
function paceIn(pacing: BotConfig['pacing'], { channel, name }: Conversation): readonly ExplainedOption[] {
  const channels = pacing?.channels ?? {}
  const where = [channel, name, `#${name}`].find(one => Object.hasOwn(channels, one))
  const own = where === undefined ? undefined : channels[where]
  const schema = readSchema(configSchema.shape.pacing)
  return (['minWait', 'maxWait', 'jitter'] as const).map(option => {
    const { usual, ...takes } = schema.of(option)
    const value = own?.[option] ?? pacing?.[option] ?? usual
    const from = own?.[option] !== undefined ? `channel ${where}` : pacing?.[option] !== undefined ? 'bot.config.ts' : 'default'
    return { plugin: PACING, option, value, redacted: false, from, scoped: false, ...takes, does: PACE[option] }
  })
}
