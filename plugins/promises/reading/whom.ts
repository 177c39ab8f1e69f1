/** Whom a request names. */
import { LEFT_OUT, type OrderText, orderText } from '@kikimimi/orders'
import type { Person } from 'kikimimi'
import { without } from './content.ts'
import type { Reader } from './reader.ts'

export interface Named {
  readonly target?: Person
  /** The words for the recipient do not name exactly one person whom the bot knows. */
  readonly isUnknown?: boolean
  /** Characters of the name. */
  readonly length?: number
}

/** Whom the words after "remind" name. Undefined: nobody, so that it is no request. */
export function named(
  { language }: Reader,
  text: string | undefined,
  given: string | undefined,
  people: readonly Person[],
): Named | undefined {
  for (const { id, name } of people) {
    const folded = orderText(name, []).text
    const length =
      folded === '' ? undefined : new RegExp(`^@?${RegExp.escape(folded)}(?![\\p{L}\\p{N}_'])`, 'u').exec(text ?? '')?.[0].length
    if (length === undefined) continue
    const others = [namesOf(people, folded), language.request.self, 'us'].join('|')
    const isMany = new RegExp(`^${language.request.andPerson}@?(?:${others})(?![\\p{L}\\p{N}_'])`, 'u')
    return isMany.test((text ?? '').slice(length)) ? { isUnknown: true, length } : { target: { id, name: name.trim() }, length }
  }
  const name = given?.trim().replace(/^@/, '') ?? ''
  if (name === '' || language.everyone.test(name)) return {}
  return language.stopsName.test(name) ? undefined : { isUnknown: true }
}

/**
 * 「山田さんに…」: the person at the beginning of the text. After a time, 「9時に山田さんに電話」, the person belongs to the content, unless the
 * text asks to tell: 「9時に山田さんに電話するように伝えて」.
 *
 * @param request the words that ask
 */
export function withoutTarget(
  reader: Reader,
  said: OrderText,
  request: string,
  people: readonly Person[],
): { readonly rest: OrderText; readonly whom: Named } {
  const { toPerson, andPerson, self, tellsPerson } = reader.language.request
  const tells = tellsPerson.test(`${said.text}\n${request}`)
  for (const { id, name } of people) {
    const folded = orderText(name, []).text
    const at = folded === '' ? -1 : said.text.indexOf(folded)
    if (at < 0) continue
    const match = new RegExp(`^@?${RegExp.escape(folded)}(?:${toPerson})[、,\\s]*`, 'u').exec(
      said.text.slice(said.text[at - 1] === '@' ? at - 1 : at),
    )
    const isFirst = /^[\s@]*$/u.test(said.text.slice(0, at))
    const from = said.text[at - 1] === '@' ? at - 1 : at
    const isMany = new RegExp(`(?:${namesOf(people, folded)}|${self})${andPerson}$`, 'u')
    if (match && isMany.test(said.text.slice(0, from))) return { rest: said, whom: { isUnknown: true } }
    // 「9時にボブへ「会議」と…」
    // 「さくらへおめでとうって送るのを教えて」 is of what the person does.
    const isOther = match && reader.language.request.saysItself.test(said.text.slice(from + match[0].length))
    const saysTo = match && said.text.slice(from + match[0].length).startsWith(LEFT_OUT)
    if (match && !isOther && (isFirst || ((tells || saysTo) && /[\s、,にてとら]$/u.test(said.text.slice(0, from)))))
      return { rest: without(said, from, from + match[0].length), whom: { target: { id, name: name.trim() } } }
  }
  const unknown = new RegExp(`@(?!(?:${namesOf(people)})(?:${toPerson}))[^\\s@、,]{1,40}?(?:${toPerson})`, 'u')
  return { rest: said, whom: unknown.test(said.text) ? { isUnknown: true } : {} }
}

/** A pattern of the names, without one of them. */
function namesOf(people: readonly Person[], except?: string): string {
  const names = people.map(({ name }) => orderText(name, []).text).filter(name => name !== '' && name !== except)
  return names.map(RegExp.escape).join('|') || '(?!)'
}
