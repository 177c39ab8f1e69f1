/** The members of a channel whose seats the bot takes, and the messages that each of them really answered. */
import { type Conversation, KikimimiError, type Operator, type Person } from 'kikimimi'
import type { ChatLog } from './logs/chat-log.ts'

/**
 * Whose seat the bot takes: one author by id or name, or this many of the busiest in each log. Or the bot itself, with its
 * own lines in the log.
 */
export type Seating = { readonly author: string } | { readonly busiest: number } | { readonly itself: Person }

export interface Seat {
  readonly id: string
  readonly name: string
  /** Ids of the messages that this member's lines answer, the member's own included. */
  readonly answered: ReadonlySet<string>
  /** True: the seat is the bot's own. Replies to its lines address the bot. */
  readonly itself?: boolean
}

/** Throws USAGE when the log has no such member. */
export async function seatsIn({ name: log, lines }: ChatLog, seating: Seating): Promise<readonly Seat[]> {
  if ('itself' in seating) return [{ id: seating.itself.id, name: seating.itself.name, answered: new Set(), itself: true }]
  const members = new Map<string, { readonly id: string; name: string; lines: number; answered: Set<string> }>()
  for await (const { author, context, replyTo } of lines()) {
    if (author.bot) continue
    const member = members.get(author.id) ?? { id: author.id, name: author.name, lines: 0, answered: new Set() }
    members.set(author.id, member)
    if (context) continue
    member.lines++
    for (const id of replyTo) member.answered.add(id)
  }
  const busiest = [...members.values()].sort((a, b) => b.lines - a.lines || (a.id < b.id ? -1 : 1))
  if ('busiest' in seating) return busiest.filter(({ lines }) => lines > 0).slice(0, seating.busiest)
  const wanted = busiest.find(({ id, name }) => id === seating.author || name === seating.author)
  if (wanted) return [wanted]
  const some = busiest.slice(0, 5).map(({ name }) => name)
  throw new KikimimiError(
    'USAGE',
    `No member called "${seating.author}" writes in ${log}. The busiest there: ${some.join(', ')}.`,
  )
}

/** The account of the bot in a conversation. */
export async function accountIn(
  conversation: Conversation,
  operator: Pick<Operator, 'platforms'>,
  persona: string,
): Promise<Person> {
  const platform = operator.platforms.find(({ name }) => name === conversation.platform)
  return (await platform?.meIn?.(conversation)) ?? platform?.me ?? { id: 'kikimimi', name: persona }
}
