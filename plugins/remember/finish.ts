/** The work that follows the answer to an order. It survives a crash. */

import type { FactStore } from '@kikimimi/facts'
import type { Conversation, Database, PersonKey, PluginContext } from 'kikimimi'
import { Erasure } from 'kikimimi'
import type { Questions } from './forgetting/questions.ts'

export type Finish =
  /** Delete these messages from the memory. */
  | { readonly kind: 'drop'; readonly conversation: Conversation; readonly messages: readonly string[] }
  /** Delete these messages and the answer. */
  | { readonly kind: 'clear'; readonly conversation: Conversation; readonly messages: readonly string[] }
  /** Store that the answer is a list to choose from. */
  | { readonly kind: 'asked'; readonly conversation: Conversation; readonly order: string }
  | { readonly kind: 'forget'; readonly people: readonly PersonKey[] }
  /** Delete what these people said up to a time, as a string of `Date`. */
  | { readonly kind: 'silence'; readonly people: readonly PersonKey[]; readonly before: string }

export interface Finishing {
  readonly finish: Finish
  /** The messages of the answer, as soon as it is sent. */
  readonly sent: readonly string[]
}

export interface FinishDeps {
  readonly ctx: Pick<PluginContext, 'use'>
  readonly db: Database
  readonly facts: FactStore
  readonly questions: Questions
}

export async function carryOut({ ctx, db, facts, questions }: FinishDeps, { finish, sent }: Finishing): Promise<void> {
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
      for await (const { id, ...conversation } of saidBy(db, finish)) await ctx.use(Erasure).removeMessage(conversation, id)
      // Facts outlive messages that retention has removed.
      for (const person of finish.people) await facts.forget(await toldBy(facts, person))
  }
}

type Said = Omit<Conversation, 'id' | 'thread'> & { readonly id: string }

/** Number of messages and of facts that are read at once. */
const PAGE = 500

/** The messages of people up to a time, in all conversations. */
async function* saidBy(db: Database, { people, before }: Extract<Finish, { kind: 'silence' }>): AsyncGenerator<Said> {
  for (let last = 0, more = true; more; ) {
    const { rows } = await db.query<Said & { seq: number }>(
      `select m.seq, m.id, c.platform, c.workspace, c.channel, c.name, c.visibility
       from unnest($1::text[], $2::text[]) as p(platform, person)
         join kikimimi_v1.message m on m.author_id = p.person join kikimimi_v1.conversation c on c.id = m.conversation
       where c.platform = p.platform and m.seq > $3 and m.received_at <= $4 and not m.own and m.deleted_at is null
       order by m.seq limit ${PAGE}`,
      [people.map(({ platform }) => platform), people.map(({ id }) => id), last, new Date(before)],
    )
    for (const { seq, ...said } of rows) {
      yield said
      last = seq
    }
    more = rows.length === PAGE
  }
}

/** Ids of the facts that nobody but the person has stated. */
async function toldBy(facts: FactStore, person: PersonKey): Promise<readonly number[]> {
  const ids: number[] = []
  for (let offset = 0, more = true; more; offset += PAGE) {
    const known = await facts.about(person, { limit: PAGE, offset })
    const own = known.filter(({ sources }) => sources.length > 0 && sources.every(({ author }) => author === person.id))
    ids.push(...own.map(({ id }) => id))
    more = known.length === PAGE
  }
  return ids
}
