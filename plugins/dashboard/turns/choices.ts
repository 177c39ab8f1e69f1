/** Values of filters, to choose from. */
import { type Database, Operator, type PluginContext } from 'kikimimi'
import type { z } from 'zod'
import { isNamed } from '../history/names.ts'
import { latestTurns } from '../history/turns.ts'
import type { Place } from '../history/views.ts'
import type { choices as choicesView } from './views.ts'

/** Values of a list. */
const MOST = 100
/** Channels or people that are found. */
const FOUND = 20
/** Rows of authors that are found: a person has one for each month. */
const MONTHS_FOUND = 1_000
/** The latest rows of authors, which are looked at first. */
const LATEST_AUTHORS = 50_000
/** Turns whose models are listed. */
const LATEST = 1_000

const DAY = 24 * 60 * 60_000

export async function choices({
  db,
  clock,
  use,
}: Pick<PluginContext, 'db' | 'clock' | 'use'>): Promise<z.input<typeof choicesView>> {
  const since = new Date(clock.now() - 30 * DAY)
  const { rows: reasons } = await db.query<{ reason: string; turns: number }>(
    `select reason, sum(turns)::int as turns from kikimimi_v1.turn_hour where hour >= $1 and reason <> ''
     group by reason order by sum(turns) desc, reason limit ${MOST}`,
    [since],
  )
  const { rows: models } = await db.query<{ model: string }>(
    `select distinct m->>'model' as model from ${latestTurns(LATEST)} t, jsonb_array_elements(t.data->'models') m order by 1 limit ${MOST}`,
    [since],
  )
  return {
    reasons,
    models: models.map(({ model }) => model),
    plugins: use(Operator)
      .plugins.map(({ name }) => name)
      .sort(),
  }
}

/** Channels whose name or id has the text. */
export async function findChannels(db: Database, text: string): Promise<readonly Place[]> {
  const { rows } = await db.query<Omit<Place, 'conversation' | 'thread' | 'outsiders'> & { readonly id: string }>(
    `select id, platform, name, visibility from kikimimi_v1.conversation
     where thread is null and (${isNamed('name', '$1')} or id = $1)
     order by lower(name) <> lower($1), length(name), id limit ${FOUND}`,
    [text],
  )
  return rows.map(({ id, ...row }) => ({ conversation: id, ...row }))
}

/**
 * People whose name has the text, or whose `platform/id` is the text. The latest first. All of the latest are found; of a text that very
 * many names have, not all of the older ones are.
 */
export async function findPeople(db: Database, text: string): Promise<readonly { readonly id: string; readonly name: string }[]> {
  const { rows } = await db.query<{ id: string; name: string }>(
    `with found as (
       (select platform, id, name, last_seq from (
          select platform, id, name, last_seq, last_day from kikimimi_v1.author order by last_day desc limit ${LATEST_AUTHORS}
        ) latest where position(lower($1) in lower(name)) > 0 order by last_day desc, last_seq desc limit ${MONTHS_FOUND})
       union all
       (select platform, id, name, last_seq from kikimimi_v1.author where ${isNamed('name', '$1')} limit ${MONTHS_FOUND})
       union all
       select platform, id, name, last_seq from kikimimi_v1.author
       where platform = split_part($1, '/', 1) and id = substr($1, strpos($1, '/') + 1)
     )
     select platform || '/' || id as id, (array_agg(name order by last_seq desc))[1] as name from found
     group by platform, id order by max(last_seq) desc limit ${FOUND}`,
    [text],
  )
  return rows
}
