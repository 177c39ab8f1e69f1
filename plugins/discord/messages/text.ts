/** Texts of Discord as people read them. */
import type { APIGuildMember, APIMessage, APIUser } from 'discord.js'
import type { Locale, Person } from 'kikimimi'

/** Messages of the gateway have the memberships of author and mentioned people, those of the history have not. */
export type Said = Omit<APIMessage, 'mentions' | 'referenced_message'> & {
  readonly guild_id?: string
  readonly member?: Pick<APIGuildMember, 'nick'>
  readonly mentions: readonly (APIUser & { readonly member?: Pick<APIGuildMember, 'nick'> })[]
  readonly referenced_message?: Said | null
}

/** Names of ids in a text. */
export interface Names {
  user(id: string): string | undefined
  role(id: string): string | undefined
  channel(id: string): string | undefined
  /** The bot's own account and its own role, which people mention by mistake. */
  isMe(id: string): boolean
  readonly me: Person
  /** The language of the bot, for events. */
  readonly locale: Locale
}

/** The text as people read it, with names instead of ids. */
export function textOf(
  { content, mentions = [] }: Pick<Said, 'content'> & Partial<Pick<Said, 'mentions'>>,
  names: Names,
): string {
  const mentioned = new Map(mentions.map(user => [user.id, nameOf(user, user.member?.nick)]))
  return content
    .replace(/<@!?(\d+)>/g, (raw, id) => at(names.isMe(id) ? names.me.name : (mentioned.get(id) ?? names.user(id)), raw))
    .replace(/<@&(\d+)>/g, (raw, id) => at(names.isMe(id) ? names.me.name : names.role(id), raw))
    .replace(/<#(\d+)>/g, (raw, id) => (names.channel(id) === undefined ? raw : `#${names.channel(id)}`))
    .replace(/<a?(:\w+:)\d+>/g, '$1')
    .replace(/<(\/[^:>]+):\d+>/g, '$1')
    .replace(/<t:(\d{1,12})(?::\w)?>/g, (_, seconds) => new Date(Number(seconds) * 1_000).toISOString().slice(0, 16))
}

function at(name: string | undefined, raw: string): string {
  return name === undefined ? raw : `@${name}`
}

export function nameOf(user: APIUser, nick?: string | null): string {
  return nick || user.global_name || user.username
}
