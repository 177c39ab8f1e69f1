/** What takes a message to an answer: who may call the bot, the queue of turns, models, delivery, and the conversations. */
import type { BotIdentity, PersonaPlace } from '../api/index.ts'
import { type BotAccess, createAccess } from '../features/access/access.ts'
import { OVER_QUOTA } from '../features/access/index.ts'
import { handlesOf } from '../features/answers/answers.ts'
import { createDeliverer } from '../features/delivery/delivery.ts'
import { createMetrics, type Metrics } from '../features/http/metrics.ts'
import { type Admission, createAdmission } from '../features/overload/admission.ts'
import { createShedding, type Shedding } from '../features/overload/overload.ts'
import { createEmergencyStop, type EmergencyStop } from '../features/stop/emergency-stop.ts'
import { createSurroundings, type SurroundingsReader } from '../features/surroundings/surroundings.ts'
import { hooksIn } from '../kernel/host/plugin-host.ts'
import type { RunningPlugin } from '../kernel/host/set-up.ts'
import { FAILURE, type TraceDraft } from '../kernel/pipeline/trace.ts'
import { Conversations } from '../kernel/turns/conversations.ts'
import type { Deliverer } from '../kernel/turns/deliverer.ts'
import { apologyOf, overspentNotice } from '../prompt/persona.ts'
import { createTurnQueue, type TurnQueue } from '../storage/turns/turn-queue.ts'
import type { Current } from './configured.ts'
import { type BotModels, createModels } from './create-models.ts'
import type { Foundation } from './foundation.ts'
import type { Storage } from './storage.ts'

export interface Talk {
  readonly bot: BotIdentity
  readonly stop: EmergencyStop
  readonly access: BotAccess
  readonly metrics: Metrics
  readonly models: BotModels
  readonly admission: Admission
  readonly shedding: Shedding
  readonly turns: TurnQueue
  readonly surroundings: SurroundingsReader
  readonly delivery: Deliverer
  readonly conversations: Conversations
  /** The running plugins, by name. The host fills it. */
  readonly running: Map<string, RunningPlugin>
}

export function createTalk(foundation: Foundation, storage: Storage, configured: Current, scope: AsyncDisposableStack): Talk {
  const { clock, random, platforms, closing, stopping } = foundation
  const { store, table, log, barrier } = storage
  const turns = createTurns(foundation, storage, configured)
  const bot = identityOf(configured)
  // The own name of the bot counts everywhere: STOP stops all personas.
  const names = (place: PersonaPlace) => {
    const own = configured.current.identity.personas.bot
    const persona = bot.personaIn(place)
    return persona === own ? own.names : [...new Set([...persona.names, ...own.names])]
  }
  const stop = createEmergencyStop({ table, clock, names })
  const access = createAccess({ platforms, clock, log, closing: closing.signal, settings: configured })
  const metrics = createMetrics()
  const { permitted } = access
  const models = createModels(foundation, storage, { configured, metrics, permitted })
  const admission = createAdmission({ clock })
  const shedding = scope.use(createShedding({ admission, clock, log, names, shed: metrics.shed }))
  const keepsHistory = () => configured.current.plan.settings.memory.keepHistory
  const surroundings = createSurroundings({ store, platforms, settings: configured, clock, keepsHistory })
  const running: Talk['running'] = new Map()
  const delivery = createDelivery(foundation, storage, { configured, stop, running })
  const conversations = new Conversations({
    ...{ store, platforms, barrier, clock, random, log, delivery },
    personaIn: bot.personaIn,
    queue: turns,
    settings: configured,
    guard: stop,
    callers: access,
    stopping: stopping.signal,
    observer: metrics,
    enter: shedding.enter,
    surround: surroundings.surround,
    apologize: trace => apologize(trace, configured.current),
  })
  return {
    ...{
      bot,
      stop,
      access,
      metrics,
      models,
      admission,
      shedding,
      turns,
      surroundings,
      delivery,
      conversations,
      running,
    },
  }
}

/** Follows reloads. */
function identityOf(configured: Current): BotIdentity {
  return {
    get name() {
      return configured.current.identity.personas.bot.name
    },
    get locale() {
      return configured.current.identity.locale
    },
    personaIn: place => configured.current.identity.personas.in(place),
  }
}

function createTurns({ clock, options }: Foundation, { store, log, barrier, shared }: Storage, configured: Current): TurnQueue {
  return createTurnQueue({
    ...{ store, clock, pollClock: options.jobClock ?? clock, log, barrier, shared },
    settings: configured,
    concurrency: configured.current.plan.settings.concurrency,
  })
}

type DeliveryParts = Pick<Talk, 'stop' | 'running'> & { readonly configured: Current }

function createDelivery(
  { clock }: Foundation,
  { store, log, shared }: Storage,
  { configured, stop, running }: DeliveryParts,
): Deliverer {
  return createDeliverer({
    ...{ store, guard: stop, clock, log, settings: configured, shared: shared !== undefined },
    handles: text =>
      handlesOf(
        hooksIn(running, 'commands').flatMap(({ hook }) => hook),
        text,
        configured.current.identity.locale,
      ),
  })
}

/** What the bot says in place of an answer that it could not make. */
async function apologize(trace: TraceDraft, { budget, plan: { settings } }: Current['current']) {
  const spent = await budget.overspent(trace)
  const text = spent ? spent.tell && overspentNotice(settings, spent.tell) : apologyOf(settings)
  if (spent) trace.why = spent.person?.why ?? FAILURE.budget
  if (spent?.person) return spent.person.tell ? OVER_QUOTA : undefined
  return text === undefined ? undefined : ({ kind: 'text', text } as const)
}
