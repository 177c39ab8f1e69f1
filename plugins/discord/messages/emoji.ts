import { KikimimiError } from 'kikimimi'
/** Emoji as people write them, and as Discord's API takes them. */

/** A guild's own emoji. `id` is null for one of Unicode. */
export interface OwnEmoji {
  readonly id: string | null
  readonly name: string | null
}

/**
 * `👍`, `:party:`, `party`, `<:party:123>` or `party:123` as Discord's API wants it. Throws when the guild has none of the name.
 *
 * @param own those of the guild, asked for by name alone
 */
export async function emojiOf(emoji: string, own: () => Promise<readonly OwnEmoji[]>): Promise<string> {
  const [, name, id] = /^<?(?:a?:)?(\w+):(\d+)>?$/.exec(emoji) ?? []
  if (name !== undefined && id !== undefined) return `${name}:${id}`
  const [, wanted] = /^:?(\w{2,32}):?$/.exec(emoji) ?? []
  if (wanted === undefined) return emoji
  const found = (await own()).find(one => one.name === wanted)
  if (found) return `${found.name}:${found.id}`
  throw new KikimimiError('PLATFORM_REFUSED', `there is no emoji :${wanted}: in this server`)
}
