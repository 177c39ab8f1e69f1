import type { Database } from '../../api/index.ts'
import { AHEAD } from './recorder.ts'
import { COLUMNS, type ConversationRow, hasMessage, type MessageRow, toTurnState } from './rows.ts'
import type { TurnState } from './store.ts'
import { type Delayed, LEASE_MS, type LeasedTurn, type TurnFailures, type TurnStore, type WaitingTurn } from './turn-store.ts'

interface TurnRow extends ConversationRow {
  conversation: string | null
  vary: number
  delayed: Delayed | null
  attempts: number
  next: string | null
  next_at: Date | null
}

const DAY = 24 * 60 * 60_000
/** A message that waits longer gets a turn only if no newer one waits. */
const WAITING = 8 * DAY
/** Missed messages of the working memory were said earlier than they were received. */
const LATE = DAY
export const EVER = [new Date('0001-01-01T00:00:00Z'), new Date('9999-12-31T00:00:00Z')]

/** The instants between which the messages were said that turns deal with. Other months are not even planned for. */
export function recent(now: number, since = now): readonly Date[] {
  return [new Date(Math.min(now - WAITING, since - LATE)), new Date(now + AHEAD)]
}

/** The state of a conversation, from messages between two instants. */
export async function loadState(
  db: Database,
  conversation: string,
  { size, since }: { readonly size: number; readonly since: Date },
  months: readonly Date[],
): Promise<TurnState | undefined> {
  const { rows } = await db.query<ConversationRow & Partial<MessageRow>>(LOAD, [size, since, conversation, ...months])
  const [first] = rows
  return first && toTurnState(conversation, first, rows.filter(hasMessage))
}

/** Turns in the rows of conversations. */
export function createSqlTurns(db: Database): TurnStore {
  return {
    async exchange({ now, by, ended, running, limit, memory }) {
      const dates = (pick: (one: (typeof ended)[number]) => number | undefined) =>
        ended.map(one => {
          const at = pick(one)
          return at === undefined ? null : new Date(at).toISOString()
        })
      const { rows } = await db.query<TurnRow & Partial<MessageRow>>(EXCHANGE[db.kind === 'postgres' ? 'postgres' : 'pglite'], [
        memory.size,
        memory.since,
        by,
        now,
        running,
        limit,
        ended.map(({ conversation }) => conversation),
        dates(({ next }) => next?.at),
        dates(({ next }) => next?.latest),
        ended.map(({ next }) => next?.vary ?? null),
        ended.map(({ next }) => (next?.delayed ? JSON.stringify(next.delayed) : null)),
        ended.map(({ attempts }) => attempts),
        ended.map(({ failure }) => failure ?? null),
        ended.map(({ isGivenUp }) => isGivenUp === true),
        ...recent(now.getTime(), memory.since.getTime()),
        ended.map(({ next }) => next?.urgent === true),
      ])
      const [first] = rows
      const leased = [...Map.groupBy(rows, ({ conversation }) => conversation)].flatMap(([id, of]) =>
        id === null ? [] : leasedTurn(id, of),
      )
      return {
        leased: await Promise.all(
          leased.map(async turn => ({
            ...turn,
            state: (turn.state.batch.length === 0 && (await loadState(db, turn.conversation, memory, EVER))) || turn.state,
          })),
        ),
        ...(first && first.next !== null && first.next_at && { next: { conversation: first.next, at: first.next_at } }),
      }
    },

    async renew(by, conversations) {
      // Rows are locked in one order, as by the recorder.
      await db.query(
        `with locked as (select id from kikimimi.conversation where id = any($2) and leased_by = $1 order by id for no key update)
         update kikimimi.conversation c set leased_until = ${LEASE_END} from locked l where c.id = l.id`,
        [by, conversations],
      )
    },

    async schedule(conversation, { at, latest, vary, delayed, urgent = false }, how) {
      const { rows } = await db.query<{ due_at: Date }>(
        how === 'instead'
          ? `update kikimimi.conversation set due_at = $2, due_latest = $3, vary = $4, delayed = $5, urgent = $6
             where id = $1 returning due_at`
          : `update kikimimi.conversation set due_at = least(due_at, $2), due_latest = coalesce(due_latest, $3),
               vary = case when due_at <= $2 then vary else $4 end, delayed = coalesce(delayed, $5), urgent = urgent or $6
             where id = $1 returning due_at`,
        [
          conversation,
          new Date(at),
          latest === undefined ? null : new Date(latest),
          vary,
          delayed ? JSON.stringify(delayed) : null,
          urgent,
        ],
      )
      return rows[0]?.due_at
    },

    async waiting({ in: only, under, delayed = false, limit }) {
      const { rows } = await db.query<Omit<WaitingTurn, 'delayed'> & { delayed: Delayed | null }>(
        `select id as conversation, coalesce(due_at, to_timestamp((delayed->>'at')::float8 / 1000)) as at, vary, delayed
         from kikimimi.conversation
         where (due_at is not null or ($2::text is not null and leased_by is not null and delayed is not null))
           and ($1::text is null or id = $1 or starts_with(id, $1 || '/')) and ($2::text is null or id = $2)
           and (not $3::boolean or delayed is not null)
         order by 2, 1 limit $4`,
        [under ?? null, only ?? null, delayed, limit],
      )
      return rows.map(({ delayed: later, ...row }) => ({ ...row, ...(later && { delayed: later }) }))
    },

    async counts(now) {
      const { rows } = await db.query<{ due: number; later: number; active: number; next: Date | null }>(
        `select count(*) filter (where due_at <= $1 and leased_by is null)::int as due,
           count(*) filter (where due_at > $1)::int as later,
           count(*) filter (where leased_by is not null)::int as active,
           min(due_at) filter (where due_at > $1) as next
         from kikimimi.conversation where due_at is not null or leased_by is not null`,
        [now],
      )
      const { next, ...counts } = rows[0] ?? { due: 0, later: 0, active: 0, next: null }
      return { ...counts, ...(next && { next }) }
    },

    async failures(since) {
      const { rows } = await db.query<{ failed: TurnFailures & { last: string | null } }>(
        `select json_strip_nulls(json_build_object(
           'retrying', count(*) filter (where attempts > 0 and due_at is not null),
           'deadLetters', count(*) filter (where failed_at > $1),
           'last', max(failed_at) filter (where failed_at > $1),
           'why', (array_agg(failure order by failed_at desc nulls last))[1]
         )) as failed
         from kikimimi.conversation where failed_at > $1 or (attempts > 0 and due_at is not null)`,
        [since],
      )
      const { last, ...failed } = rows[0]?.failed ?? { retrying: 0, deadLetters: 0, last: null }
      return { ...failed, ...(last && { last: new Date(last) }) }
    },

    async dropDelayed(holds) {
      const { rows } = await db.query<{ id: string; delayed: Delayed }>(
        'select id, delayed from kikimimi.conversation where delayed is not null',
      )
      for (const { id, delayed } of rows.filter(row => holds(row.delayed)))
        await db.query('update kikimimi.conversation set delayed = null where id = $1 and delayed = $2', [
          id,
          JSON.stringify(delayed),
        ])
    },
  }
}

function leasedTurn(id: string, rows: readonly (TurnRow & Partial<MessageRow>)[]): LeasedTurn[] {
  const [row] = rows
  if (!row) return []
  const { vary, delayed, attempts } = row
  return [{ conversation: id, vary, attempts, ...(delayed && { delayed }), state: toTurnState(id, row, rows.filter(hasMessage)) }]
}

/** On the clock of the database: those of processes may differ. */
const LEASE_END = `clock_timestamp() + interval '${LEASE_MS} milliseconds'`

/** Largest number of messages that a turn loads of one conversation. People do not write more within one turn. */
const CALLS = 1_000

/** The states of deliveries that are not finished. */
export const UNFINISHED = `'writing', 'pending', 'sending', 'unwanted'`

/** Who reads a conversation now. A thread with the readers of its channel follows the channel. */
export const READERS = `place.visibility, c.own_readers, place.place like '%+' as outsiders`
export const PLACE = 'lateral kikimimi_v1.place_of(c.id, c.visibility, null) place'

/**
 * The data of a turn, of conversations c. $1: the size of working memory; $2: since when.
 *
 * @param months the condition on the time of messages: see {@link recent}
 */
const stateIn = (
  months: string,
) => `c.platform, c.workspace, c.channel, c.thread, c.name, ${READERS}, c.details, c.processed, c.last_reply_at,
  (select m.received_at from kikimimi.message m
   where m.conversation = c.id and m.at ${months} and m.seq > c.processed and m.deleted_at is null and not m.own
     and not m.missed and m.answered_by is null
   order by m.seq limit 1) as waiting_since,
  exists (select 1 from kikimimi.delivery where conversation = c.id and state in (${UNFINISHED})) as unfinished,
  latest.*`
const messagesIn = (months: string) => `${PLACE}
  left join lateral (
    (select latest.* from (
       select ${COLUMNS} from kikimimi.message m
       where m.conversation = c.id and m.at ${months} and m.deleted_at is null order by m.seq desc limit $1
     ) latest where latest.received_at >= $2 or latest.seq > c.processed)
    union
    -- A call is answered, however many messages follow it. The oldest first: one turn answers one call.
    (select ${COLUMNS} from kikimimi.message m
     where m.conversation = c.id and m.at ${months} and m.deleted_at is null and m.seq > c.processed and m.addressed is not null
       and m.answered_by is null
     order by m.seq limit ${CALLS})
    union
    (select ${COLUMNS} from kikimimi.message m
     where m.conversation = c.id and m.at ${months} and m.recalled and m.deleted_at is null order by m.seq limit ${CALLS})
  ) latest on true`

const LOAD = `
  select ${stateIn('between $4 and $5')} from kikimimi.conversation c, ${messagesIn('between $4 and $5')} where c.id = $3 order by latest.seq`

/** So many times the wanted number of turns are looked at, because other processes may have locked the first ones. */
const AHEAD_OF_LOCKS = 4

/**
 * Locks are taken in the order of ids, as by the recorder, and after that only where nobody else has one. A row that another process
 * has changed since this statement began is left for the next one: this one may not see the message that changed it. A delayed answer
 * is decided again when something was scheduled meanwhile.
 *
 * @param dead the condition of a lease of a dead process
 */
const exchange = (dead: string) => `
  with ended as materialized (
    select * from unnest($7::text[], $8::timestamptz[], $9::timestamptz[], $10::float8[], $11::text[], $12::int[], $13::text[], $14::boolean[],
        $17::boolean[])
      as e(id, due_at, due_latest, vary, delayed, attempts, failure, given_up, urgent)
  ), locked as (
    select c.id from kikimimi.conversation c where c.id = any($7) and c.leased_by = $3 order by c.id for no key update
  ), released as (
    update kikimimi.conversation c set leased_by = null, leased_until = null, attempts = e.attempts,
      due_at = least(c.due_at, e.due_at), due_latest = coalesce(c.due_latest, e.due_latest), urgent = c.urgent or e.urgent,
      vary = case when c.due_at is null then coalesce(e.vary, c.vary) else c.vary end,
      delayed = case when c.due_at is null then e.delayed::jsonb end,
      failure = e.failure,
      failed_at = case when e.given_up then $4 when e.failure is not null then c.failed_at end
    from ended e where c.id = e.id and c.id in (select id from locked) returning c.id, c.due_at
  ), free as (
    select c.id, c.xmin::text as version from kikimimi.conversation c
    where (select count(*) from released) >= 0 and c.id in (
        (select id from kikimimi.conversation where urgent and due_at <= $4 and leased_by is null order by due_at limit $6 * ${AHEAD_OF_LOCKS})
        union all
        (select id from kikimimi.conversation where due_at <= $4 and leased_by is null order by due_at limit $6 * ${AHEAD_OF_LOCKS})
        union all
        select c.id from kikimimi.conversation c where c.leased_by is not null and ${dead} and c.id <> all($5)
      )
    order by c.urgent desc, c.due_at limit $6 for no key update skip locked
  ), leased as (
    update kikimimi.conversation c set leased_by = $3, leased_until = ${LEASE_END}, due_at = null, due_latest = null, urgent = false,
      attempts = c.attempts + (c.leased_by is not null)::int
    from free where c.id = free.id
      and free.version = (select seen.xmin::text from kikimimi.conversation seen where seen.id = free.id)
    returning c.*
  )
  select soonest.id as next, soonest.due_at as next_at, turn.*
  from (select 1) one
  left join lateral (
    select id, due_at from (
      select id, due_at from released where due_at is not null
      union all
      (select id, due_at from kikimimi.conversation
       where due_at is not null and leased_by is null and id not in (select id from leased) order by due_at limit 1)
    ) waiting order by due_at limit 1
  ) soonest on true
  left join lateral (
    select c.id as conversation, c.vary, c.delayed, c.attempts, ${stateIn('between $15 and $16')} from leased c, ${messagesIn('between $15 and $16')}
  ) turn on true
  order by turn.conversation, turn.seq`

const EXCHANGE = {
  // One process uses the folder, so a lease of another one is left from a process that died.
  pglite: exchange('true'),
  postgres: exchange('c.leased_until < now()'),
}
