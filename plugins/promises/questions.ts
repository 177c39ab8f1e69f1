/** Orders about which the bot has asked: one per person and conversation. */
import { type Clock, type Conversation, channelOf, type Database, type MessageLog, type Person, type PersonKey } from 'kikimimi'

/** The message that asked. */
export interface Unanswered {
  readonly message: string
  readonly text: string
  readonly mentions: readonly Person[]
  readonly at: Date
}

/** A later answer means something else. */
const EXPIRY = 10 * 60_000

/** After this many answers that did not settle it, the question is closed. */
const MOST_ANSWERS = 5

export type Questions = ReturnType<typeof createQuestions>

export function createQuestions(db: Database, log: MessageLog, clock: Clock) {
  const now = () => new Date(clock.now())
  return {
    async ask(conversation: Conversation, person: string, message: string): Promise<void> {
      await db.query('delete from promises.question where expires_at <= $1', [now()])
      await db.query(
        `insert into promises.question (conversation, person, channel, message, expires_at) values ($1, $2, $3, $4, $5)
         on conflict (conversation, person) do update
         set channel = excluded.channel, message = excluded.message, expires_at = excluded.expires_at`,
        [conversation.id, person, channelOf(conversation), message, new Date(clock.now() + EXPIRY)],
      )
    },

    /** The request of the person, if the person has said nothing else since. `isAnswer`: whether a text can be an answer to it. */
    async find(
      conversation: string,
      person: string,
      answer: string,
      isAnswer: (text: string) => boolean,
    ): Promise<Unanswered | undefined> {
      const { rows } = await db.query<{ channel: string; id: string }>(
        'select channel, message as id from promises.question where conversation = $1 and person = $2 and expires_at > $3',
        [conversation, person, now()],
      )
      const [asked] = await log.read({ readers: 'operator', messages: rows, limit: 1 })
      if (!asked) return undefined
      const { id: message, seq: after, text, mentions, at } = asked
      const since = { conversations: [conversation], author: person, after, first: true }
      const later = await log.read({ readers: 'operator', ...since, limit: MOST_ANSWERS })
      const isOver = later.length === MOST_ANSWERS || later.some(one => one.id !== answer && !isAnswer(one.text))
      return isOver ? undefined : { message, text, mentions, at }
    },

    async close(conversation: string, person: string): Promise<void> {
      await db.query('delete from promises.question where conversation = $1 and person = $2', [conversation, person])
    },

    async forget({ platform, id }: PersonKey): Promise<void> {
      await db.query('delete from promises.question where starts_with(conversation, $1) and person = $2', [
        `${encodeURIComponent(platform)}/`,
        id,
      ])
    },
  }
}
