import type { ChatModel, LangChainModel } from '../api/chat-model.ts'
import type { ModelConfig, RoleModels } from '../api/config.ts'
import type { Conversation, Role } from '../api/index.ts'

/** The models of a bot, with a chat model. */
export type ChosenModels = ModelConfig & { readonly chat: ChatModel | LangChainModel }

/** Who asks for a model, and where. */
export interface Asking {
  readonly plugin?: string | undefined
  /** The conversation of the running turn, or the one that a call of a job is for. Absent: the whole bot. */
  readonly conversation?: Conversation | undefined
}

/** The model for a call: that of the channel, that of the plugin, that of the role, or `chat`. */
export function modelFor(models: ChosenModels, role: Role, { plugin, conversation }: Asking): ChatModel | LangChainModel {
  const ofChannel = conversation && inChannel(models.channels ?? {}, conversation)
  return ofRole(models, role, plugin, ofChannel) ?? models.chat
}

/** What stands for a channel, by its name or id. */
function inChannel<T>(channels: Readonly<Record<string, T>>, { channel, name }: Conversation): T | undefined {
  return channels[channel] ?? channels[name] ?? channels[`#${name}`]
}

/** All models for texts, each once. */
export function chatModels(models: ModelConfig): readonly (ChatModel | LangChainModel)[] {
  const sets: RoleModels[] = [models, ...Object.values(models.plugins ?? {}), ...Object.values(models.channels ?? {})]
  const all = sets.flatMap(({ chat, judge, summary, reflection }) => [chat, judge, summary, reflection])
  return [...new Set(all.filter(model => model !== undefined))]
}

/** The models that fill a role for a plugin: in general, and in each channel with models of its own. Undefined: the offline model. */
export function modelsThatFill(
  models: ModelConfig,
  role: Role,
  plugin: string,
): readonly (ChatModel | LangChainModel | undefined)[] {
  const sets = [undefined, ...Object.values(models.channels ?? {})]
  return sets.map(ofChannel => ofRole(models, role, plugin, ofChannel) ?? models.chat)
}

/** The first that is configured: that of the channel, that of the plugin, that of the role. */
function ofRole(models: ModelConfig, role: Role, plugin: string | undefined, ofChannel: RoleModels | undefined) {
  const ofPlugin = plugin === undefined ? undefined : models.plugins?.[plugin]
  return ofChannel?.[role] ?? ofPlugin?.[role] ?? models[role]
}
