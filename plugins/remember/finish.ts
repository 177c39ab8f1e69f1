/** The work that follows the answer to an order. It survives a crash. */

import type { Conversation, Database, PersonKey, PluginContext } from 'kikimimi'
import { Erasure } from 'kikimimi'
import type { Place, Questions } from './questions.ts'

export type Finish =
  /** Delete these messages from the memory. */
  | { readonly kind: 'drop'; readonly conversation: Conversation; readonly messages: readonly string[] }
  /** Delete these messages and the answer. */
  | { readonly kind: 'clear'; readonly conversation: Conversation; readonly messages: readonly string[] }
  /** Store that the answer is a list to choose from. */
  | { readonly kind: 'asked'; readonly conversation: Conversation; readonly order: string }
  | { readonly kind: 'forget'; readonly people: readonly PersonKey[] }
  /** Delete what these people said between the order and its execution. */
  | { readonly kind: 'silence'; readonly people: readonly PersonKey[]; readonly order: Place }

export interface Finishing {
  readonly finish: Finish
  /** The messages of the answer, as soon as it is sent. */
  readonly sent: readonly string[]
}

export interface FinishDeps {
  readonly ctx: Pick<PluginContext, 'use'>
  readonly db: Database
  readonly questions: Questions
}

export async function carryOut({ ctx, db, questions }: FinishDeps, { finish, sent }: Finishing): Promise<void> {
  switch (finish.kind) {
    case 'drop':
    case 'clear':
      for (const id of [...finish.messages, ...(finish.kind === 'clear' ? sent : [])])
        await ctx.use(Erasure).removeMessage(finish.conversation, id)
      return
    case 'asked':
      return questions.listed(finish.conversation.id, finish.order, sent)
    case 'forget':
      // One transaction: the first erasure deletes this job from the queue, and a crash would lose the others.
      return db.transaction(async () => {
        for (const person of finish.people) await ctx.use(Erasure).forget(person)
      })
    case 'silence':
      for (const { id, ...conversation } of await saidSince(db, finish)) await ctx.use(Erasure).removeMessage(conversation, id)
  }
}

type Said = Omit<Conversation, 'id' | 'thread'> & { readonly id: string }

/**
 * By the time of the message, because history that the platform reads later may be recorded before the order. Messages of
 * people who have opted in again meanwhile stay.
 */
async function saidSince(db: Database, { people, order }: Extract<Finish, { kind: 'silence' }>): Promise<readonly Said[]> {
  const { rows } = await db.query<Said>(
    `select m.id, c.platform, c.workspace, c.channel, c.name, c.visibility
     from kikimimi_v1.message o join kikimimi_v1.message m on m.received_at >= o.received_at - interval '1 hour'
       join kikimimi_v1.conversation c on c.id = m.conversation
       join unnest($1::text[], $2::text[]) as p(platform, person) on p.platform = c.platform and p.person = m.author_id
     where o.channel = $3 and o.id = $4 and (m.at, m.seq) > (o.at, o.seq) and not m.own and m.deleted_at is null
       and exists (select 1 from remember.opt_out q
                   where q.platform = split_part(m.conversation, '/', 1) and q.person = p.person and q.until is null)`,
    [people.map(({ platform }) => platform), people.map(({ id }) => id), order.channel, order.id],
  )
  return rows
}
