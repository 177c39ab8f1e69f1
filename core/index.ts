/** The public face of kikimimi: what bot.config.ts and plugins import. */

export type {
  ChannelReplay,
  InPlaces,
  ReplayDifference,
  ReplayRequest,
  ReplaySide,
  ReplayTurn,
  TurnKind,
} from '../packages/replay/request.ts'
export { type BotConfig, calm, defineBot, type PluginEntry } from './api/config.ts'
export { duration } from './api/duration-option.ts'
export type {
  ExplainedOption,
  FailedJobs,
  OpenBreaker,
  Operator,
  QueueState,
  Spending,
  Upcoming,
  UpcomingTurn,
} from './api/operator.ts'
export { commandName } from './api/persona.ts'
export * from './api/plugin.ts'
export { type Clock, sleep, systemClock } from './base/clock.ts'
export { milliseconds, parseDuration } from './base/duration.ts'
export { type ErrorCode, KikimimiError } from './base/errors.ts'
export { languageOf } from './base/language.ts'
export type { Logger } from './base/log.ts'
export { type NameMatcher, nameMatcher } from './base/names.ts'
export { splitText } from './base/split.ts'
export { type Deadline, withTimeout } from './base/timeout.ts'
export { estimateTokens } from './base/tokens.ts'
export { type Bot, startBot } from './bot/bot.ts'
export type { StartOptions } from './bot/start-options.ts'
export type { Forgotten } from './features/erasure/erasure.ts'
export type { Reloaded } from './features/reload/reload.ts'
export { BATCH_ATTEMPTS, createFailureTracker, type FailureTracker, modelFailure, retryAt } from './models/batch-retry.ts'
export type { ChatModel, ChatTurn, Generated, GenerateRequest, ToolCall } from './models/chat-model.ts'
export type { ModelRequest, Models, Role, Tool } from './models/models.ts'
export { conversationValues, formatSections } from './prompt/prompt-values.ts'
export { namesOf, safeName, safeText, transcript } from './prompt/transcript.ts'
export { type Cached, cached } from './storage/database/cached.ts'
export type { Database } from './storage/database/database.ts'
