/** Cards in the database. */
import type { Fact } from '@kikimimi/facts'
import { type Conversation, conversationParts, type Database, type ForgottenPerson, foldedNames, type PersonKey } from 'kikimimi'
import { workspaceOf } from '../counting/places.ts'
import type { Counts } from '../counting/talks.ts'
import { namesAny } from '../naming.ts'
import type { Card } from '../profile-store.ts'
import { type CardLine, digestOf } from './card.ts'

/** Time in which a change of a card can be undone. */
const UNDO_MS = 30 * 24 * 60 * 60_000

/** A line as it is stored: with the hashes of its facts. */
export interface StoredLine extends CardLine {
  readonly digests: readonly string[]
}

/** A person and a realm of readers, with the card if there is one. */
export interface CardPlace {
  readonly platform: string
  readonly person: string
  readonly realm: string
  readonly inputs: string | null
}

/** The cards to look at, first those with a changed source or with messages of their person since the last look. */
export async function nextCards(db: Database, limit: number): Promise<readonly CardPlace[]> {
  const { rows } = await db.query<CardPlace>(
    `with here as (
       select p.id, p.workspace, ${REALM} as realm from profiles.place p,
         lateral kikimimi_v1.place_of(rtrim(p.place, '+'), p.visibility, null) now
     ), present as (
       select a.platform, a.person, h.realm, max(a.seen_at) as seen_at
       from profiles.activity a join here h on h.id = a.place group by a.platform, a.person, h.realm
     )
     select p.platform, p.person, p.realm, c.inputs from present p left join profiles.card c using (platform, person, realm)
     order by (c.inputs is null or p.seen_at > c.checked_at) desc, c.checked_at nulls first, p.seen_at desc, p.platform, p.person, p.realm
     limit $1`,
    [limit],
  )
  return rows
}

/** The lines of the latest version. */
export async function linesOf(db: Database, { platform, person, realm }: CardPlace): Promise<readonly StoredLine[]> {
  const { rows } = await db.query<StoredLine>(
    `select l.text, l.facts, l.digests from profiles.card c join profiles.card_line l on l.version = ${LATEST}
     where c.platform = $1 and c.person = $2 and c.realm = $3 order by l.line`,
    [platform, person, realm],
  )
  return rows
}

/**
 * The lines that stand in a conversation: of its own realm, and of its workspace for a person without a card there. Outsiders read no
 * card of the workspace.
 */
export async function linesIn(
  db: Database,
  conversation: Conversation,
  people: readonly string[],
): Promise<readonly (StoredLine & { readonly person: string; readonly own: boolean })[]> {
  const { rows } = await db.query<StoredLine & { person: string; own: boolean }>(
    `with here as (
       select ${REALM} as realm, case when now.place not like '%+' then p.workspace end as around from (select $3::text as workspace) p, lateral kikimimi_v1.place_of($4, $5, null) now
     )
     select c.person, c.realm = here.realm as own, l.text, l.facts, l.digests
     from here, profiles.card c join profiles.card_line l on l.version = ${LATEST}
     where c.platform = $1 and c.person = any($2) and c.realm in (here.realm, here.around) order by c.id, l.line`,
    [conversation.platform, people, workspaceOf(conversation), conversation.id, conversation.visibility],
  )
  return rows
}

/**
 * The realm of a place `now` in the workspace of `p`: the readers of all that is public there, or those of the place. So has a place with
 * another memory than its workspace.
 */
const REALM = `case when now.visibility = 'public' and not now.place like '%+'
  and kikimimi_v1.memory_of(now.place) = kikimimi_v1.memory_of(p.workspace) then p.workspace else now.place end`

const LATEST = '(select max(v.id) from profiles.card_version v where v.card = c.id)'

/** A new version of a card. Returns false if the person was forgotten after `readAt`. */
export async function keepCard(
  { db, counts }: Counts,
  card: CardPlace,
  lines: readonly CardLine[],
  { facts, at, readAt }: { readonly facts: readonly Fact[]; readonly at: Date; readonly readAt: Date },
): Promise<boolean> {
  const known = new Map(facts.map(fact => [fact.id, fact]))
  // Its sources are stored under its id.
  await look(db, card, null, at)
  return db.transaction(async () => {
    await keepSources(db, card, lines)
    await counts.hold()
    const { rowCount: forgotten } = await db.query(
      'select 1 from profiles.forgotten where platform = $1 and person = $2 and before >= $3',
      [card.platform, card.person, readAt],
    )
    if (forgotten > 0) return false
    const { rows } = await db.query<{ id: number }>(
      `insert into profiles.card_version (card, made_at)
       select id, $4 from profiles.card where platform = $1 and person = $2 and realm = $3 returning id`,
      [card.platform, card.person, card.realm, at],
    )
    for (const [line, { text, facts: ids }] of lines.entries()) {
      const of = ids.flatMap(id => known.get(id) ?? [])
      const authors = of.flatMap(({ sources }) => sources.map(({ author }) => author))
      const people = [...new Set([...authors, ...of.flatMap(fact => fact.people)])]
      await db.query(
        `insert into profiles.card_line (version, line, text, facts, digests, people) values ($1, $2, $3, $4, $5, $6)`,
        [rows[0]?.id, line, text, ids, of.map(digestOf), people],
      )
    }
    return true
  })
}

/** The sources of a card: the facts of these lines, and of the lines in all its versions. */
async function keepSources(db: Database, { platform, person, realm }: CardPlace, lines: readonly CardLine[]): Promise<void> {
  await db.query(
    `select kikimimi_v1.made_from('profiles', c.id::text, array_agg('facts'::text), array_agg(o.fact), array_agg(o.fact))
     from profiles.card c, lateral (
       select unnest($4::bigint[]) as fact
       union select unnest(l.facts) from profiles.card_line l join profiles.card_version v on v.id = l.version where v.card = c.id
     ) o
     where c.platform = $1 and c.person = $2 and c.realm = $3 group by c.id`,
    [platform, person, realm, lines.flatMap(({ facts }) => facts)],
  )
}

/** Stores that a run has looked at the facts of a card. `inputs`: their hash; null: the next run looks again. */
export async function look(db: Database, card: CardPlace, inputs: string | null, at: Date): Promise<void> {
  await db.query(
    `insert into profiles.card (platform, person, realm, inputs, checked_at) values ($1, $2, $3, $4, $5)
     on conflict (platform, person, realm) do update set inputs = excluded.inputs, checked_at = excluded.checked_at`,
    [card.platform, card.person, card.realm, inputs, at],
  )
}

/** Deletes the lines of a card, in all versions, that rest on another fact than these. */
export async function dropUnsupported(db: Database, card: CardPlace, facts: readonly Fact[]): Promise<void> {
  await db.query(
    `delete from profiles.card_line l using profiles.card_version v, profiles.card c
     where v.id = l.version and c.id = v.card and c.platform = $1 and c.person = $2 and c.realm = $3
       and exists (
         select 1 from unnest(l.facts, l.digests) as o(fact, digest)
         where (o.fact, o.digest) not in (select fact, digest from unnest($4::bigint[], $5::text[]) as f(fact, digest))
       )`,
    [card.platform, card.person, card.realm, facts.map(({ id }) => id), facts.map(digestOf)],
  )
}

export async function cardsOf(db: Database, { platform, id }: PersonKey): Promise<readonly Card[]> {
  const { rows } = await db.query<{ realm: string; made_at: Date; lines: readonly string[] }>(
    `select c.realm, v.made_at, array_agg(l.text order by l.line) as lines
     from profiles.card c join profiles.card_version v on v.id = ${LATEST} join profiles.card_line l on l.version = v.id
     where c.platform = $1 and c.person = $2 group by c.realm, v.made_at order by c.realm`,
    [platform, id],
  )
  return rows.map(({ realm, made_at, lines }) => ({ realm, madeAt: made_at, lines }))
}

/** Brings back the version before the latest in each card of a person. Returns in how many cards. */
export async function undoCards(db: Database, { platform, id }: PersonKey, now: Date): Promise<number> {
  const { rowCount } = await db.query(
    `delete from profiles.card_version v using profiles.card c
     where c.platform = $1 and c.person = $2 and v.id = ${LATEST} and v.made_at > $3
       and exists (select 1 from profiles.card_version o where o.card = c.id and o.id < v.id)`,
    [platform, id, new Date(now.getTime() - UNDO_MS)],
  )
  return rowCount
}

/** Deletes the versions that were replaced too long ago to be brought back. */
export async function tidyCards(db: Database, now: Date): Promise<void> {
  await db.query(
    `delete from profiles.card_version v using profiles.card_version next
     where next.card = v.card and next.id > v.id and next.made_at <= $1`,
    [new Date(now.getTime() - UNDO_MS)],
  )
}

/** Deletes the cards of a person with their sources. Call it before the transaction locks the counts, like {@link keepCard}. */
export async function dropCards(db: Database, { platform, id }: PersonKey): Promise<void> {
  const whose = 'from profiles.card where platform = $1 and person = $2'
  await db.query(`select kikimimi_v1.made_from('profiles', id::text, '{}', '{}', '{}') ${whose}`, [platform, id])
  await db.query(`delete ${whose}`, [platform, id])
}

/** Deletes lines in the cards of others that rest on the words of a person or are about the person. */
export async function forgetInCards(db: Database, { platform, id, names }: Pick<ForgottenPerson, 'platform' | 'id' | 'names'>) {
  const isNamed = namesAny(names)
  const { names: folded, from, to } = foldedNames(names)
  const { rows } = await db.query<{ version: number; line: number; text: string; theirs: boolean }>(
    `select l.version, l.line, l.text, l.people @> array[$2] as theirs
     from profiles.card_line l join profiles.card_version v on v.id = l.version join profiles.card c on c.id = v.card
     where c.platform = $1 and (l.people @> array[$2]
       or exists (select 1 from unnest($3::text[]) as name where position(name in translate(l.text, $4, $5)) > 0))`,
    [platform, id, folded, from, to],
  )
  const gone = rows.filter(({ text, theirs }) => theirs || isNamed(text))
  await db.query(
    `delete from profiles.card_line l using jsonb_to_recordset($1) as n(version bigint, line int)
     where (l.version, l.line) = (n.version, n.line)`,
    [JSON.stringify(gone)],
  )
}

/** A realm as a conversation: with its id, facts ask who may read it. A workspace stands for all that is public there. */
export function conversationOf(realm: string): Conversation {
  const id = realm.replace(/\+$/, '')
  const parts = conversationParts(id)
  return { id, ...parts, name: parts.channel, visibility: parts.channel === '' ? 'public' : 'private' }
}
