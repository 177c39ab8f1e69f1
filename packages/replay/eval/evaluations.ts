/** Evaluations of a running bot: turns that were taken, taken again with other options. */
import {
  type BotConfig,
  KikimimiError,
  type MessageLog,
  type Operator,
  type PluginContext,
  type Section,
  type StoredSettings,
  service,
} from 'kikimimi'
import { type BotInternals, chatModelOf, untraced } from 'kikimimi/host'
import type { ChatModel } from 'kikimimi/model'
import { variantsOf } from '../changes.ts'
import type { ReplayRequest } from '../request.ts'
import { accountIn } from '../seats.ts'
import { type Case, type Evaluation, evaluate, outcomeOf } from './evaluate.ts'
import { checksOf, type Expected } from './expected.ts'
import { bookCalls } from './metered.ts'
import { findTurn, situationOf, type TurnPlace } from './rated-turn.ts'
import { openStage, type Remembered } from './stage.ts'

/** What differs from the bot of today. Empty: nothing. */
export interface Change {
  /** Options by plugin and name, as in a replay. */
  readonly settings?: ReplayRequest['settings'] | undefined
  /** Another character. */
  readonly persona?: string | undefined
  /** The name of a model of the bot that writes the answers. */
  readonly model?: string | undefined
  /** False: what the bot remembers is left out. */
  readonly memory?: boolean | undefined
}

export interface EvaluationRequest {
  /** The ids of the turns, with what is expected of the bot in each. Absent: nothing, so that the answer is only shown. */
  readonly turns: readonly { readonly turn: string; readonly expected?: Expected | undefined }[]
  readonly changes: readonly [Change, ...Change[]]
  /** The most tokens of all calls. */
  readonly budget: number
  readonly signal?: AbortSignal | undefined
  progress?(done: number, of: number): void
}

/** The result; the name of a case is the id of its turn. */
export interface TurnEvaluation extends Evaluation {
  /** Turns of which the bot no longer keeps all messages. */
  readonly gone: readonly string[]
}

export interface Evaluations {
  /** The names of the models that can write answers. */
  readonly models: readonly string[]
  /**
   * Takes turns again. Nothing is posted, and nothing is stored but what the models cost.
   * @throws OPTIONS_INVALID for a value that a schema refuses or a model that the bot does not have, REPLAY_BUSY while another evaluation
   *   runs, REPLAY_NOTHING if no turn is left
   */
  evaluate(request: EvaluationRequest): Promise<TurnEvaluation>
}

export const Evaluations = service<Evaluations>('evaluations')

export interface EvaluationsOptions {
  readonly ctx: Pick<PluginContext, 'bot' | 'db'>
  readonly log: MessageLog
  readonly internals: BotInternals
  readonly settings: StoredSettings
  readonly operator: Operator
}

export function createEvaluations({ ctx, log, internals, settings: stored, operator }: EvaluationsOptions): Evaluations {
  const { plan, host, closing, keepCall } = internals
  let isBusy = false

  const chatModels = () => modelsIn(plan().config)

  /** The sections of the running plugins that remember: read, and nothing else. */
  const remembered: Remembered = async (turn, decision) => {
    const found: Section[] = []
    for (const { plugin, hooks } of host.running) {
      if (plugin.definition.remembers !== true || !hooks.context) continue
      const sections = await hooks.context(turn, decision)
      if (sections) found.push(...[sections].flat())
    }
    return found
  }

  function withPersona(config: BotConfig, { persona, model }: Change): BotConfig {
    const chat = model === undefined ? undefined : chatModels().find(({ name }) => name === model)
    if (model !== undefined && !chat) throw new KikimimiError('OPTIONS_INVALID', `The bot has no model "${model}".`)
    return {
      ...config,
      ...(persona !== undefined && { persona: { ...config.persona, prompt: persona } }),
      ...(chat && { models: { ...config.models, chat, plugins: {}, channels: {} } }),
    }
  }

  function caseOf(turn: string, place: TurnPlace, expected: Expected | undefined, changes: ReadonlyMap<string, Change>): Case {
    return {
      name: turn,
      kind: 'rated',
      async run({ name }, metered) {
        const change = changes.get(name) ?? {}
        const { changed } = await variantsOf(place.conversation, change.settings ?? {}, { plan: plan(), stored })
        const me = await accountIn(place.conversation, operator, ctx.bot.name)
        const situation = await situationOf(log, place, me)
        if (!situation) throw new KikimimiError('REPLAY_NOTHING', 'The bot no longer keeps the messages of this turn.')
        const config = withPersona(changed.config, change)
        await using stage = await openStage({ name, config, project: plan().project }, metered, {
          begin: [...situation.history, ...situation.batch].reduce((first, { at }) => (at < first ? at : first), place.at),
          platform: place.conversation.platform,
          set: changed.set,
          ...(change.memory !== false && { remembered }),
        })
        const played = await stage.play(situation)
        return outcomeOf(played, expected ? checksOf(played, expected) : [])
      },
    }
  }

  return {
    get models() {
      return chatModels().map(({ name }) => name)
    },

    async evaluate({ turns, changes, budget, signal, progress }) {
      if (isBusy) throw new KikimimiError('REPLAY_BUSY', 'An evaluation is running. Wait until it is finished.')
      isBusy = true
      try {
        const named = new Map(changes.map((change, at) => ['AB'[at] ?? String(at), change]))
        const cases: Case[] = []
        const gone: string[] = []
        for (const { turn, expected } of turns) {
          const place = await findTurn(ctx.db, turn)
          const kept = place && (await situationOf(log, place, { id: '', name: '' }))
          if (!place || !kept) {
            gone.push(turn)
            continue
          }
          // Refused here, before any model is asked.
          for (const change of changes) {
            const { changed } = await variantsOf(place.conversation, change.settings ?? {}, { plan: plan(), stored })
            withPersona(changed.config, change)
          }
          cases.push(caseOf(turn, place, expected, named))
        }
        if (cases.length === 0) throw new KikimimiError('REPLAY_NOTHING', 'The bot no longer keeps the messages of these turns.')
        const [first = 'A', ...rest] = named.keys()
        const configuration = (name: string) => {
          return { name, config: withPersona(plan().config, named.get(name) ?? {}), project: plan().project }
        }
        const all = signal ? AbortSignal.any([signal, closing]) : closing
        const { onCall, booked } = bookCalls(keepCall)
        try {
          const done = await untraced(() =>
            evaluate(cases, {
              configurations: [configuration(first), ...rest.map(configuration)],
              ...{ budget, signal: all, onCall, ...(progress && { progress }) },
            }),
          )
          return { ...done, gone }
        } finally {
          await booked()
        }
      } finally {
        isBusy = false
      }
    },
  }
}

function modelsIn({ models = {} }: BotConfig): readonly ChatModel[] {
  const given = [models.chat, models.judge, models.summary, models.reflection].filter(model => model !== undefined)
  return [...new Map(given.map(chatModelOf).map(model => [model.name, model])).values()]
}
