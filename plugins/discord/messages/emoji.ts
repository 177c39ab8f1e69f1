import { KikimimiError } from 'kikimimi'
/** Emoji in the notation of people, and in that of Discord's API. */

/** A guild's own emoji. `id` is null for a Unicode emoji. */
export interface OwnEmoji {
  readonly id: string | null
  readonly name: string | null
}

/**
 * Converts `👍`, `:party:`, `party`, `<:party:123>` or `party:123` for Discord's API. Throws if the guild has no emoji of
 * this name.
 *
 * @param own emoji of the guild; called for names only
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
