/** A channel with activity, for tests. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Conversation, definePlugin } from 'kikimimi'
import type { TurnView } from '../history/views.ts'
import type { TestPage } from './open-page.ts'

export const DEV = 'test/team/dev'

/** Writes a message and waits for its turn. */
export async function heard(page: TestPage, text: string): Promise<void> {
  const turns = async () => ((await (await page.api('turns')).json()) as { turns: TurnView[] }).turns.length
  const before = await turns()
  await page.say('bob', text)
  while ((await turns()) === before) await sleep(20)
}

/** Writes a message in a thread of it. */
export async function sayInThread(
  page: TestPage,
  author: string,
  text: string,
  thread = 't1',
  readers?: Conversation['readers'],
): Promise<void> {
  const place = { platform: 'test', workspace: 'team', channel: 'dev', thread, name: 'dev', visibility: 'public' } as const
  await page.bot.receive(page.other, {
    id: randomUUID(),
    conversation: { ...place, ...(readers && { readers }) },
    author: { id: author, name: author },
    text,
    at: new Date(),
  })
}

/** Answers everything after a minute. */
export const patient = definePlugin({
  name: 'patient',
  setup: () => ({
    decide: () => ({ kind: 'full', why: 'lets others go first', delayMs: 60_000 }),
    respond: ({ message }) => ({ kind: 'text', text: `about: ${message.text}` }),
  }),
})

/** Stands in for the memories of memory-summary, from the first message on. */
export const remembered = remembering('They talk about trains.', 'trains')

export function remembering(recent: string, topic: string) {
  return definePlugin({
    name: 'remembered',
    setup: ctx => ({
      filter: async () => {
        const rows: [id: string, kind: string, channel: string, recent: string, history: string][] = [
          ['test/team', 'workspace', '', 'A trip is planned.', ''],
          [DEV, 'channel', DEV, recent, 'They met.'],
          [`${DEV}/t1`, 'thread', DEV, 'A bus, too.', ''],
        ]
        for (const [id, kind, channel, text, history] of rows) {
          await ctx.db.query(
            `insert into memory_summary.memory
               (id, kind, workspace, channel, name, place, visibility, active_at, began, recent, history, mood, topics, updated_at)
             values ($1, $2, 'test/team', $3, 'dev', $3, 'public', $4, 0, $5, $6, 'calm', $7, $4) on conflict (id) do nothing`,
            [id, kind, channel, new Date('2026-01-05T10:00:00Z'), text, history, JSON.stringify([topic])],
          )
        }
      },
    }),
  })()
}
