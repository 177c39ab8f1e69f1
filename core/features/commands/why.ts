import type { ChatCommand, CommandCall, Trace } from '../../api/index.ts'
import type { Locale } from '../../base/locale.ts'
import { FAILURE } from '../../kernel/pipeline/trace.ts'
import { scoreOf } from '../../prompt/explain-trace.ts'
import type { Store } from '../../storage/store/store.ts'
import { ago, WORDS } from './words.ts'

/** Turns of a conversation that are looked through for a message. */
const TURNS = 200

/** Why it spoke, or was silent: only of the conversation in which it is asked, for others may not read what it says of that. */
export function whyCommand(store: Pick<Store, 'traces'>): ChatCommand {
  return {
    name: 'why',
    does: {
      en: 'why I spoke or was silent, last or about a message',
      ja: '話した・黙っていた理由（最後のもの、または指定したメッセージ）',
    },
    usage: '[link or id]',
    permission: 'everyone',
    // "/kiki why is the sky blue?" is for the bot.
    takes: text => !/\s/.test(text) && /^$|\d/.test(text),
    async run({ conversation, text, locale, at }: CommandCall) {
      const words = WORDS[locale]
      const traces = await store.traces(text === '' ? 1 : TURNS, conversation.id)
      const found = text === '' ? traces[0] : traces.find(trace => isAbout(trace, text))
      if (found) return told(found, at, locale)
      return text === '' ? words.noTurn : words.noSuchTurn
    },
  }
}

const sayable: readonly unknown[] = Object.values(FAILURE)

function told(trace: Trace, now: Date, locale: Locale): string {
  const words = WORDS[locale]
  const { at, outcome, decision, reply, why, problems } = trace
  const what = outcome === 'replied' && reply?.kind === 'reaction' ? words.reacted : words.outcomes[outcome]
  const rows = [
    [words.reason, decision?.why],
    [words.score, scoreOf(trace)],
    // What an error says is for who runs the bot.
    [words.after, outcome !== 'failed' || sayable.includes(why) ? why : undefined],
    [words.trouble, problems.map(({ plugin, stage }) => `${plugin} (${stage})`).join(', ')],
  ] as const
  return [
    `${ago(now.getTime() - at.getTime(), locale)}: ${what}`,
    ...rows.flatMap(([label, value]) => (value ? [`${label}${value}`] : [])),
  ].join('\n')
}

/** By the id of a message that was looked at, or that the bot sent: alone, or at the end of a link. */
function isAbout({ turn, trigger, messages, sent }: Trace, text: string): boolean {
  const [last = ''] = text
    .replace(/[?#].*$/, '')
    .split('/')
    .slice(-1)
  const wanted = last.replace(/[<>]/g, '')
  // In Slack's links the dot of an id is gone, and a letter stands before it.
  const linked = wanted.replace(/^p(?=\d+$)/, '')
  return [turn, trigger, ...messages, ...sent].some(id => id === wanted || (linked !== wanted && id.replace('.', '') === linked))
}
