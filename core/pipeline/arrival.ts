/** What plugins say to a message before it is recorded. */
import { clean } from '../conversations/incoming.ts'
import type { Patience } from '../database/patience.ts'
import type { Logger } from '../log.ts'
import type { Address, Drop, IncomingMessage } from '../plugin.ts'
import { type createCaller, FAILED, type Filler, isPromise, type Problem } from './call.ts'
import { asAddress, asReason } from './results.ts'
import { withheld } from './withheld.ts'

/** Why something is not wanted, and which plugin says so. */
export interface Reason {
  readonly plugin: string
  readonly why: string
}

export interface Arrival {
  /** Why the message is dropped, or nothing. A filter that fails drops it too. Rejects when the database stays away. */
  filter(message: IncomingMessage, stopping: AbortSignal): Promise<Reason | undefined>
  /** Tells the plugins that want to know. Never rejects, and nothing should wait for it. */
  dropped(drop: Drop, stopping: AbortSignal): Promise<void>
  /** How the message calls on the bot, as the plugins see it. Rejects when the database stays away. */
  address(message: IncomingMessage, stopping: AbortSignal): Promise<Address | undefined>
}

export interface Arriving {
  readonly filter: readonly Filler<'filter'>[]
  readonly dropped: readonly Filler<'dropped'>[]
  readonly address: readonly Filler<'address'>[]
}

export interface ArrivalOptions {
  readonly call: ReturnType<typeof createCaller>
  readonly log: Logger
  readonly patiently: Patience
}

export function createArrival(fillers: Arriving, { call, log, patiently }: ArrivalOptions): Arrival {
  const telling =
    (texts: readonly string[]): Problem =>
    (plugin, stage, error) => {
      const message = withheld(error, texts)
      log.child(plugin).warn(`${stage} failed: ${message}`)
      return clean(message, 500)
    }

  return {
    async filter(message, stopping) {
      const problem = telling([message.text])
      for (const filler of fillers.filter) {
        const ask = () => call(filler, limit => filler.stages.filter(message, limit), asDropped, stopping, problem)
        let why = patiently(ask)
        if (isPromise(why)) why = await why
        if (why === FAILED) return { plugin: filler.name, why: 'the filter failed' }
        if (why !== undefined) return { plugin: filler.name, why }
      }
      return undefined
    },

    async dropped(drop, stopping) {
      const problem = telling([])
      const told = fillers.dropped.map(filler =>
        call(
          filler,
          limit => filler.stages.dropped(drop, limit),
          () => undefined,
          stopping,
          problem,
        ),
      )
      await Promise.all(told)
    },

    async address(message, stopping) {
      const problem = telling([message.text])
      for (const filler of fillers.address) {
        const ask = () => call(filler, limit => filler.stages.address(message, limit), asAddress, stopping, problem)
        let how = patiently(ask)
        if (isPromise(how)) how = await how
        if (how !== FAILED && how !== undefined) return how
      }
      return undefined
    },
  }
}

const asDropped = (result: unknown) => asReason(result, 'filter')
