/** A channel with enough messages for a replay. */
import type { TestPage } from './open-page.ts'

export const DEV = 'test/team/dev'
const MINUTE = 60_000

/** Carol answers most questions. Each scene comes some minutes after the one before. */
const SCENES: readonly (readonly (readonly [author: string, text: string, answers?: number])[])[] = [
  [
    ['bob', 'does anyone know how to renew the certificate?'],
    ['carol', 'run renew on the gateway', 0],
    ['bob', 'thanks!'],
  ],
  [
    ['alice', 'good morning'],
    ['dave', 'morning'],
    ['alice', 'what time is the review today?'],
    ['carol', 'at three', 2],
  ],
  [
    ['dave', 'the build is red again'],
    ['dave', 'has anybody touched the runner?'],
    ['carol', 'I did, it should be fine now', 1],
    ['bob', 'it is green here'],
  ],
  [
    ['bob', 'lunch?'],
    ['alice', 'in ten minutes', 0],
    ['bob', 'great'],
  ],
  [
    ['alice', 'kiki said the disk is nearly full. is that true?'],
    ['carol', 'yes, I am looking at it', 0],
    ['dave', 'which one?'],
    ['carol', 'the second', 2],
  ],
]

/** No plugin answers, so the messages of the channel do not change. */
export async function talk(page: TestPage, times = 8): Promise<void> {
  const start = Date.now() - 24 * 60 * MINUTE
  let count = 0
  for (let scene = 0; scene < times * SCENES.length; scene++) {
    const first = count
    for (const [index, [author, text, answers]] of (SCENES[scene % SCENES.length] ?? []).entries()) {
      await page.bot.receive(page.other, {
        id: `t${count++}`,
        conversation: { platform: 'test', workspace: 'team', channel: 'dev', name: 'dev', visibility: 'public' },
        author: { id: author, name: author },
        text,
        at: new Date(start + scene * 12 * MINUTE + index * 20_000),
        ...(answers !== undefined && { replyTo: { id: `t${first + answers}` } }),
      })
    }
  }
}

const USED = `
  insert into kikimimi.model_use (hour, place, role, plugin, model, calls, failed, input_tokens, output_tokens, ms, cost)
  select date_trunc('hour', min(at), 'UTC'), $1, role, 'test', 'm', 1, 0, 1, 1, 1, cost
  from kikimimi_v1.message, (values ('judge', 4), ('chat', 2), ('summary', 1)) used(role, cost) group by role, cost`

/** In the hour of the first message the channel has cost 4 for the judge, 2 for answers and 1 for summaries. */
export async function use(page: TestPage): Promise<void> {
  await page.db.query(USED, [DEV])
}
