import type { IncomingMessage } from 'kikimimi'

/**
 * The names by which a message may address the bot, as far as the platform tells on arrival; undefined if it does not. Other messages of
 * people who opted out are not read.
 *
 * @param me the bot's id on the platform; undefined before its first turn
 */
export function calledIn(
  message: IncomingMessage,
  names: readonly string[],
  me: string | undefined,
): readonly string[] | undefined {
  const { conversation, mentions = [], replyTo, text } = message
  const isMe = (id: string | undefined) => id === undefined || me === undefined || id === me
  const mentioned = mentions.filter(({ id }) => isMe(id))
  const calls =
    conversation.visibility === 'direct' ||
    mentioned.length > 0 ||
    (replyTo !== undefined && isMe(replyTo.author)) ||
    names.some(name => text.toLowerCase().includes(name.toLowerCase()))
  return calls ? [...names, ...mentioned.map(({ name }) => name)] : undefined
}
