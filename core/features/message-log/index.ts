/** The service {@link MessageLog} of the bot. */
import { definePlugin, MessageLog, type Plugin } from '../../api/index.ts'
import { followLog } from './follow.ts'
import { discardResults, dropOld } from './marks.ts'
import { areUnchanged, readLog } from './read.ts'

export function messageLogFeature(): Plugin {
  return definePlugin({
    name: 'kikimimi-message-log',
    provides: [MessageLog],
    setup({ db, every, provide }) {
      provide(MessageLog, {
        read: query => readLog(db, query),
        unchanged: messages => areUnchanged(db, messages),
        follow: (ctx, following) => followLog(ctx, db, following),
      })
      const isKept = db.kind !== 'none'
      if (isKept) every('tidy', '1d', () => dropOld(db))
      return { forget: async () => (isKept ? discardResults(db) : undefined) }
    },
  })()
}
