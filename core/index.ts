/** The public face of kikimimi: what bot.config.ts and plugins import. */
export { type Bot, startBot } from './bot.ts'
export { type Cached, cached } from './cached.ts'
export { type Clock, sleep, systemClock } from './clock.ts'
export { type BotConfig, calm, defineBot, type PluginEntry } from './config.ts'
export type { Database } from './database.ts'
export { type Deadline, within } from './deadline.ts'
export { milliseconds, parseDuration } from './duration.ts'
export { type ErrorCode, KikimimiError } from './errors.ts'
export { isForgetting, notForgotten } from './forget/heed.ts'
export { type NameMatcher, nameMatcher } from './forget/names.ts'
export type { Forgotten } from './forget.ts'
export { languageOf } from './language.ts'
export type { Logger } from './log.ts'
export type { ChatModel, ChatTurn, Generated, GenerateRequest, ToolCall } from './models/chat-model.ts'
export type { ModelRequest, Models, Role, Tool } from './models.ts'
export { offline, offlineGreeting } from './offline.ts'
export type { ExplainedOption, OpenBreaker, Operator, Spending, Upcoming, UpcomingTurn } from './operator.ts'
export { duration } from './options.ts'
export type { Parts } from './parts.ts'
export { commandName } from './persona.ts'
export * from './plugin.ts'
export { conversationValues, formatSections } from './prompt-values.ts'
export type { Reloaded } from './reload.ts'
export type {
  ChannelReplay,
  InPlaces,
  LookKind,
  ReplayDifference,
  ReplayLook,
  ReplayRequest,
  ReplaySide,
} from './replay/request.ts'
export { BATCH_ATTEMPTS, type Blame, createBlame, modelFailure, retryAt } from './setbacks.ts'
export { splitText } from './split.ts'
export { estimateTokens } from './tokens.ts'
export { namesOf, safeName, safeText, transcript } from './transcript.ts'
