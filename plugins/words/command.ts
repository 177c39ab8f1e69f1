/** `/kiki words`: the words of the channel. */
import { type ChatCommand, channelOf, type PluginContext } from 'kikimimi'
import { keyOf } from './definitions.ts'
import type { Options } from './index.ts'
import { answer } from './show.ts'
import { ownOf, type Words } from './store.ts'
import { texts } from './texts.ts'

/** Entries of a list. */
const LISTED = 20

const FORGET = /^forget\s+(?<word>\S.{0,98})$/i

export function wordsCommand({ optionsFor, clock }: PluginContext<Options>, words: Words): ChatCommand {
  return {
    name: 'words',
    names: texts.all('command.name'),
    does: texts.all('command'),
    usage: '[WORD | forget WORD]',
    permission: 'everyone',
    // "/kiki words fail me" is a message to the bot.
    takes: text => FORGET.test(text) || !/\s/.test(text),
    async run({ conversation, person, text, locale, moderates }) {
      const say = texts(locale)
      if (!optionsFor(conversation).learn) return say('off')
      const word = FORGET.exec(text)?.groups?.word
      const wanted = word ?? text
      const found = await words.find(conversation, channelOf(conversation), wanted === '' ? {} : { key: keyOf(wanted) })
      const [first] = found
      if (!first) return wanted === '' ? say('none') : say('unknown', { word: wanted })
      if (word === undefined) {
        const more = found.length > LISTED ? `\n${say('more', { count: found.length - LISTED })}` : ''
        return answer(found.slice(0, LISTED), locale, clock.now()) + more
      }
      const own = (await moderates()) ? found : ownOf(found, person)
      if (own.length === 0) return say('notYours', { word: first.word, name: first.authorName })
      await words.drop(own.map(({ id }) => id))
      return say('forgotten', { word: first.word })
    },
  }
}
