import type { Conversation, IncomingMessage, Person, Platform } from '../../api/index.ts'
import type { Pipeline } from '../pipeline/pipeline.ts'

/** How long a conversation must be quiet before it is judged. */
export interface Pacing {
  /** A new message was recorded, `at` milliseconds since the epoch. */
  heard(conversation: Conversation, author: string, at: number): void
  /** Milliseconds of quiet after a message, with jitter. */
  debounceMs(conversation: Conversation): number
  /** Milliseconds after which a conversation is judged even when it never becomes quiet. */
  maxWaitMs(conversation: Conversation): number
}

/** How the bot takes part, as bot.config.ts says. A reload replaces it while no message arrives and no turn runs. */
export interface TurnSettings {
  readonly pipeline: Pipeline
  readonly pacing: Pacing
  /** Why the bot does not listen to a message, or nothing. What is not listened to is never recorded. */
  ignores(message: IncomingMessage, conversation: Conversation): string | undefined
  /** Maximum age, in milliseconds, of a mention received while the bot was offline that the bot still answers. */
  readonly missedMs: number
  /** Working memory: how many messages, and how long they are remembered, in milliseconds. */
  readonly memory: { readonly size: number; readonly ttlMs: number }
}

/** The settings that hold now. */
export interface CurrentSettings {
  readonly current: TurnSettings
}

/** Decides where the bot must not speak. Everything works from memory: with the database down, and with models that hang. */
export interface SpeakingGuard {
  /** Sees a message of an admin before anything that could fail or take time. */
  observe(conversation: Conversation, message: IncomingMessage, platform: Pick<Platform, 'me'>): void
  /** Whether a message is a command to this guard, whoever wrote it. */
  isCommand(message: IncomingMessage, me: Person): boolean
  /** `signal` is aborted while the bot must not speak in the conversation, with the reason. Dispose it after use. */
  watch(conversation: Conversation): Disposable & { readonly signal: AbortSignal }
  /** Reads what other processes were told. Never rejects. */
  refresh(): Promise<void>
}
