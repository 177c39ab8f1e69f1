import { type ChatCommand, type Conversation, channelOf, type Database, type Locale, safeText } from 'kikimimi'
import { type Readable, readableIn } from './storage/readable.ts'

interface Words {
  readonly history: string
  readonly recent: string
  readonly topics: string
  readonly nothing: string
  readonly and: string
}

const WORDS: Readonly<Record<Locale, Words>> = {
  en: {
    history: 'What was before:',
    recent: 'Of late:',
    topics: 'It is about: ',
    nothing: 'I have not heard enough here yet to sum anything up.',
    and: ', ',
  },
  ja: {
    history: 'これまで：',
    recent: '最近のこと：',
    topics: '話題：',
    nothing: 'まだ、まとめるほどの会話を聞いていないよ。',
    and: '、',
  },
}

/** What goes on where it is asked. By the same rules as a prompt there: nothing that others in the conversation could not read. */
export function summaryCommand(db: Database, since: () => { readonly channels: Date; readonly threads: Date }): ChatCommand {
  return {
    name: 'summary',
    does: { en: 'what goes on here', ja: 'ここで何が話されているか' },
    permission: 'everyone',
    run: async ({ conversation, locale }) => told(await readableIn(db, conversation, since()), conversation, locale),
  }
}

/** Of the thread in a thread, of the channel else. */
function told({ channels, threads }: Readable, conversation: Conversation, locale: Locale): string {
  const words = WORDS[locale]
  const here =
    conversation.thread === undefined
      ? channels.find(({ id }) => id === channelOf(conversation))
      : threads.find(({ id }) => id === conversation.id)
  const { recent = '', history = '', topics = [] } = here ?? {}
  const lines = [
    ...(topics.length > 0 ? [words.topics + topics.map(safeText).join(words.and)] : []),
    ...(recent ? [words.recent, safeText(recent)] : []),
    ...(history ? [words.history, safeText(history)] : []),
  ]
  return lines.length > 0 ? lines.join('\n') : words.nothing
}
