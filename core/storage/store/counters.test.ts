// postgres: triggers count for several connections
/** The counters of people, conversations and turns are what a scan of the log counts, whatever happened to it. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Conversation, conversationId, type Message, type Trace } from '../../api/index.ts'
import { systemClock, VirtualClock } from '../../base/clock.ts'
import { createLogger } from '../../base/log.ts'
import { testRounds } from '../../testing/rounds.ts'
import { openTestDatabase } from '../../testing/test-database.ts'
import { createSqlStore } from './sql.ts'

const log = createLogger({ level: 'silent', format: 'lines', write: () => {}, clock: systemClock })
const NOW = Date.UTC(2026, 2, 3)
const clock = new VirtualClock(NOW)
const DAY = 24 * 60 * 60_000

describe('counters', () => {
  let db: Awaited<ReturnType<typeof openTestDatabase>>
  beforeAll(async () => {
    db = await openTestDatabase({ migrations: {} })
  })
  afterAll(() => db.close())
  beforeEach(() =>
    db.script('truncate kikimimi.message, kikimimi.tombstone, kikimimi.conversation, kikimimi.trace, kikimimi.forgetting'),
  )

  const rows = async (sql: string) => (await db.query(sql)).rows

  async function expectRight(): Promise<void> {
    expect(
      await rows(`select platform, id, month::text, messages::int from kikimimi.author order by platform, id, month`),
      'people',
    ).toEqual(
      await rows(`select split_part(conversation, '/', 1) as platform, author_id as id, to_char(at at time zone 'UTC', 'YYYY-MM-01') as month,
        count(*)::int as messages from kikimimi.message where not own and author_id <> '' and deleted_at is null
        group by 1, 2, 3 order by 1, 2, 3`),
    )
    expect(
      await rows(`select l.conversation, l.seq, l.heard from kikimimi.latest l
        where exists (select 1 from kikimimi.message m where m.conversation = l.conversation) order by 1`),
      'last messages',
    ).toEqual(
      await rows(`select conversation, max(seq) as seq, (array_agg(id order by own, seq desc))[1] as heard
        from kikimimi.message group by 1 order by 1`),
    )
    expect(
      await rows(`select channel, hour, turns::int, replies::int from kikimimi.turn_count where turns > 0 order by 1, 2`),
      'turns',
    ).toEqual(
      await rows(`select array_to_string((string_to_array(conversation, '/'))[1:3], '/') as channel,
        date_trunc('hour', at) as hour, count(*)::int as turns, (count(*) filter (where outcome = 'replied'))::int as replies
        from kikimimi.trace group by 1, 2 order by 1, 2`),
    )
    expect(
      await rows(
        `select hour, outcome, reason, sum(turns)::int as turns, sum(messages)::int as messages, sum(errors)::int as errors from kikimimi.turn_hour group by 1, 2, 3 order by 1, 2, 3`,
      ),
      'turns by reason',
    ).toEqual(
      await rows(`select date_trunc('hour', at) as hour, outcome, data->'decision'->>'why' as reason, count(*)::int as turns,
        sum(jsonb_array_length(data->'messages'))::int as messages,
        (count(*) filter (where outcome = 'failed' or data->'problems' <> '[]'))::int as errors
        from kikimimi.trace group by 1, 2, 3 order by 1, 2, 3`),
    )
    expect(await rows('select sum(turns)::int as turns from kikimimi.turn_hour where bucket >= 0'), 'times').toEqual(
      await rows(`select nullif(count(*), 0)::int as turns from kikimimi.trace where outcome = 'replied'`),
    )
    expect(await rows(`select 1 from kikimimi.turn_hour where turns = 0`), 'rows that count nothing').toEqual([])
    const facets = (values: string) =>
      `select seq, kikimimi_v1.facet(kind, value) as facet from kikimimi.trace t, lateral ${values}`
    expect(await rows('select seq, facet from kikimimi.turn_facet order by 1, 2'), 'facets').toEqual(
      await rows(`select * from (
        ${facets(
          `(values ('channel', array_to_string((string_to_array(t.conversation, '/'))[1:3], '/')), ('outcome', t.outcome),
          ('reason', t.data->'decision'->>'why'), ('model', t.data->'models'->0->>'model'), ('plugin', 'judge'), ('cost', '0.001'),
          ('error', (t.data->'problems' <> '[]')::text), ('week', (24 * (extract(isodow from at) - 1) + extract(hour from at))::int::text)
          ) v(kind, value)`.replaceAll(' from at)', " from at at time zone 'UTC')"),
        )}
        union select t.seq, f from kikimimi.trace t, unnest(t.facets) f, unnest(array['ann', 'ben', 'cid']) who
          where f in (kikimimi_v1.facet('person', 'test/' || who), kikimimi_v1.facet('person', 'other/' || who))
        union ${facets(`(values ('took', '1000'), ('took', '3000')) v(kind, value) where (t.data->'ms'->>'respond')::int + 2 >= value::int`)}
      ) f order by 1, 2`),
    )
  }

  const { rounds, seed: first } = testRounds({ few: 1, all: 20 })
  const seeds = Array.from({ length: rounds }, (_, index) => first + index)
  it.each(seeds)('are right after anything that happens to the log (%i)', async seed => {
    const random = numbers(seed)
    const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T
    const store = createSqlStore(db, log, clock)
    const places = [place('a'), place('a', 't'), place('b'), place('c', undefined, 'other')]
    const when = () => new Date(NOW - Math.floor(random() * 70 * DAY))
    let count = 0
    const said: { where: Conversation; id: string }[] = []
    const say = () => {
      const [where, at, receivedAt] = [pick(places), when(), new Date(NOW + count * 60_000 - 60 * DAY)]
      const id = count > 0 && random() < 0.1 ? `m${Math.floor(random() * count)}` : `m${count++}`
      said.push({ where, id })
      return store.record(where, message(id, pick(['ann', 'ben', 'cid']), random() < 0.2, at), receivedAt)
    }
    const actions = [
      say,
      () => Promise.all(Array.from({ length: 12 }, say)),
      () => said.length > 0 && store.remove(pick(said).where, pick(said).id, new Date(NOW)),
      () => said.length > 0 && store.edit(pick(said).where, pick(said).id, { text: 'edited' }, new Date(NOW)),
      () => db.query(`select kikimimi_v1.leave_out($1, $2, $3)`, ['test/w/a', [pick(said)?.id ?? ''], new Date(NOW)]),
      () => store.keepTrace(trace(`t${count++}`, pick(places), pick(['silent', 'replied', 'delayed']), when())),
      () => store.ended(pick(places), `t${Math.floor(random() * count)}`, { outcome: 'replied', sent: [] }),
      () => db.query('delete from kikimimi.trace where turn = $1', [`t${Math.floor(random() * count)}`]),
      async () => {
        const id = pick(['ann', 'ben'])
        await store.forgetting.ask({ platform: 'test', id }, new Date(NOW), async () => {})
        const [asked] = await store.forgetting.asked()
        if (!asked) return
        const theirs = await store.forgetting.messages('person', asked, 0)
        await store.forgetting.erase(theirs.map(({ seq }) => seq).slice(0, 3), asked, new Date(NOW))
        await store.forgetting.done(asked)
      },
      () =>
        random() < 0.3 &&
        store.sweep(
          new Date(NOW + Math.floor(random() * count) * 60_000 - 60 * DAY),
          new Date(NOW - Math.floor(random() * 70 * DAY)),
        ),
    ]
    for (let step = 0; step < 60; step++) {
      await pick(actions)()
      if (step % 10 === 9) await expectRight()
    }
    await expectRight()
  })
})

function place(channel: string, thread?: string, platform = 'test'): Conversation {
  const where = {
    platform,
    workspace: 'w',
    channel,
    ...(thread !== undefined && { thread }),
    name: channel,
    visibility: 'public' as const,
  }
  return { ...where, id: conversationId(where) }
}

function message(id: string, author: string, own: boolean, at: Date): Message {
  return { id, author: { id: author, name: author.toUpperCase() }, text: `text of ${id}`, at, mentions: [], attachments: [], own }
}

function trace(turn: string, where: Conversation, outcome: Trace['outcome'], at: Date): Trace {
  const number = Number(turn.slice(1))
  return {
    ...{ turn, conversation: where.id, at, outcome, messages: [`m${number % 7}`], trigger: '', sent: [], sections: [] },
    decision: { kind: 'silent', why: ['too late', 'too soon'][number % 2] ?? '', plugin: 'judge' },
    models: [{ role: 'judge', model: 'gauge', inputTokens: number, outputTokens: 2, ms: 4, attempts: 1, cost: 0.0015 }],
    problems: number % 3 === 0 ? [{ plugin: 'judge', stage: 'decide', message: 'broke' }] : [],
    ms: { score: 2, respond: 90 * number },
  }
}

/** The same numbers for the same seed. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    return (state >>> 0) / 2 ** 32
  }
}
