/** Says what the bot makes of a sentence, without recording or answering it. */
import { speechActOf } from '@kikimimi/speech-acts'
import type { ChatCommand, PersonaPlace } from 'kikimimi'
import { texts } from './texts.ts'

/** Maximum length of a sentence, in characters. */
const LONGEST = 500

export function explainCommand(
  findingIn: (place: PersonaPlace) => { readonly names: readonly string[]; isCalled(text: string): boolean },
): ChatCommand {
  return {
    name: 'explain',
    names: texts.all('command.explain.name'),
    does: texts.all('command.explain'),
    usage: '"text"',
    permission: 'everyone',
    takes: text => sentenceIn(text) !== '',
    async run({ text, locale, conversation }) {
      const { names, isCalled } = findingIn(conversation)
      const say = texts(locale)
      const sentence = sentenceIn(text).slice(0, LONGEST)
      const { act, probability, words } = speechActOf(sentence, { names })
      return [
        say(isCalled(sentence) ? 'explain.called' : 'explain.notCalled'),
        say('explain.act', { act, probability: probability.toFixed(2), words: listed(words) }),
      ].join('\n')
    },
  }
}

function sentenceIn(text: string): string {
  return text
    .trim()
    .replace(/^["“「](.*)["”」]$/su, '$1')
    .trim()
}

function listed(words: readonly string[]): string {
  return words.length === 0 ? '–' : words.map(word => `“${word}”`).join(' ')
}
