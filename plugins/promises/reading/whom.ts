/** Whom a request names. */
import { LEFT_OUT, type OrderText, orderText } from '@kikimimi/orders'
import type { Person } from 'kikimimi'
import { without } from './content.ts'
import { matches, type Reader } from './reader.ts'

export interface Named {
  /** The people, each of whom gets a reminder. `undefined` among them: the person who asks. Absent: that person, or everybody. */
  readonly targets?: readonly (Person | undefined)[]
  /** The words for the recipient do not name people whom the bot knows. */
  readonly isUnknown?: boolean
  /** Characters of the names. */
  readonly length?: number
}

/** The people whom a text names at its start, one or a list: "bob, carol and me", 「健太くんとさくらさん」. */
function peopleAt(
  { language: { request }, isUnspaced }: Reader,
  text: string,
  people: readonly Person[],
): (Named & { readonly length: number }) | undefined {
  const ends = isUnspaced ? '' : "(?![\\p{L}\\p{N}_'])"
  const known: readonly (readonly [RegExp, Person | undefined])[] = [
    ...people
      .map(({ id, name }) => [orderText(name, []).text, { id, name: name.trim() }] as const)
      .filter(([name]) => name !== '')
      .toSorted(([one], [other]) => other.length - one.length)
      .map(([name, person]) => [new RegExp(`@?${RegExp.escape(name)}${ends}`, 'uy'), person] as const),
    [new RegExp(`(?:${request.self})${ends}`, 'uy'), undefined],
  ]
  const and = new RegExp(request.andPerson, 'uy')
  const targets: (Person | undefined)[] = []
  let length = 0
  let isEither = false
  for (let at = 0; ; at = matches(and, text, length)) {
    if (at === length && targets.length > 0) break
    const found = known.find(([pattern]) => matches(pattern, text, at) > at)
    if (!found) break
    targets.push(found[1])
    isEither ||= request.orPerson?.test(text.slice(length, at)) === true
    length = matches(found[0], text, at)
  }
  if (targets.every(one => one === undefined)) return undefined
  return isEither ? { isUnknown: true, length } : { targets, length }
}

/** Whom the words after "remind" name. Undefined: nobody, so that it is no request. */
export function named(
  reader: Reader,
  text: string | undefined,
  given: string | undefined,
  people: readonly Person[],
): Named | undefined {
  const { language } = reader
  const found = text === undefined ? undefined : peopleAt(reader, text, people)
  if (found) return found
  const name = given?.trim().replace(/^@/, '') ?? ''
  if (name === '' || language.everyone.test(name)) return {}
  if (!language.stopsName.test(name)) return { isUnknown: true }
  // "Remind tomorrow at 9"
  return text !== undefined && reader.phrase(text, 0) ? { length: 0 } : undefined
}

/** "Bob keeps forgetting, so remind him": the people whom the text before the request names last, for a word that stands for them. */
export function namedBefore(
  reader: Reader,
  before: string,
  given: string | undefined,
  people: readonly Person[],
  isClear: boolean,
): Named | undefined {
  if (given === undefined || !reader.language.request.pronoun?.test(given)) return undefined
  let last: Named | undefined
  let end = 0
  for (const { index } of before.matchAll(new RegExp(`(?<![\\p{L}\\p{N}_])@?(?:${namesOf(people)})`, 'gu'))) {
    const found = index < end ? undefined : peopleAt(reader, before.slice(index), people)
    end = found ? index + found.length : end
    if (found) last = { ...(found.targets && { targets: found.targets }), ...(found.isUnknown && { isUnknown: true }) }
  }
  return last ?? (isClear && !reader.language.everyone.test(given) ? { isUnknown: true } : undefined)
}

/**
 * 「山田さんに…」: the people at the beginning of the text. After a time, 「9時に山田さんに電話」, the person belongs to the content, unless the
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
  const { toPerson = '(?!)', saysItself, tellsPerson, takesPerson, self, calls } = reader.language.request
  const { text } = said
  const isCall = calls?.asks.test(request) === true
  const tells = isCall || tellsPerson.test(`${text}\n${request}`)
  const to = new RegExp(`(?:${toPerson}${isCall ? `|${calls.object}` : ''})[、,\\s]*`, 'uy')
  for (const { index } of text.matchAll(new RegExp(`@?(?:${namesOf(people)}|${self})`, 'gu'))) {
    const found = peopleAt(reader, text.slice(index), people)
    const end = found && index + found.length
    const start = end === undefined ? undefined : matches(to, text, end)
    if (!found || end === undefined || start === undefined || start === end) continue
    const before = text.slice(0, index)
    // 「9時にボブへ「会議」と…」
    // 「さくらへおめでとうって送るのを教えて」 is of what the person does.
    const isOther = saysItself.test(text.slice(start))
    const saysTo = text.slice(start).startsWith(LEFT_OUT)
    const isFirst = before.trim() === ''
    // 「bobに10時に電話してって健太に伝えて」
    const isTwo = new RegExp(`(?:${namesOf(people)})(?:${toPerson})\\s*$`, 'u').test(text.slice(start))
    if (!isOther && isTwo) return { rest: said, whom: { isUnknown: true } }
    if (!isOther && (isFirst || ((tells || saysTo) && /[\s、,にてとら]$/u.test(before))))
      return { rest: without(said, index, start), whom: found.targets ? { targets: found.targets } : { isUnknown: true } }
    // 「17時に健太に犬舎の掃除ってリマインドして」
    if (!isOther && takesPerson?.test(text) === false && /[にで、,\s]$/u.test(before))
      return { rest: said, whom: { isUnknown: true } }
  }
  const unknown = new RegExp(`@(?!(?:${namesOf(people)})(?:${toPerson}))[^\\s@、,]{1,40}?(?:${toPerson})`, 'u')
  const isOther = unknown.test(text) || (isCall && calls.other.test(text))
  return { rest: said, whom: isOther ? { isUnknown: true } : {} }
}

/** Whether a content begins with a person or a place and no verb follows that takes it: 「斎藤に犬舎の掃除」 can be for 斎藤. */
export function isForSomebody({ language: { request } }: Reader, content: string): boolean {
  const { forSomebody, takesPerson } = request
  return forSomebody?.test(content) === true && takesPerson?.test(content) === false
}

/** A pattern of the names. */
function namesOf(people: readonly Person[]): string {
  const names = people.map(({ name }) => orderText(name, []).text).filter(name => name !== '')
  return names.map(RegExp.escape).join('|') || '(?!)'
}
