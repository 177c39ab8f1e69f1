/** The statements about messages. */
import { channelOf, type Database, type Reaction } from '../../api/index.ts'
import type { Clock } from '../../base/clock.ts'
import { changed } from './reactions.ts'
import { COLUMNS, type MessageRow, toKnownMessage, toMessage } from './rows.ts'
import type { Store } from './store.ts'
import { recent } from './turns-sql.ts'

type Messages = Pick<
  Store,
  | 'edit'
  | 'rewrite'
  | 'readdress'
  | 'find'
  | 'known'
  | 'remove'
  | 'retract'
  | 'react'
  | 'isOwn'
  | 'history'
  | 'since'
  | 'overtaken'
  | 'reopen'
>

export function createSqlMessages(db: Database, clock: Clock): Messages {
  /**
   * Runs a statement on the months of the last days, where the message almost always is, and on all months if it finds nothing there.
   *
   * @param sql makes the statement of a condition on messages m
   */
  async function nearest<T>(
    sql: (months: string) => string,
    params: readonly unknown[],
  ): Promise<{ rows: T[]; rowCount: number }> {
    const months = `m.at between $${params.length + 1} and $${params.length + 2}`
    const found = await db.query<T>(sql(months), [...params, ...recent(clock.now())])
    return found.rowCount > 0 ? found : db.query<T>(sql('true'), params)
  }

  return {
    async edit(conversation, message, { text, mentions, attachments, parts }, at) {
      const { rows } = await nearest<MessageRow & { waits: boolean }>(
        months => `
         update kikimimi.message m set text = $3, edited_at = $4, mentions = coalesce($5::jsonb, mentions),
           attachments = coalesce($6::jsonb, attachments), parts = coalesce($7::jsonb, parts)
         where channel = $1 and id = $2 and ${months} and deleted_at is null and (not own or text = $3)
         returning ${COLUMNS}, seq > (select processed from kikimimi.conversation c where c.id = m.conversation) as waits`,
        [
          channelOf(conversation),
          message,
          text,
          at,
          ...[mentions, attachments, parts].map(value => value && JSON.stringify(value)),
        ],
      )
      const [row] = rows
      return row && !row.own ? { message: toMessage(row), waits: row.waits } : undefined
    },

    async rewrite(conversation, message, text, at) {
      await nearest(
        // A later time than that of the edit before: the trigger tells the bot's own edit by it.
        months => `
         update kikimimi.message m set text = $3, edited_at = greatest($4, edited_at + interval '1 microsecond')
         where channel = $1 and id = $2 and ${months} and deleted_at is null and own`,
        [channelOf(conversation), message, text, at],
      )
    },

    async readdress(conversation, message, addressed, refused) {
      await nearest(
        months => `
         update kikimimi.message m set addressed = $3, refused = $4,
           recalled = $3::text is not null and addressed is null and answered_by is null
             and seq <= (select processed from kikimimi.conversation c where c.id = m.conversation)
         where channel = $1 and id = $2 and ${months} and deleted_at is null`,
        [channelOf(conversation), message, addressed ?? null, refused ?? null],
      )
    },

    async find(conversation, ids) {
      const search = async (months: string, ...bounds: readonly Date[]) => {
        const { rows } = await db.query<MessageRow>(
          `select ${COLUMNS} from kikimimi.message m
           where channel = $1 and id = any($2) and deleted_at is null and not left_out ${months} order by seq`,
          [channelOf(conversation), ids, ...bounds],
        )
        return rows.map(toMessage)
      }
      // Almost always a message of the last days.
      const found = await search('and m.at between $3 and $4', ...recent(clock.now()))
      return found.length < new Set(ids).size ? search('') : found
    },

    async known(conversation, ids) {
      const { rows } = await db.query<{ id: string }>(
        `select id from kikimimi.message where channel = $1 and id = any($2)
         union select id from kikimimi.left_out where channel = $1 and id = any($2)`,
        [channelOf(conversation), ids],
      )
      return new Set(rows.map(({ id }) => id))
    },

    async remove(conversation, message, at) {
      const about = [channelOf(conversation), message, at]
      await db.query('select kikimimi.remove_message($1, $2, $3, $4, $5, false)', [...about, ...recent(clock.now())])
    },

    async retract(conversation, message, at) {
      const about = [channelOf(conversation), message, at]
      await db.query('select kikimimi.remove_message($1, $2, $3, $4, $5, true)', [...about, ...recent(clock.now())])
    },

    react: (conversation, message, change) =>
      db.transaction(async () => {
        const which = [channelOf(conversation), message]
        const { rows } = await nearest<{ reactions: readonly Reaction[] }>(
          months => `
           select reactions from kikimimi.message m where channel = $1 and id = $2 and ${months} and deleted_at is null for update`,
          which,
        )
        const [row] = rows
        if (!row) return
        const reactions = changed(row.reactions, change)
        if (reactions === row.reactions) return
        await nearest(
          months => `update kikimimi.message m set reactions = $3 where channel = $1 and id = $2 and ${months}`,
          [...which, JSON.stringify(reactions)],
        )
      }),

    async isOwn(conversation, message) {
      const { rows } = await nearest(
        months => `select 1 from kikimimi.message m where channel = $1 and id = $2 and ${months} and own`,
        [channelOf(conversation), message],
      )
      return rows.length > 0
    },

    async history(conversation, size) {
      const { rows } = await db.query<MessageRow>(
        `select * from (
           select ${COLUMNS} from kikimimi.message m where conversation = $1 and deleted_at is null order by seq desc limit $2
         ) latest order by seq`,
        [conversation, size],
      )
      return rows.map(toKnownMessage)
    },

    async since(conversation, lastSeq) {
      const { rows } = await db.query<MessageRow>(
        `select ${COLUMNS} from kikimimi.message m
         where conversation = $1 and seq > $2 and m.at between $3 and $4 and not own and deleted_at is null and answered_by is null and not left_out
         order by seq limit 50`,
        [conversation, lastSeq, ...recent(clock.now())],
      )
      return rows.map(toMessage)
    },

    async overtaken(marks) {
      const { rows } = await db.query<{ id: string }>(
        `select mark.id from unnest($1::text[], $2::bigint[]) as mark(id, last_seq)
         where exists (select 1 from kikimimi.message m
                       where m.conversation = mark.id and m.seq > mark.last_seq and m.at between $3 and $4 and not m.own and not m.missed and m.deleted_at is null
                         and m.answered_by is null)`,
        [marks.map(({ conversation }) => conversation), marks.map(({ lastSeq }) => lastSeq), ...recent(clock.now())],
      )
      return new Set(rows.map(({ id }) => id))
    },

    async reopen(conversation, turn, revise) {
      const search = (months: string, ...bounds: readonly Date[]) =>
        db.query(
          `update kikimimi.message m set answered_by = case when $3::text is null then null else answered_by end,
             recalled = addressed is not null, revise = case when addressed is not null then $3 end
           where channel = $1 and answered_by = $2 and m.at between ${months} and deleted_at is null`,
          [channelOf(conversation), turn, revise ?? null, ...bounds],
        )
      const { rowCount } = await search('$4 and $5', ...recent(clock.now()))
      if (rowCount > 0) return true
      // No index has the turn: an older answer tells in which months its messages were said.
      const older = await search(
        `(select min(at) - interval '9 days' from kikimimi.delivery where turn = $2) and (select max(at) from kikimimi.delivery where turn = $2)`,
      )
      return older.rowCount > 0
    },
  }
}
