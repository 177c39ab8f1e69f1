/** Examples for the training: sentences of the grammars, written as people write in chats. */

import { ACTS, type Act, NAME_USES, type NameUse } from '../../../packages/speech-acts/index.ts'
import { readGrammar } from '../../base/grammar.ts'
import { rough } from './rough.ts'

export interface Example {
  readonly language: string
  /** Wordings that are left out together. */
  readonly family: string
  readonly text: string
  readonly before?: { readonly text: string; readonly by: 'bot' | 'same' | 'other' }
  readonly act: Act
  readonly name: NameUse
  /** The sentence does not say how it uses a name. */
  readonly isNameUnknown?: boolean
}

/** Sentences that are tried for each family: twelve for each alternative, within these limits. Equal ones are one example. */
const FEWEST = 130
const MOST = 4_000
/** Of each family of statements in the grammar of orders. */
const STATEMENTS = 40
/** Share of the sentences that are also written as in a chat. */
const ROUGH = 0.6

export async function examplesOf(language: string, random: () => number): Promise<readonly Example[]> {
  const grammar = await readGrammar(new URL(`./${language}.txt`, import.meta.url))
  const draw = (template: string) => grammar.sentence({ name: '', label: '', templates: [template] }, random)
  const found = new Map<string, Example>()

  for (const family of grammar.families) {
    const sentences = new Set<string>()
    const alternatives = family.templates.join('|').split('|').length
    const tried = Math.min(MOST, Math.max(FEWEST, Math.round(12 * alternatives)))
    for (let at = 0; at < tried; at++) sentences.add(grammar.sentence(family, random))
    for (const sentence of sentences) {
      add(written(family.label, family.name, sentence, true))
      if (random() < ROUGH) add(written(family.label, family.name, sentence, false))
    }
  }
  for (const example of await statements()) add(example)
  return [...found.values()]

  function add(example: Example): void {
    if (/[\p{L}\p{N}\p{S}\p{P}]/u.test(example.text))
      found.set(`${example.text}\n${example.before?.by}\n${example.before?.text}`, example)
  }

  function written(label: string, name: string, sentence: string, isClean: boolean): Example {
    const [said = '', context] = sentence.split(' <- ')
    const act = ACTS.find(one => one === label) ?? 'none'
    const use = NAME_USES.find(one => one === label) ?? 'none'
    const named = use === 'none' ? withName(act, said) : { text: said, name: use }
    const text = isClean ? named.text : rough(named.text, language, random)
    // A nod takes note without a line before it too.
    const before = context === undefined ? anyBefore(act) : act === 'nod' && random() < 0.3 ? undefined : beforeOf(context)
    return { language, family: `${language} ${label} ${name}`, act, ...named, text, ...(before && { before }) }
  }

  /** An act may call the bot or another person. */
  function withName(act: Act, text: string): { readonly text: string; readonly name: NameUse } {
    if (/[⌂⍟]/u.test(text)) return { text, name: text.includes('⌂') && act !== 'none' && act !== 'answered' ? 'called' : 'none' }
    const chance = random()
    if (act === 'answered' || chance > 0.25) return { text, name: 'none' }
    const sign = chance < 0.19 ? '⌂' : '⍟'
    const ends = random() < 0.4
    const call = language === 'ja' ? draw(`${sign}[|さん|ちゃん|くん]`) : sign
    const joined =
      language === 'ja'
        ? ends
          ? `${text}${draw('[|、| ]')}${call}`
          : `${call}${draw('[、|、|！| |]')}${text}`
        : ends
          ? `${text}${draw('[ |, ]')}${call}`
          : `${call}${draw('[ |, ]')}${text}`
    return { text: joined, name: sign === '⌂' ? 'called' : 'another' }
  }

  /** Most acts mean the same after any line. */
  function anyBefore(act: Act): Example['before'] {
    const chance = random()
    if (chance < 0.4) return undefined
    if (act === 'nod') return beforeOf(draw('[other|bot|same|other]: {line}'))
    if (act === 'answered') return undefined
    if (act === 'retraction' && chance < 0.8) return beforeOf(draw('same: [{anyq}|{anyq}|{req}]'))
    if (act === 'thanks' && chance < 0.5) return beforeOf(draw('same: {anyq}'))
    if (chance < 0.6) return beforeOf(draw('other: {line}'))
    if (chance < 0.75) return beforeOf(draw('same: {line}'))
    if (chance < 0.9 || act === 'none') return beforeOf(draw('bot: {botline}'))
    return beforeOf(draw('other: {anyq}'))
  }

  function beforeOf(context: string): Example['before'] {
    const [, by = '', text = ''] = /^(bot|same|other): (.*)$/s.exec(context) ?? []
    if (by !== 'bot' && by !== 'same' && by !== 'other') throw new Error(`No line before: ${context}`)
    return { by, text }
  }

  /** Sentences of other topics do nothing of this. */
  async function statements(): Promise<readonly Example[]> {
    const orders = await readGrammar(new URL(`../orders/${language}.txt`, import.meta.url))
    return orders.families
      .filter(({ label }) => label === 'statement')
      .flatMap(family =>
        Array.from({ length: STATEMENTS }, () => {
          const before = anyBefore('none')
          return {
            ...{
              language,
              family: `${language} none ${family.name}`,
              text: orders.sentence(family, random),
              act: 'none' as const,
              name: 'none' as const,
            },
            ...{ isNameUnknown: true, ...(before && { before }) },
          }
        }),
      )
  }
}
