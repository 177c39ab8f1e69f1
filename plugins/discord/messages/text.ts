/** Texts of Discord as people read them. */
import type { APIGuildMember, APIMessage, APIUser } from 'discord.js'
import type { Locale, Person } from 'kikimimi'
import { type Outgoing, withMentions } from 'kikimimi/platform'

/** Maximum length of one message. */
export const TEXT_LENGTH = 2_000

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
  if (!content.includes('<')) return content
  const mentioned = new Map(mentions.map(user => [user.id, nameOf(user, user.member?.nick)]))
  const called = (id: string, name: (id: string) => string | undefined) => (names.isMe(id) ? names.me.name : name(id))
  const read = (raw: string, sign = '', id = '', emoji?: string, command?: string, seconds?: string) => {
    if (seconds !== undefined) return new Date(Number(seconds) * 1_000).toISOString().slice(0, 16)
    const name =
      sign === '#' ? names.channel(id) : called(id, sign === '@&' ? names.role : user => mentioned.get(user) ?? names.user(user))
    return emoji ?? command ?? (name === undefined ? raw : `${sign.charAt(0)}${name}`)
  }
  return content.replace(MARKUP, read)
}

/** The text of a message of the bot, with mentions of the people whom it notifies. */
export function written(text: string, notify: Outgoing['notify']): string {
  return withMentions(text, notify)
    .map(piece => (typeof piece === 'string' ? piece : `<@${piece.id}>`))
    .join('')
}

/** A person, a role or a channel; an emoji; a command, whose name has three words at most; a time. */
const MARKUP = /<(?:(@[!&]?|#)(\d+)|a?(:\w+:)\d+|(\/[^:>]{1,100}):\d+|t:(\d{1,12})(?::\w)?)>/g

export function nameOf(user: APIUser, nick?: string | null): string {
  return nick || user.global_name || user.username
}
