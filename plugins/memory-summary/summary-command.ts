import { type ChatCommand, type Conversation, channelOf, type Database, type Locale, safeText } from 'kikimimi'
import { type Readable, readableIn } from './storage/readable.ts'
import { texts } from './texts.ts'

/** What goes on where it is asked. By the same rules as a prompt there: nothing that others in the conversation could not read. */
export function summaryCommand(db: Database, since: () => { readonly channels: Date; readonly threads: Date }): ChatCommand {
  return {
    name: 'summary',
    does: texts.all('command.summary'),
    permission: 'everyone',
    run: async ({ conversation, locale }) => told(await readableIn(db, conversation, since()), conversation, locale),
  }
}

/** Of the thread in a thread, of the channel else. */
function told({ channels, threads }: Readable, conversation: Conversation, locale: Locale): string {
  const say = texts(locale)
  const here =
    conversation.thread === undefined
      ? channels.find(({ id }) => id === channelOf(conversation))
      : threads.find(({ id }) => id === conversation.id)
  const { recent = '', history = '', topics = [] } = here ?? {}
  const lines = [
    ...(topics.length > 0 ? [say('command.topics', { text: topics.map(safeText).join(say('and')) })] : []),
    ...(recent ? [say('command.recent'), safeText(recent)] : []),
    ...(history ? [say('command.history'), safeText(history)] : []),
  ]
  return lines.length > 0 ? lines.join('\n') : say('command.nothing')
}
