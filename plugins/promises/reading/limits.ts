/** Takes what limits a repeat out of its content: "… to water the plants until the end of may", 「…水やりを5月末まで」. */
import type { Limits, Said } from '@kikimimi/times'
import type { Found } from './content.ts'
import type { Reader } from './reader.ts'

type Part = Found['parts'][number]

/** The limits stand at the start of the content or at its end. Others belong to the content or not: the bot asks. */
export function limited(reader: Reader, found: Found): Found {
  let { isSure } = found
  const parts = found.parts.map((part): Part => {
    const { said, content } = part
    if (said.length === 0 || !said.every(isRepeated)) return part
    isSure &&= !reader.language.exception.test(content.text)
    const place = limitsIn(reader, content.text)
    if (!place) return part
    const { from, end, said: limits } = place
    const isWhole = isBlank(content.text.slice(0, from)) || isBlank(content.text.slice(end))
    const isKnown = said.some(one => overlaps(one, limits))
    isSure &&= isWhole && !isKnown && isClear(limits)
    if (!isWhole || isKnown) return part
    const rest = isBlank(content.text.slice(end)) ? content.slice(0, from) : content.slice(end)
    return { ...withLimits(part, limits), content: rest }
  })
  return { parts, isSure }
}

/** "Starting next week, remind me every weekday at 8 to …". Undefined: what the text asks for does not repeat, or is limited already. */
export function limitedBefore<F extends Found>(found: F, limits: Limits['said']): F | undefined {
  const isFree = found.parts.every(({ said }) => said.every(one => isRepeated(one) && !overlaps(one, limits)))
  return isFree ? { ...found, parts: found.parts.map(part => withLimits(part, limits)) } : undefined
}

const withLimits = (part: Part, limits: Limits['said']): Part => ({
  ...part,
  said: part.said.map(one => ({ ...one, ...limits })),
})

const isRepeated = ({ repeat, weekdays, nth }: Said) => repeat !== undefined || (weekdays !== undefined && nth === undefined)

/** Whether both say the same kind of thing. */
const overlaps = (one: Said, other: Said) => Object.keys(other).some(key => Object.hasOwn(one, key))

const isBlank = (text: string) => /^[\s.,!?。、！？]*$/u.test(text)

/** "To stay at home until friday" and "until 5pm" can be of the content. */
const isClear = ({ start, until }: Limits['said']) =>
  until?.weekday === undefined && until?.days === undefined && [start, until].every(day => day?.hour === undefined && !day?.part)

function limitsIn({ limits, isUnspaced }: Reader, text: string): (Limits & { readonly from: number }) | undefined {
  for (let from = 0; from < text.length; from++) {
    if (!isUnspaced && from > 0 && !/[\s,(]/u.test(text[from - 1] ?? '')) continue
    const found = limits(text, from)
    // 「来週からの旅行」
    if (found && !(isUnspaced && /^[のに]/u.test(text.slice(found.end)))) return { ...found, from }
  }
  return undefined
}
