/** The facts that may be read in a conversation, newest first. */
import { type Conversation, channelOf, type Database } from 'kikimimi'
import type { Fact, ListQuery } from '../api/facts.ts'
import { workspaceOf } from './entries.ts'
import { factsById, factsOf } from './rows.ts'

export async function listFacts(db: Database, query: ListQuery): Promise<readonly Fact[]> {
  const { conversation, person, ids, before, limit = 50, history = false } = query
  const params: unknown[] = [...readerOf(conversation), limit]
  const value = (given: unknown) => `$${params.push(given)}` as const
  const wanted = [
    ...(history ? [] : ['f.valid_to is null']),
    ...(before ? [`(i.at, i.id) < (${value(before.at)}::timestamptz, ${value(before.id)}::bigint)`] : []),
    ...(ids ? [`i.id = any(${value(ids)}::bigint[])`] : []),
    ...(person === undefined ? [] : [`i.id in (${factsOf(value(person))})`]),
  ]
  const facts = (scopes: string) =>
    `select i.id, i.at from facts.item i join facts.fact f on f.item = i.id
     where ${[scopes, `i.kind = 'fact'`, ...wanted].join(' and ')} order by i.at desc, i.id desc limit $4`
  // Few facts are found by their keys; of all facts, each scope gives its newest.
  const isNarrow = ids !== undefined || person !== undefined
  const { rows } = await db.query<{ id: number }>(
    isNarrow
      ? facts('i.scope in (select id from facts.readable($1, $2, $3))')
      : `select newest.id from facts.readable($1, $2, $3) readable(scope)
         cross join lateral (${facts('i.scope = readable.scope')}) newest order by newest.at desc, newest.id desc limit $4`,
    params,
  )
  return factsById(
    db,
    rows.map(({ id }) => id),
  )
}

function readerOf(conversation: Conversation): readonly string[] {
  return [workspaceOf(conversation), channelOf(conversation), conversation.id]
}
