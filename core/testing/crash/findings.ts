import type { Database } from '../../api/index.ts'
import { type Line, read } from './journal.ts'
import type { Course } from './rounds.ts'
import type { Doubles } from './victim.ts'

/** What is true after the test, and the violations. */
export interface Findings {
  readonly figures: Readonly<Record<string, number>>
  /** One sentence for each violation. */
  readonly wrong: readonly string[]
}

/** Compares the messages with the data of the database and with what people on the platform saw. */
export async function inspect(db: Database, course: Course, journal: string, doubles: Doubles): Promise<Findings> {
  const lines = read(journal)
  const [recorded, unlooked, deliveries, turns, forgotten] = [
    await rows<{ id: string; times: number }>(
      db,
      `select id, count(*)::int as times from kikimimi.message where not own group by id`,
    ),
    await rows<{ id: string; at: string }>(
      db,
      `select m.id, m.conversation as at from kikimimi.conversation c join kikimimi.message m on m.conversation = c.id
       where not m.own and m.seq > c.processed`,
    ),
    await rows<{ nonce: string; turn: string; conversation: string; state: string }>(
      db,
      `select nonce, turn, conversation, state from kikimimi.delivery`,
    ),
    await rows<{ id: string; state: string }>(
      db,
      `select id, case when leased_by is null then 'waiting' else 'running' end as state from kikimimi.conversation
       where due_at is not null or leased_by is not null`,
    ),
    await rows<{ nonce: string }>(
      db,
      `select nonce from kikimimi.delivery d where state = 'sent'
         and not exists (select 1 from kikimimi.message m where m.own and m.id = d.message)`,
    ),
  ]
  const times = new Map(recorded.map(row => [row.id, row.times]))
  const answers = answered(lines)
  const lost = deliveries.filter(({ state }) => state === 'lost')
  const lostTurns = new Set(lost.map(({ turn }) => turn))
  const explained = new Set(of(lines, 'made').flatMap(({ turn, text }) => (lostTurns.has(turn) ? text.split(' ') : [])))
  const addressed = course.said.filter(({ wants }) => wants === 'mention')
  const answeredTimes = (n: number) => addressed.filter(({ id }) => (answers.get(id) ?? 0) === n).length
  const continued = of(lines, 'judged').flatMap(({ start, channel, messages }) =>
    messages.some(id => (course.acknowledged.get(id) ?? start) < start) ? [`${start} ${channel}`] : [],
  )

  const wrong = [
    ...course.said.filter(({ id }) => times.get(id) !== 1).map(({ id }) => `${id} is recorded ${times.get(id) ?? 0} times`),
    ...(times.size > course.said.length ? ['unknown messages are recorded'] : []),
    ...course.said.flatMap(({ id, wants, channel }) => {
      const count = answers.get(id) ?? 0
      if (count > 1) return [`${id} (${wants}) is answered ${count} times`]
      // An unasked message can be outside working memory at the next turn.
      if (count === 1 || wants !== 'mention' || (doubles === 'possible' && explained.has(id))) return []
      return [`${id} in ${channel} was never answered`]
    }),
    ...unlooked.map(({ id, at }) => `${id} in ${at} was never judged`),
    ...deliveries
      .filter(({ state }) => state === 'pending' || state === 'sending')
      .map(({ nonce, state }) => `${nonce} is ${state}`),
    ...deliveries.filter(({ state, turn }) => state === 'failed' && !lostTurns.has(turn)).map(({ nonce }) => `${nonce} failed`),
    ...(doubles !== 'possible' && lost.length > 0 ? [`${lost.length} posts were given up although none could be doubled`] : []),
    ...[...Map.groupBy(lost, ({ conversation }) => conversation)]
      .filter(([, ofOne]) => ofOne.length > course.kills)
      .map(([at, ofOne]) => `${ofOne.length} posts were given up in ${at}, more often than the bot was killed`),
    ...forgotten.map(({ nonce }) => `the bot has no record of its post ${nonce}`),
    ...turns.map(({ id, state }) => `a turn in ${id} is ${state}`),
  ]
  return {
    wrong,
    figures: {
      kills: course.kills,
      'of them while starting': course.killsInStart,
      messages: course.said.length,
      'recorded once': recorded.filter(row => row.times === 1).length,
      redelivered: course.redelivered,
      addressed: addressed.length,
      'answered once': answeredTimes(1),
      'answered more than once': addressed.length - answeredTimes(1) - answeredTimes(0),
      unanswered: answeredTimes(0),
      posts: of(lines, 'post').length,
      'posts given up': lost.length,
      'doubles dropped': of(lines, 'double').length,
      judgements: of(lines, 'judged').length,
      'channels judged on after a kill': new Set(continued).size,
    },
  }
}

/** The number of different posts that name a message. */
function answered(lines: readonly Line[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { text } of of(lines, 'post')) {
    for (const id of text.split(/\s+/)) counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  return counts
}

function of<K extends Line['kind']>(lines: readonly Line[], kind: K): Extract<Line, { kind: K }>[] {
  return lines.filter((line): line is Extract<Line, { kind: K }> => line.kind === kind)
}

async function rows<T>(db: Database, sql: string): Promise<T[]> {
  return (await db.query<T>(sql)).rows
}
