import { type Order, readOrder } from '../orders.ts'
import { decided } from './decide.ts'
import { readFree } from './model.ts'

/** The order that is read from a person who has opted out: to be heard again, or to be forgotten. */
export function fromOptedOut(text: string, names: readonly string[]): Order | undefined {
  const order = readOrder(text, names)
  if (order !== undefined && !order.isUnsure) return order.kind === 'opt-in' || order.kind === 'forget-me' ? order : undefined
  const { kind, isSure } = decided(readFree(text, names), true)
  return isSure && (kind === 'opt-in' || kind === 'forget-me') ? { kind } : undefined
}
