/** What is recorded about a turn: every value, its reasons and its costs. */
import type { Address } from './message.ts'
import type { Decision, Reply, TotalScore } from './turn.ts'

export type Outcome =
  /** Decided to say nothing, or the responder did: then `why` tells. */
  | 'silent'
  /** Decided to answer later; another turn follows. */
  | 'delayed'
  /** Sent. */
  | 'replied'
  /** Something newer was said, or the trigger is gone: not sent. */
  | 'cancelled'
  /** Wanted to answer, and could not. */
  | 'failed'

/** Everything that happened to a turn and why. Holds no message text. */
export interface Trace {
  readonly turn: string
  readonly conversation: string
  readonly at: Date
  readonly messages: readonly string[]
  readonly trigger: string
  readonly addressed?: Address
  readonly score?: TotalScore
  readonly decision?: Decision & { readonly plugin?: string }
  readonly sections: readonly {
    readonly title: string
    readonly plugin: string
    readonly tokens: number
    readonly kept: boolean
  }[]
  readonly models: readonly ModelCall[]
  readonly reply?: { readonly kind: Reply['kind']; readonly plugin: string; readonly length: number }
  readonly sent: readonly string[]
  readonly outcome: Outcome
  /** Why a turn that wanted to speak did not. */
  readonly why?: string
  /** Which plugin says so: one that withdrew the answer, or would rather be silent. Absent when the kernel does. */
  readonly by?: string
  readonly problems: readonly { readonly plugin: string; readonly stage: string; readonly message: string }[]
  /** Milliseconds spent in each stage, by the bot's clock. */
  readonly ms: Readonly<Record<string, number>>
}

export interface ModelCall {
  readonly role: string
  readonly model: string
  readonly inputTokens: number
  readonly outputTokens: number
  readonly ms: number
  readonly attempts: number
  /** In the currency of the prices in bot.config.ts; absent for a model without a price. */
  readonly cost?: number
  readonly error?: string
}
