/** Stores a fact: as a new one, merged with an equal one, or as the replacement of others. */
import { createHash } from 'node:crypto'
import { channelOf, type Database, KikimimiError } from 'kikimimi'
import type { Added, NewFact } from '../api/facts.ts'
import { HEARSAY } from '../text/hearsay.ts'
import { sameText } from '../text/tokens.ts'
import { claimOf, timeOf } from './claim.ts'
import { type LogDeps, newIds, scopeOf, workspaceOf, writeEntries } from './entries.ts'
import { retire, type Verdict } from './retire.ts'
import { namesById } from './rows.ts'

const LONGEST = 2_000

/** @throws ARGUMENT_INVALID for an invalid content or confidence */
export function checkFact({ content, confidence = 0.8 }: Pick<NewFact, 'content' | 'confidence'>): void {
  if (sameText(content) === '' || content.length > LONGEST) {
    throw new KikimimiError(
      'ARGUMENT_INVALID',
      `[facts] a fact has a content of 1 to ${LONGEST} characters, got ${content.length}`,
    )
  }
  if (!(confidence >= 0 && confidence <= 1))
    throw new KikimimiError('ARGUMENT_INVALID', `[facts] confidence is a number from 0 to 1, got ${confidence}`)
}

/** @param verdict the facts that it replaces, as the caller decides */
export function keepFact(
  deps: LogDeps,
  fact: NewFact & { readonly at: Date },
  now: Date,
  { replaces, batch }: Verdict = { replaces: [] },
): Promise<Added> {
  checkFact(fact)
  const { db } = deps
  return db.transaction(async () => {
    const scope = await scopeOf(
      deps,
      fact.conversation,
      fact.sources?.map(({ message }) => message),
    )
    // For two concurrent additions of the same fact: the second sees what the first has stored.
    await db.query('select 1 from facts.scope where id = $1 for update', [scope])
    const digest = digestOf(scope, fact.content)
    const known = await merge(db, digest, fact)
    const right = known === undefined ? await putRight(db, fact) : undefined
    if (right !== undefined) return { id: right, outcome: 'merged', superseded: [] }
    const id = known ?? (await insert(db, scope, digest, fact, now))
    const retired = await retire(db, { by: id, scope, replaces, batch, now })
    return { id, outcome: known === undefined ? 'new' : 'merged', ...retired }
  })
}

/** A hash that is the same for equal content in one place. */
export function digestOf(scope: number, content: string): string {
  return createHash('sha256')
    .update(`${scope} ${sameText(content)}`)
    .digest('hex')
}

/** All text by which a fact is found. */
export async function foundBy(
  db: Database,
  workspace: string,
  { content, keywords = [], people = [] }: Pick<NewFact, 'content' | 'keywords' | 'people'>,
): Promise<string> {
  const names = await namesById(db, workspace, people)
  return [content, ...keywords, ...names.values()].join('\n')
}

/**
 * A fact that the operator edited, from the same quote. Reading that quote again must not restore the wrong
 * text. An explicit request to remember is stored anyway.
 */
async function putRight(db: Database, { conversation, sources = [], pinned = false }: NewFact): Promise<number | undefined> {
  if (pinned || sources.length === 0) return undefined
  const { rows } = await db.query<{ item: number | null }>(
    `select (
       select o.item from facts.fact_source o join facts.fact f on f.item = o.item
       where o.channel = $1 and o.message = s.message and f.edited_at is not null
         and (s.quote is null or o.quote is null or position(s.quote in o.quote) > 0 or position(o.quote in s.quote) > 0)
       order by o.item limit 1
     ) as item from unnest($2::text[], $3::text[]) as s(message, quote)`,
    [channelOf(conversation), sources.map(({ message }) => message), sources.map(({ quote }) => quote ?? null)],
  )
  return rows.every(({ item }) => item !== null) ? (rows[0]?.item ?? undefined) : undefined
}

/**
 * Merges equal content. The confidence rises if another person or another message says it. Hearsay that is repeated stays
 * hearsay.
 */
async function merge(db: Database, digest: string, fact: NewFact & { readonly at: Date }): Promise<number | undefined> {
  const { rows } = await db.query<{ item: number; edited: boolean }>(
    // The entry first, then its fact, in the same order as a deletion.
    `select f.item, f.edited_at is not null as edited from facts.fact f join facts.item i on i.id = f.item
     where f.digest = $1 and f.valid_to is null for update of i`,
    [digest],
  )
  const [known] = rows
  if (!known) return undefined
  const added = await addSources(db, known.item, fact)
  const again = added > 0 || !fact.sources?.length
  // There is no new statement since the edit.
  if (known.edited && !again) return known.item
  const claim = claimOf(fact)
  await db.query(
    `update facts.fact set confidence = case
         when not $2 then confidence
         when greatest(confidence, $3::real) <= $13::real then least(1 - (1 - confidence) * (1 - $3::real), $13::real)
         else 1 - (1 - confidence) * (1 - $3::real)
       end,
       people = array(select distinct unnest(people || $4::text[])), keywords = array(select distinct unnest(keywords || $5::text[])),
       pinned = pinned or $6, shareable = shareable and $7,
       subject = coalesce(subject, $8), relation = case when subject is null then $9 else relation end,
       value = case when subject is null then $10 else value end, single = case when subject is null then $11 else single end,
       fields = coalesce($12::jsonb, fields)
     where item = $1`,
    [
      known.item,
      again,
      fact.confidence ?? 0.8,
      fact.people ?? [],
      fact.keywords ?? [],
      fact.pinned ?? false,
      fact.shareable ?? false,
      claim.subject ?? null,
      claim.relation ?? null,
      claim.value ?? null,
      claim.single,
      fieldsOf(fact),
      HEARSAY,
    ],
  )
  if (again) await db.query('update facts.item set at = greatest(at, $2) where id = $1', [known.item, fact.at])
  return known.item
}

async function insert(
  db: Database,
  scope: number,
  digest: string,
  fact: NewFact & { readonly at: Date },
  now: Date,
): Promise<number> {
  const { content, people = [], keywords = [], at } = fact
  const claim = claimOf(fact)
  const time = timeOf(fact, now)
  const [id = 0] = await newIds(db, 1)
  const text = await foundBy(db, workspaceOf(fact.conversation), fact)
  await writeEntries(db, [{ id, kind: 'fact', scope, at, text }])
  await db.query(
    `insert into facts.fact (item, content, digest, kind, people, keywords, confidence, shareable, pinned,
       subject, relation, value, single, valid_from, dated, valid_to, expires_at, fields)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18::jsonb)`,
    [
      id,
      content,
      digest,
      fact.kind ?? 'current',
      [...new Set(people)],
      [...new Set(keywords)],
      fact.confidence ?? 0.8,
      fact.shareable ?? false,
      fact.pinned ?? false,
      claim.subject ?? null,
      claim.relation ?? null,
      claim.value ?? null,
      claim.single,
      time.from,
      fact.validFrom !== undefined,
      time.ended ?? null,
      time.expires ?? null,
      fieldsOf(fact),
    ],
  )
  await addSources(db, id, fact)
  return id
}

function fieldsOf({ fields }: NewFact): string | null {
  return fields === undefined ? null : JSON.stringify(fields)
}

async function addSources(db: Database, id: number, { conversation, sources = [] }: NewFact): Promise<number> {
  const { rowCount } = await db.query(
    `insert into facts.fact_source (item, channel, message, author, quote)
     select $1, $2, s.message, s.author, s.quote from unnest($3::text[], $4::text[], $5::text[]) as s(message, author, quote)
     on conflict do nothing`,
    [
      id,
      channelOf(conversation),
      sources.map(({ message }) => message),
      sources.map(({ author }) => author),
      sources.map(({ quote }) => quote ?? null),
    ],
  )
  return rowCount
}
