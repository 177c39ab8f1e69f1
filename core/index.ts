/**
 * What bot.config.ts and plugins import. Authors of platforms also import `kikimimi/platform`, and authors of chat models
 * `kikimimi/model`.
 */

// bot.config.ts
export { type People, people } from './api/checks/access-rules.ts'
// Services of the kernel
export { Access, type ChatCommand, type CommandCall, chatCommand } from './api/commands.ts'
export { type BotConfig, calm, type ModelConfig, type PluginEntry } from './api/config.ts'
// A plugin, its context and its options
export type { BotIdentity, Job, PluginContext } from './api/context.ts'
// Data and work
export type { Database } from './api/database.ts'
export {
  type CliCommand,
  type CliOutput,
  type Configured,
  definePlugin,
  type Finding,
  type Plugin,
  type PluginDefinition,
  type PluginFactory,
  type PluginHealth,
  type PluginHooks,
} from './api/define-plugin.ts'
export { Erasure, type ForgottenPerson, OptOuts } from './api/erasure.ts'
export { type FileContents, Files, type HeldFile } from './api/files.ts'
// Messages and places
export {
  type Attachment,
  addressees,
  Channels,
  type Conversation,
  type ConversationDetails,
  channelOf,
  conversationId,
  conversationParts,
  type IncomingMessage,
  inChannel,
  inThread,
  type Message,
  type Person,
  type Persona,
  type PersonaPlace,
  type PersonKey,
} from './api/message.ts'
export { type LogBatch, type LoggedMessage, type LogIndex, MessageLog } from './api/message-log.ts'
export { type ModelRequest, type Models, type Tool, type ToolResult, Tools } from './api/models.ts'
export { Operator } from './api/operator.ts'
export { StoredSettings } from './api/options.ts'
export { type Service, service } from './api/service.ts'
// A turn
export type { Stages } from './api/stages.ts'
export { cron, type DurationOption, duration, timeZone } from './api/time-options.ts'
export type { Trace } from './api/trace.ts'
export {
  type Context,
  type Decision,
  type DecisionToSpeak,
  type MessageSource,
  type Reply,
  type Score,
  type Section,
  type Silence,
  type TotalScore,
  type Turn,
  turnSources,
} from './api/turn.ts'
// Time, errors, limits
export type { Awaitable } from './base/awaitable.ts'
export { createBreaker } from './base/breaker.ts'
export { type Clock, sleep, systemClock } from './base/clock.ts'
export { milliseconds, parseDuration } from './base/duration.ts'
export { type ErrorCode, KikimimiError } from './base/errors.ts'
export type { Logger } from './base/log.ts'
export { RecentMap } from './base/recent-map.ts'
export { timesOf } from './base/schedule.ts'
// Texts for people
export { ago } from './base/text/core-texts.ts'
export { fold, foldedNames } from './base/text/fold.ts'
export { languageOf } from './base/text/language.ts'
export { type NameMatcher, nameMatcher } from './base/text/names.ts'
export { nearest } from './base/text/nearest.ts'
export { splitText } from './base/text/split.ts'
export { anyOf, type Locale, languagesIn, type Say, type Texts, textsIn } from './base/text/texts.ts'
// Texts for models
export { estimateTokens } from './base/text/tokens.ts'
export { withTimeout } from './base/timeout.ts'
export { startBot } from './bot/bot.ts'
export type { Bot } from './bot/bot-type.ts'
export type { StartOptions } from './bot/start-options.ts'
export { secretOption } from './features/connecting/secret-option.ts'
export { defineBot } from './features/settings-file/define-bot.ts'
export { BATCH_ATTEMPTS, createFailureTracker, modelFailure, retryAt } from './models/batch-retry.ts'
export { formatFiles } from './prompt/file-contents.ts'
export { commandName } from './prompt/persona.ts'
export { conversationValues, formatDetails, formatSections, formatTime } from './prompt/prompt-values.ts'
export { namesOf, safeLine, safeName, safeText, transcript } from './prompt/transcript.ts'
export { type Cached, cached } from './storage/database/cached.ts'
export { type DueBy, runWhenDue } from './storage/jobs/run-when-due.ts'
