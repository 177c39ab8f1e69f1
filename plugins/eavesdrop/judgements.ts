import { createHash } from 'node:crypto'
import type { Message, PluginContext } from 'kikimimi'
import type { Past } from './interventions.ts'
import type { State } from './verdicts.ts'

/** The results of the model for a conversation so far. */
export interface Judgement {
  readonly state: State
  /** Whether the bot has already intervened in this conversation. */
  readonly same?: boolean
  /** Whether to intervene. */
  readonly verdict?: boolean
}

/** How long the judgement of an unchanged conversation is reused. */
const CACHE_MS = 5 * 60_000

/** A cache of judgements for some minutes. It is in the database, so that a restart repeats no question. */
export function createJudgements({ db, clock }: Pick<PluginContext, 'db' | 'clock'>) {
  const since = () => new Date(clock.now() - CACHE_MS)
  return {
    async find(conversation: string, hash: string): Promise<Judgement | undefined> {
      const { rows } = await db.query<{ state: State; same: boolean | null; verdict: boolean | null }>(
        'select state, same, verdict from eavesdrop.judgement where conversation = $1 and hash = $2 and at > $3',
        [conversation, hash, since()],
      )
      return rows.map(({ state, same, verdict }) => ({
        state,
        ...(same !== null && { same }),
        ...(verdict !== null && { verdict }),
      }))[0]
    },

    async keep(conversation: string, hash: string, { state, same, verdict }: Judgement): Promise<void> {
      await db.query(
        `insert into eavesdrop.judgement (conversation, hash, state, same, verdict, at) values ($1, $2, $3, $4, $5, $6)
         on conflict (conversation, hash) do update
         set state = excluded.state, same = excluded.same, verdict = excluded.verdict, at = excluded.at`,
        [conversation, hash, state, same ?? null, verdict ?? null, new Date(clock.now())],
      )
    },

    async sweep(): Promise<void> {
      await db.query('delete from eavesdrop.judgement where at <= $1', [since()])
    },
  }
}

/** The key of a conversation: its messages, and the interventions in it. */
export function hashOf(talk: readonly Message[], past: readonly Past[]): string {
  const said = [talk.map(({ id, author, text }) => [id, author.id, text]), past.map(({ turn }) => turn)]
  return createHash('sha256').update(JSON.stringify(said)).digest('hex')
}
