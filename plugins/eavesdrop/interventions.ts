/** The log of interventions and their effects. */
import { type Message, type PluginContext, service } from 'kikimimi'
import type { Effect } from './effect.ts'
import type { State } from './verdicts.ts'

/** For display. Holds no text. */
export interface Intervention {
  /** The turn of the intervention. Its trace has the reason. */
  readonly turn: string
  readonly conversation: string
  readonly at: Date
  readonly state: State
  /** Ids of the sent messages. */
  readonly sent: readonly string[]
  /** Absent until it is counted. */
  readonly effect?: Effect
}

/** Sums of the interventions with a counted effect. */
export interface Totals {
  readonly interventions: number
  /** Interventions after which the participants went on talking. */
  readonly wentOn: number
  /** Interventions with a reply. */
  readonly repliedTo: number
  /** Interventions with a reaction. */
  readonly reactedTo: number
}

export interface InterventionLog {
  /** Newest first. */
  latest(limit: number, conversation?: string): Promise<readonly Intervention[]>
  totals(since: Date): Promise<Totals>
}

export const Interventions = service<InterventionLog>('interventions', '@kikimimi/eavesdrop')

/** An intervention whose words the bot still has. */
export interface Past {
  readonly turn: string
  readonly at: Date
  readonly state: State
  /** The last messages of the conversation at that time. */
  readonly talk: readonly Message[]
  readonly answer: string
  readonly people: readonly string[]
  /** Ids of the sent messages. */
  readonly sent: readonly string[]
}

export function createInterventions({ db }: Pick<PluginContext, 'db'>) {
  return {
    /** Interventions in a conversation since a time, oldest first. */
    async since(conversation: string, at: Date): Promise<readonly Past[]> {
      const { rows } = await db.query<Row>(
        `select ${COLUMNS} from eavesdrop.intervention where conversation = $1 and at > $2 order by at`,
        [conversation, at],
      )
      return rows.map(toPast)
    },

    async find(turn: string): Promise<(Past & { readonly conversation: string }) | undefined> {
      const { rows } = await db.query<Row & { conversation: string }>(
        `select conversation, ${COLUMNS} from eavesdrop.intervention where turn = $1`,
        [turn],
      )
      return rows.map(row => ({ conversation: row.conversation, ...toPast(row) }))[0]
    },

    /** Called before the message is sent, so that a process that dies does not send it twice. */
    async record(conversation: string, { turn, at, state, talk, answer, people }: Omit<Past, 'sent'>): Promise<void> {
      await db.query(
        `insert into eavesdrop.intervention (turn, conversation, at, state, talk, answer, people)
         values ($1, $2, $3, $4, $5, $6, $7::text[])`,
        [turn, conversation, at, state, JSON.stringify(talk), answer, people],
      )
    },

    async said(turn: string, sent: readonly string[]): Promise<void> {
      await db.query('update eavesdrop.intervention set sent = $2::text[] where turn = $1', [turn, sent])
    },

    async unsaid(turn: string): Promise<void> {
      await db.query('delete from eavesdrop.intervention where turn = $1', [turn])
    },

    async count(turn: string, { messages, people, replies, reactions }: Effect): Promise<void> {
      await db.query(
        'update eavesdrop.intervention set messages = $2, people_after = $3, replies = $4, reactions = $5 where turn = $1',
        [turn, messages, people, replies, reactions],
      )
    },

    /** Deletes the words as soon as they are not needed. */
    async sweep(rememberedSince: Date, keptSince: Date): Promise<void> {
      await db.query(
        'update eavesdrop.intervention set talk = null, answer = null where at <= $1 and (talk is not null or answer is not null)',
        [rememberedSince],
      )
      await db.query('delete from eavesdrop.intervention where at <= $1', [keptSince])
    },
  }
}

export function interventionLog({ db }: Pick<PluginContext, 'db'>): InterventionLog {
  return {
    async latest(limit, conversation) {
      const { rows } = await db.query<LogRow>(
        `select turn, conversation, at, state, sent, messages, people_after, replies, reactions from eavesdrop.intervention
         where sent is not null and ($2::text is null or conversation = $2) order by at desc limit $1`,
        [limit, conversation ?? null],
      )
      return rows.map(({ messages, people_after, replies, reactions, ...row }) => ({
        ...row,
        ...(messages !== null && { effect: { messages, people: people_after, replies, reactions } }),
      }))
    },

    async totals(since) {
      const { rows } = await db.query<Totals>(
        `select count(*) as interventions,
           count(*) filter (where messages > 0) as "wentOn",
           count(*) filter (where replies > 0) as "repliedTo",
           count(*) filter (where reactions > 0) as "reactedTo"
         from eavesdrop.intervention where messages is not null and sent is not null and at > $1`,
        [since],
      )
      return rows[0] ?? { interventions: 0, wentOn: 0, repliedTo: 0, reactedTo: 0 }
    },
  }
}

const COLUMNS = 'turn, at, state, talk, answer, people, sent'

interface Row extends Omit<Past, 'talk' | 'answer' | 'sent'> {
  readonly talk: readonly (Omit<Message, 'at'> & { readonly at: string })[] | null
  readonly answer: string | null
  readonly sent: readonly string[] | null
}

type LogRow = Omit<Intervention, 'effect'> &
  Omit<Effect, 'people' | 'messages'> & { readonly messages: number | null; readonly people_after: number }

function toPast({ talk, answer, sent, ...row }: Row): Past {
  const messages = (talk ?? []).map(message => ({ ...message, at: new Date(message.at) }))
  return { ...row, talk: messages, answer: answer ?? '', sent: sent ?? [] }
}
