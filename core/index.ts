/** The public API of kikimimi: what bot.config.ts and plugins import. */

export { type People, people } from './api/checks/access-rules.ts'
export { type BotConfig, calm, type ModelConfig, type PluginEntry, type RoleModels } from './api/config.ts'

export * from './api/index.ts'
export { cron, type DurationOption, duration, timeZone } from './api/time-options.ts'
export type { Awaitable } from './base/awaitable.ts'
export { type Breaker, type BreakerOptions, createBreaker } from './base/breaker.ts'
export { type Clock, sleep, systemClock } from './base/clock.ts'
export { type Duration, milliseconds, parseDuration } from './base/duration.ts'
export { type ErrorCode, KikimimiError } from './base/errors.ts'
export type { LogFields, Logger } from './base/log.ts'
export type { CronSchedule, Schedule } from './base/schedule.ts'
export { ago, knownLocale, LOCALES } from './base/text/core-texts.ts'
export { languageOf } from './base/text/language.ts'
export { type NameMatcher, nameMatcher } from './base/text/names.ts'
export { nearest } from './base/text/nearest.ts'
export { splitText } from './base/text/split.ts'
export type { Locale, Translations } from './base/text/texts.ts'
export { anyOf, languagesIn, type Say, type Texts, type TextValues, textsIn } from './base/text/texts.ts'
export { estimateTokens } from './base/text/tokens.ts'
export { type Deadline, withTimeout } from './base/timeout.ts'
export { type Bot, startBot } from './bot/bot.ts'
export type { StartOptions } from './bot/start-options.ts'
export { createInOrder, type InOrder } from './features/connecting/in-order.ts'
export { type KeptConnection, keepConnected } from './features/connecting/keep-connected.ts'
export { keepTyping } from './features/connecting/keep-typing.ts'
export { orderIn, takeCommand, takeEvent, type WrittenCommand } from './features/connecting/take.ts'
export type { Forgotten } from './features/erasure/erasure.ts'
export type { Reloaded } from './features/reload/reload.ts'
export { type BotDefinition, defineBot } from './features/settings-file/define-bot.ts'
export { STAGES } from './kernel/pipeline/stages.ts'
export { BATCH_ATTEMPTS, createFailureTracker, type FailureTracker, modelFailure, retryAt } from './models/batch-retry.ts'
export { jsonSchemaOf } from './models/structured.ts'
export { type FilesForPrompt, formatFiles } from './prompt/file-contents.ts'
export { commandName } from './prompt/persona.ts'
export {
  type ConversationOptions,
  conversationValues,
  formatDetails,
  formatSections,
  formatTime,
} from './prompt/prompt-values.ts'
export { namesOf, readTranscript, safeLine, safeName, safeText, type TranscriptLine, transcript } from './prompt/transcript.ts'
export { type Cached, cached } from './storage/database/cached.ts'
export { type DueBy, runWhenDue } from './storage/jobs/run-when-due.ts'
