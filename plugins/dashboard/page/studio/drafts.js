/** Changes that are not saved yet, by the keys that lead to their values. */
import { spaced } from '../parts/option-field.js'

/**
 * @typedef {import('../../studio/views.ts').SettableView} Settable
 * @typedef {{ path: readonly string[], value?: unknown }} Draft without `value`: the value of bot.config.ts applies again
 * @typedef {ReadonlyMap<string, Draft>} Drafts
 * @typedef {(path: readonly string[], draft: Draft | undefined) => void} Redraft `undefined`: no change
 */

/** Longest name of a place, and longest value, in one line. */
const [PLACE, VALUE] = [40, 200]

/** @param {readonly string[]} path */
export function keyOf(path) {
  return JSON.stringify(path)
}

/** @param {Drafts} drafts @param {readonly string[]} path @param {Draft | undefined} draft @returns {Drafts} */
export function withDraft(drafts, path, draft) {
  const next = new Map(drafts)
  next.delete(keyOf(path))
  if (draft) next.set(keyOf(path), draft)
  return next
}

/** The keys for people: `judge-rules.threshold`, `persona.name`, `judge-rules.threshold (dev)`. @param {readonly string[]} path */
export function labelOf(path) {
  const [section, plugin = '', kind, ...rest] = path
  if (section !== 'plugins') return path.join('.')
  if (kind === 'options') return [plugin, ...rest].join('.')
  if (kind === 'enabled' || kind === 'prompts') return [plugin, kind, ...rest].join('.')
  const [place = '', ...option] = rest
  return `${[plugin, ...option].join('.')} (${cut(place, PLACE)})`
}

/** A value of the file in one line. @param {unknown} value */
export function written(value) {
  if (value === undefined) return '–'
  const text = typeof value === 'string' ? value : spaced(value)
  return cut(text, VALUE)
}

/** @param {string} text @param {number} most */
function cut(text, most) {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text
}
