/** What people see around a conversation, for turns. The reader is an option of the kernel; this plugin keeps it up to date. */
import { randomUUID } from 'node:crypto'
import { channelOf, type Database, definePlugin, type Plugin } from '../../api/index.ts'
import { reason } from '../../base/errors.ts'
import type { Conversations } from '../../kernel/turns/conversations.ts'
import type { SurroundingsReader } from './surroundings.ts'

/** The NOTIFY by which processes tell each other which message changed. Without a message: a person is forgotten. */
const CHANNEL = 'kikimimi_surroundings'

export interface SurroundingsFeatureOptions {
  readonly reader: SurroundingsReader
  readonly conversations: Pick<Conversations, 'onChange' | 'receive'>
  /** The database, if other processes share it. */
  readonly shared: Pick<Database, 'query' | 'listen'> | undefined
}

export function surroundingsFeature({ reader, conversations, shared }: SurroundingsFeatureOptions): Plugin {
  return definePlugin({
    name: 'kikimimi-surroundings',
    async setup({ log, scope }) {
      const me = randomUUID()
      const tell = (...told: readonly string[]) => {
        shared
          ?.query('select pg_notify($1, $2)', [CHANNEL, [me, ...told].join('\n')])
          .catch((error: unknown) => log.debug(`could not tell other processes of a change: ${reason(error)}`))
      }
      conversations.onChange((conversation, message, to) => {
        reader.changed(channelOf(conversation), message, to)
        tell(channelOf(conversation), message)
      })
      const hear = (payload: string) => {
        const [process, channel, message] = payload.split('\n')
        if (process === me) return
        if (channel === undefined || message === undefined) reader.clear()
        else reader.changed(channel, message, 'unknown')
      }
      if (shared) scope.defer(await shared.listen(CHANNEL, hear))

      return {
        filter: message => reader.note(message),
        // No wait: a reload waits for turns, and a message that is recorded waits for the reload.
        after(turn) {
          if (!turn.surroundings) return
          reader
            .recordRead(turn, (platform, message) => conversations.receive(platform, message, 'missed'))
            .catch((error: unknown) => log.debug(`could not record earlier messages: ${reason(error)}`))
        },
        forget() {
          reader.clear()
          tell()
        },
      }
    },
  })()
}
