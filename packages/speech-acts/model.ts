/** A linear model with several classes (multinomial logistic regression) over hashed features. */
import { gunzipSync } from 'node:zlib'
import { BUCKETS, type Features } from './features.ts'

export interface Model<Class extends string> {
  readonly classes: readonly Class[]
  readonly scale: number
  /** Signed bytes, by feature and class; the last row is the constant. The number of the other rows divides {@link BUCKETS}. */
  readonly weights: Int8Array
}

/** Hashed features with their values. */
export type Counted = readonly (readonly [feature: number, value: number])[]

/** The value of each feature of a message. */
export function valuesOf({ words, shape }: Features): Counted {
  return [...weighed(words, 1), ...weighed(shape, 1.5)]
}

export function weighed(features: readonly string[], whole: number): Counted {
  const value = whole / Math.sqrt(Math.max(1, features.length))
  return features.map(feature => [numberOf(feature), value] as const)
}

/** Probabilities in the order of the classes. */
export function probabilities({ classes, scale, weights }: Model<string>, counted: Counted): number[] {
  const count = classes.length
  const buckets = weights.length / count - 1
  const sums = Array.from({ length: count }, (_, at) => weights[buckets * count + at] ?? 0)
  for (const [feature, value] of counted) {
    const row = (feature % buckets) * count
    for (let at = 0; at < count; at++) sums[at] = (sums[at] ?? 0) + value * (weights[row + at] ?? 0)
  }
  return softmax(sums.map(sum => sum * scale))
}

export function softmax(sums: readonly number[]): number[] {
  const largest = Math.max(...sums)
  const parts = sums.map(sum => Math.exp(sum - largest))
  const total = parts.reduce((sum, part) => sum + part, 0)
  return parts.map(part => part / total)
}

/** Size of a set of strings in bits. */
export const SET_BITS = 2 ** 18

/** The bit of a string in a set. */
export function bitOf(text: string): number {
  return hash(text) % SET_BITS
}

/** A set of strings with one bit each. About one in twenty strings that are not in the set is found too. */
export function readSet(bytes: Uint8Array): (text: string) => boolean {
  return text => {
    const bit = bitOf(text)
    return ((bytes[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0
  }
}

/** Reads weights that are written as their scale on one line, and then compressed and in base64. */
export function readModel<Class extends string>(classes: readonly Class[], written: string): Model<Class> {
  const [scale = '', ...lines] = written.split('\n')
  return { classes, scale: Number(scale), weights: new Int8Array(unpacked(lines.join('')).buffer) }
}

export function unpacked(text: string): Uint8Array {
  return gunzipSync(Buffer.from(text, 'base64'))
}

export function numberOf(feature: string): number {
  return hash(feature) % BUCKETS
}

/** FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv/ */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  return (value ^ (value >>> 15)) >>> 0
}
