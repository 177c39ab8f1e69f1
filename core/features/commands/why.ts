import type { ChatCommand, CommandCall, Trace } from '../../api/index.ts'
import { ago, texts } from '../../base/text/core-texts.ts'
import type { Locale } from '../../base/text/texts.ts'
import { FAILURE } from '../../kernel/pipeline/trace.ts'
import { scoreOf } from '../../prompt/explain-trace.ts'
import type { Store } from '../../storage/store/store.ts'

/** Turns of a conversation that are searched for a message. */
const TURNS = 200

/**
 * Explains why the bot spoke or was silent, only for the conversation of the command: other people may not read what the
 * trace says.
 */
export function whyCommand(store: Pick<Store, 'traces'>): ChatCommand {
  return {
    name: 'why',
    names: texts.all('command.why.name'),
    does: texts.all('command.why'),
    usage: '[link or id]',
    permission: 'everyone',
    // It tells people why the bot did not answer them.
    access: 'always',
    on: { at: 'answer', label: texts.all('command.why.label'), emoji: '❓' },
    // "/kiki why is the sky blue?" is a message to the bot.
    takes: text => !/\s/.test(text) && /^$|\d/.test(text),
    async run({ conversation, message, text: link, locale, at }: CommandCall) {
      const say = texts(locale)
      const text = message ?? link
      const traces = await store.traces(text === '' ? 1 : TURNS, conversation.id)
      const found = text === '' ? traces[0] : traces.find(trace => isAbout(trace, text))
      if (found) return told(found, at, locale)
      return say(text === '' ? 'why.noTurn' : 'why.noSuchTurn')
    },
  }
}

const sayable: readonly unknown[] = Object.values(FAILURE)

function told(trace: Trace, now: Date, locale: Locale): string {
  const say = texts(locale)
  const { at, outcome, decision, reply, why, problems } = trace
  const what = outcome === 'replied' && reply?.kind === 'reaction' ? 'reacted' : outcome
  const rows = [
    ['why.reason', decision?.why],
    ['why.score', scoreOf(trace)],
    // The text of an error is for operators.
    ['why.because', outcome !== 'failed' || sayable.includes(why) ? why : undefined],
    ['why.trouble', problems.map(({ plugin, stage }) => `${plugin} (${stage})`).join(', ')],
  ] as const
  return [
    say(`why.${what}`, { ago: ago(now.getTime() - at.getTime(), locale) }),
    ...rows.flatMap(([key, text]) => (text ? [say(key, { text })] : [])),
  ].join('\n')
}

/** Finds the turn by the id of a message of its batch or of the bot: the id alone, or at the end of a link. */
function isAbout({ turn, trigger, messages, sent }: Trace, text: string): boolean {
  const [last = ''] = text
    .replace(/[?#].*/, '')
    .split('/')
    .slice(-1)
  const wanted = last.replace(/[<>]/g, '')
  // A Slack link has the id without its dot, after a letter.
  const linked = wanted.replace(/^p(?=\d+$)/, '')
  return [turn, trigger, ...messages, ...sent].some(id => id === wanted || (linked !== wanted && id.replace('.', '') === linked))
}
