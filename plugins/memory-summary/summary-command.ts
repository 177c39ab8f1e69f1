import { type ChatCommand, type Conversation, channelOf, type Database, type Locale, safeText } from 'kikimimi'
import { type Readable, readableIn } from './storage/readable.ts'
import { texts } from './texts.ts'

/**
 * Shows the memories of the conversation of the command. The same rules as in a prompt apply: only what its audience may
 * read.
 */
export function summaryCommand(db: Database, since: () => { readonly channels: Date; readonly threads: Date }): ChatCommand {
  return {
    name: 'summary',
    names: texts.all('command.summary.name'),
    does: texts.all('command.summary'),
    permission: 'everyone',
    run: async ({ conversation, locale }) => told(await readableIn(db, conversation, since()), conversation, locale),
  }
}

/** The memory of the thread in a thread, otherwise of the channel. */
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
