import type { Conversation, IncomingMessage, Person } from '../../api/index.ts'
import type { Awaitable } from '../../base/awaitable.ts'
import type { TurnState } from '../../storage/store/store.ts'
import type { Pipeline } from '../pipeline/pipeline.ts'

/** How long a batch waits before it is judged. */
export interface Pacing {
  /** Reports a new recorded message. `at`: milliseconds since the epoch. */
  heard(conversation: Conversation, author: string, at: number): void
  /** A random factor for the waits of a turn: 1, more or less the jitter. */
  vary(conversation: Conversation): number
  /** The shortest wait after a message in milliseconds, before it is varied. A turn that runs too early is scheduled again. */
  shortestMs(conversation: Conversation): number
  /**
   * For so many milliseconds after the bot was called or spoke, the wait of a batch can depend on earlier messages than the last one.
   */
  partnersMs(conversation: Conversation): number
  /** When the batch may be judged, in milliseconds since the epoch, with waits times `vary`. */
  dueAt(state: Pick<TurnState, 'conversation' | 'batch' | 'history'>, vary: number): number
  /** Milliseconds after which a conversation is judged even when it never becomes quiet. */
  maxWaitMs(conversation: Conversation): number
}

/** The settings of turns, from bot.config.ts. A reload replaces them while no message arrives and no turn runs. */
export interface TurnSettings {
  readonly pipeline: Pipeline
  readonly pacing: Pacing
  /** Why the bot does not listen to a message, or nothing. Such a message is never recorded. */
  ignores(message: IncomingMessage, conversation: Conversation): string | undefined
  /** Maximum age, in milliseconds, of a mention received while the bot was offline that the bot still answers. */
  readonly missedMs: number
  /** Working memory: the largest number of messages, and their largest age in milliseconds. */
  readonly memory: { readonly size: number; readonly ttlMs: number }
}

/** What bot.config.ts decides now. A reload replaces `current`. */
export interface CurrentSettings {
  readonly current: { readonly turns: TurnSettings }
}

/** Decides where the bot must not speak. It works from memory, also when the database is unavailable and models hang. */
export interface SpeakingGuard {
  /** Handles a message of an admin before anything that can fail or take time. */
  observe(conversation: Conversation, message: IncomingMessage, me: Person): void
  /** Whether a message is a command to this guard. The author does not matter. */
  isCommand(conversation: Conversation, message: IncomingMessage, me: Person): boolean
  /** `signal` aborts, with the reason, while the bot must not speak in the conversation. Dispose it after use. */
  watch(conversation: Conversation): Disposable & { readonly signal: AbortSignal }
  /** Reads the commands that other processes received. Never rejects. */
  refresh(): Promise<void>
}

/** Decides which people may call the bot. */
export interface CallGuard {
  /** Why the person may not call it in the conversation, for the trace. Nothing: the person may. Never rejects. */
  refuses(conversation: Conversation, person: Person): Awaitable<string | undefined>
}
