/** What the bot of the pictures remembers: facts of all kinds, some that contradict or end, and summaries. */
import type { Conversation, Database } from 'kikimimi'
import type { FactStore, NewFact } from '../../plugins/facts/api/facts.ts'

const DAY = 86_400_000

const place = (channel: string, visibility: Conversation['visibility'] = 'public'): Conversation => ({
  ...{ id: `discord/team/${channel}`, platform: 'discord', workspace: 'team', channel, name: channel, visibility },
})

export async function keepMemory(db: Database, store: FactStore): Promise<void> {
  const keep = (content: string, more: Partial<NewFact> = {}) => store.add({ conversation: place('general'), content, ...more })
  const old = await keep('The train to Ueno leaves at ten', {
    subject: 'train to Ueno',
    relation: 'date',
    value: '10:00',
    at: ago(6),
  })
  await store.supersede([old.id], {
    ...{ conversation: place('general'), content: 'The train to Ueno leaves at half past ten' },
    ...{ subject: 'train to Ueno', relation: 'date', value: '10:30', confidence: 0.7, at: ago(1) },
  })
  const review = { subject: 'review', relation: 'date', conversation: place('dev') } as const
  await keep('The review is on Friday at 15:00', { ...review, value: 'Friday 15:00', kind: 'event', at: ago(3) })
  await keep('The review is on Thursday at 16:00', {
    ...review,
    value: 'Thursday 16:00',
    kind: 'event',
    confidence: 0.5,
    at: ago(2),
  })
  await keep('The spare key is under the blue pot', {
    kind: 'durable',
    people: ['ann'],
    confidence: 0.95,
    pinned: true,
    at: ago(9),
  })
  await keep('Ben drinks his coffee without sugar', { kind: 'preference', people: ['ben'], shareable: true, at: ago(5) })
  await keep('由美さんは毎週水曜日に在宅勤務をしています', { kind: 'durable', people: ['yumi'], confidence: 0.85, at: ago(4) })
  await keep('Dan is on holiday until next week', { people: ['dan'], validTo: new Date(Date.now() + 6 * DAY), at: ago(2) })
  await keep('The staging database runs on PostgreSQL 17', { conversation: place('dev'), kind: 'durable', at: ago(1) })
  await keep('リリースは金曜日の15時です', { conversation: place('dev'), kind: 'event', people: ['yumi', 'ann'], at: ago(0.2) })
  for (const [id, kind, channel, recent, history, topics] of [
    [
      'discord/team',
      'workspace',
      '',
      'The team prepares the release of Friday.',
      'The office moved to Ueno in spring.',
      ['release', 'office'],
    ],
    [
      ...(['discord/team/dev', 'channel', 'discord/team/dev'] as const),
      'The runner was out of disk space; Ben freed 20 GB. The release is planned for Friday at 15:00.',
      'They moved the staging database to PostgreSQL 17.',
      ['release', 'runner', 'staging'],
    ],
  ] as const)
    await db.query(
      `insert into memory_summary.memory
         (id, kind, workspace, channel, name, place, visibility, active_at, began, recent, history, mood, topics, updated_at)
       values ($1, $2, 'discord/team', $3, 'dev', $3, 'public', now(), 0, $4, $5, 'calm', $6, now())`,
      [id, kind, channel, recent, history, JSON.stringify(topics)],
    )
}

function ago(days: number): Date {
  return new Date(Date.now() - days * DAY)
}
