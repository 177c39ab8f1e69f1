/** The fact store on the database of the bot. */
import type { Clock } from 'kikimimi'
import type { Added, Fact, FactEvent, FactStore, NewFact, RecallQuery } from './api/facts.ts'
import { Trust } from './search/agreement.ts'
import { type RecallSettings, recallFrom } from './search/recall.ts'
import type { Reranker } from './search/reranker.ts'
import { editFact } from './storage/edit.ts'
import { forgetEverythingOf, forgetFacts, type SweepSettings, sweepFacts } from './storage/forget.ts'
import { keepFact } from './storage/keep.ts'
import { listFacts } from './storage/list.ts'
import { indexMessages } from './storage/messages.ts'
import { expireFacts, undoBatch, type Verdict } from './storage/retire.ts'
import { applyDecay, confirmFacts, review } from './storage/review.ts'
import { factsById, factsOf, namesById } from './storage/rows.ts'
import { type EmbedDeps, removeVectors } from './vectors/embed-items.ts'

/** Messages per transaction. On the embedded database, all other work waits for it. */
const BATCH = 100

export interface StoreDeps extends EmbedDeps {
  readonly clock: Clock
  readonly settings: RecallSettings & SweepSettings
  readonly rerank?: Reranker
  /** Schedules `embedItems`. Inside a transaction the job commits with it. */
  embedLater(): Promise<void>
}

export function createFactStore(deps: StoreDeps): FactStore {
  const { db, log, clock, embedder, settings } = deps
  const index = log.index({
    name: 'facts',
    most: BATCH,
    again: 'edited',
    async store(messages) {
      if ((await indexMessages(db, messages)) > 0) await giveVectors()
    },
  })
  const searched = { ...deps, trust: new Trust() }
  const listeners = new Set<(event: FactEvent) => void>()
  const now = () => new Date(clock.now())

  function tell(kind: FactEvent['kind'], ids: readonly number[]): void {
    if (ids.length > 0) for (const listener of listeners) listener({ kind, ids, at: now() })
  }

  async function keep(fact: NewFact, verdict?: Verdict): Promise<Added> {
    const added = await keepFact(deps, { ...fact, at: fact.at ?? now() }, now(), verdict)
    if (added.outcome === 'new') await giveVectors()
    tell(added.outcome === 'new' ? 'added' : 'merged', [added.id])
    tell('superseded', added.superseded)
    return added
  }

  /** The model runs in a job: callers do not wait, and no vector is lost while the model is down. */
  const giveVectors = async () => {
    if (embedder) await deps.embedLater()
  }

  async function gone(kind: 'forgotten' | 'swept', ids: readonly number[]): Promise<number> {
    tell(kind, ids)
    if (!db.inTransaction) await orLater(removeVectors(deps))
    return ids.length
  }

  /** The database stores the pending work in the vector index, which may be unreachable. */
  async function orLater(done: Promise<void>): Promise<void> {
    await done.catch(() => deps.embedLater())
  }

  /** Before each reader, because a fact must not be read a minute after its end. */
  async function expire(): Promise<void> {
    tell('superseded', await expireFacts(db, now()))
  }

  const fade = () => applyDecay(db, settings.halfLifeMs, settings.forgetBelow)

  async function recall(query: RecallQuery) {
    await expire()
    const at = query.now ?? now()
    return recallFrom(searched, settings, { ...query, now: at }, false)
  }

  return {
    add: fact => keep(fact),
    supersede: (replaces, fact, batch) => keep(fact, { replaces, batch }),
    recall,

    async strengthen(ids) {
      if (ids.length === 0) return
      await db.query(
        'update facts.fact set strength = strength + 1, last_recalled_at = greatest(last_recalled_at, $2) where item = any($1)',
        [ids, now()],
      )
      tell('recalled', ids)
    },

    async search(query) {
      await expire()
      return recallFrom(searched, settings, { ...query, now: query.now ?? now() }, true)
    },

    async list(query) {
      await expire()
      return listFacts(db, query)
    },

    async about({ platform, id }, { limit, offset = 0 }) {
      const { rows } = await db.query<{ id: number }>(
        `select i.id from facts.item i join facts.scope s on s.id = i.scope
         where i.id in (${factsOf('$2')}) and starts_with(s.workspace, $1)
         order by i.at desc, i.id desc limit $3 offset $4`,
        [`${encodeURIComponent(platform)}/`, id, limit, offset],
      )
      return factsById(
        db,
        rows.map(one => one.id),
      )
    },

    async review(query) {
      await expire()
      await fade()
      return review(db, now(), query)
    },

    async confirm(ids) {
      const confirmed = await confirmFacts(db, ids, now())
      tell('confirmed', confirmed)
      return confirmed.length
    },

    async names(facts) {
      const ids = [...new Set(facts.flatMap(({ people, sources }) => [...people, ...sources.map(({ author }) => author)]))]
      const workspaces = [...new Set(facts.map(({ channel }) => channel.split('/', 2).join('/')))]
      const names = await Promise.all(workspaces.map(workspace => namesById(db, workspace, ids)))
      return new Map(names.flatMap(some => [...some]))
    },

    async history(id) {
      const { rows } = await db.query<{ id: number }>(
        `with recursive
           earlier (item) as (
             select item from facts.fact where item = $1
             union select f.item from earlier e join facts.fact f on f.superseded_by = e.item
           ),
           later (item) as (
             select superseded_by from facts.fact where item = $1
             union select f.superseded_by from later l join facts.fact f on f.item = l.item
           )
         select id from facts.item where id in (select item from earlier union select item from later) order by at, id`,
        [id],
      )
      return factsById(
        db,
        rows.map(one => one.id),
      )
    },

    async edit(id, change) {
      const edited = await editFact(deps, id, change, now())
      if (edited.outcome !== 'edited') return edited
      if (change.content !== undefined) await giveVectors()
      tell('edited', [id])
      return edited
    },

    async pin(id, pinned = true) {
      const { rowCount } = await db.query('update facts.fact set pinned = $2 where item = $1', [id, pinned])
      if (rowCount > 0) tell('pinned', [id])
      return rowCount > 0
    },

    async undo(batch) {
      const restored = await undoBatch(db, batch, now())
      tell('restored', restored)
      return restored
    },

    forget: async ids => gone('forgotten', await forgetFacts(db, ids)),

    async forgetPerson(person) {
      const { facts, messages } = await forgetEverythingOf({ db, log, index }, person)
      await gone('forgotten', facts)
      return { facts: facts.length, messages: messages.length }
    },

    async export({ platform, id }): Promise<Fact[]> {
      const { rows } = await db.query<{ id: number }>(
        `with theirs as materialized (
           select i.id, i.at, i.scope,
             exists (select 1 from facts.fact_source o where o.item = i.id and o.author = $2) as told
           from facts.item i join facts.scope s on s.id = i.scope
           where i.id in (${factsOf('$2')}) and starts_with(s.workspace, $1)
         ), open as (
           -- What was public and is public now, whichever persona has learned it.
           select s.id as scope from facts.scope s
           where s.id in (select scope from theirs where not told) and s.visibility = 'public' and not exists (
             select 1 from kikimimi_v1.conversation c where c.id = rtrim(s.place, '+') and c.visibility <> 'public'
           )
         )
         select id from theirs where told or scope in (select scope from open) order by at, id`,
        [`${encodeURIComponent(platform)}/`, id],
      )
      return factsById(
        db,
        rows.map(one => one.id),
      )
    },

    sweep: async () => gone('swept', await sweepFacts(db, now(), settings)),

    index: signal => index.run(signal),

    watch(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
