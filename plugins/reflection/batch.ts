/** The messages of a batch, as the model reads them. */
import type { Conversation, LogBatch, Message, MessageLog } from 'kikimimi'

/** Longer texts are cut: a pasted text gives few facts. Messages of bots give context. */
const LENGTH = 500
const BOT_LENGTH = 200

export interface Read {
  readonly seq: number
  readonly conversation: Conversation
  readonly message: Message
  /** The text in the prompt. */
  readonly shown: string
  /** Its cards and the like in the prompt. */
  readonly parts: NonNullable<Message['parts']>
}

export function readOf({ messages }: LogBatch): readonly Read[] {
  return messages.map(message => {
    const { seq, conversation, own, author, text, parts = [] } = message
    const longest = own || author.bot ? BOT_LENGTH : LENGTH
    const shortened = parts.map(part => ({ ...part, ...(part.text !== undefined && { text: short(part.text, longest) }) }))
    return { seq, conversation, message, shown: short(text, longest), parts: shortened }
  })
}

/** Number of messages in which {@link namesAround} looks. */
const AROUND = 1_000

/** The names of the people who have written in a conversation lately, by id. */
export async function namesAround(log: MessageLog, { id }: Conversation): Promise<ReadonlyMap<string, string>> {
  const messages = await log.read({ readers: 'operator', conversations: [id], people: true, limit: AROUND })
  return new Map(messages.map(({ author }) => [author.id, author.name]))
}

function short(text: string, length: number): string {
  const letters = [...text]
  return letters.length > length ? `${letters.slice(0, length - 1).join('')}…` : text
}
