/** The service {@link MessageLog} of the bot. */
import { type Database, definePlugin, MessageLog, type Plugin } from '../../api/index.ts'
import { followLog } from './follow.ts'
import { indexLog } from './index-log.ts'
import { discardResults, dropOld } from './marks.ts'
import { areUnchanged, readLog } from './read.ts'

export function messageLogFeature(): Plugin {
  return definePlugin({
    name: 'kikimimi-message-log',
    provides: [MessageLog],
    setup({ db, every, provide }) {
      provide(MessageLog, messageLogOf(db))
      const isKept = db.kind !== 'none'
      if (isKept) every('tidy', '1d', () => dropOld(db))
      return { forget: async () => (isKept ? discardResults(db) : undefined) }
    },
  })()
}

export function messageLogOf(db: Database): MessageLog {
  return {
    read: query => readLog(db, query),
    unchanged: messages => areUnchanged(db, messages),
    follow: (ctx, following) => followLog(ctx, db, following),
    index: indexing => indexLog(db, indexing),
  }
}
