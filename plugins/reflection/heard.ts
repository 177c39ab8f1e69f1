/** Scans the message log for conversations with new messages. */
import type { Database } from 'kikimimi'
import { WHEREABOUTS } from './places.ts'

/** On a server, transactions may commit out of order. The last messages are examined again. */
const LATE = 500

/** Marks conversations with new messages. */
export async function markHeard(db: Database): Promise<void> {
  const { seq, latest } = await readMark(db, '')
  if (latest <= seq) return
  await db.transaction(async () => {
    // One process at a time.
    const { seq, latest } = await readMark(db, 'for update')
    await db.query(HEARD, [db.kind === 'postgres' ? Math.max(0, seq - LATE) : seq])
    await db.query(MOVED)
    await db.query(
      'insert into reflection.place (id) select distinct place from reflection.progress where pending on conflict do nothing',
    )
    await db.query('update reflection.watermark set seq = $1', [latest])
  })
}

async function readMark(db: Database, lock: '' | 'for update') {
  const { rows } = await db.query<{ seq: number; latest: number }>(
    `select seq, (select coalesce(max(seq), 0) from kikimimi_v1.message) as latest from reflection.watermark ${lock}`,
  )
  const { seq = 0, latest = 0 } = rows[0] ?? {}
  return { seq, latest }
}

const HEARD = `
  insert into reflection.progress (conversation, place, visibility, upto, pending)
  select a.id, a.place, a.visibility, w.began, true
  from (select distinct conversation from kikimimi_v1.message where seq > $1 and not own and not author_bot) h
    join ${WHEREABOUTS} a on a.id = h.conversation, reflection.watermark w
  on conflict (conversation) do update set pending = true`

/** Other people can read a conversation now. */
const MOVED = `
  update reflection.progress p set place = a.place, visibility = a.visibility
  from ${WHEREABOUTS} a
  where a.id = p.conversation and p.pending and (a.place, a.visibility) is distinct from (p.place, p.visibility)`
