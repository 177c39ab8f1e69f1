/** Reads whom a reminder is for: "remind @carol on Friday to …". */

import type { Now } from '@kikimimi/times'
import type { Person } from 'kikimimi'
import { type Order, readOrder } from './orders.ts'

/** `asked`: the message with the words, if this one has only the time. */
export type OrderTo = Order & { readonly target?: Person; readonly asked?: string }

const POLITE = '(?:(?:please|pls|plz|can|could|would|will|you|u|kindly|also|and|hey|ok|okay)[\\s,]+){0,5}'

/** @param people who can be named in the text, without the bot */
export function readOrderTo(text: string, people: readonly Person[], now: Now): OrderTo | undefined {
  const said = text.toLowerCase()
  for (const { id, name } of people) {
    if (name.trim() === '' || !said.includes(name.trim().toLowerCase())) continue
    const named = `@?${RegExp.escape(name.trim())}`
    const english = new RegExp(`^(${POLITE}remind)\\s+${named}(?![\\p{L}\\p{N}_'’])`, 'iu')
    const japanese = new RegExp(`^${named}(?:さん|ちゃん|くん|君|様)?に(?:は)?[、,\\s]*(?!なっ|よる|つい)`, 'iu')
    for (const [pattern, instead] of [
      [english, '$1 me'],
      [japanese, ''],
    ] as const) {
      const order = pattern.test(text) ? readOrder(text.replace(pattern, instead), now) : undefined
      if (order?.kind === 'set') return { ...order, target: { id, name: name.trim() } }
    }
  }
  return readOrder(text, now)
}
