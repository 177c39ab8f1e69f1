/** Formats times, names and numbers. */
import { language, say } from './words.js'

/** A time of today, or a date and a time. @param {string} at */
export function timeOf(at, now = Date.now()) {
  const date = new Date(at)
  /** @type {Intl.DateTimeFormatOptions} */
  const parts = { hour: 'numeric', minute: '2-digit' }
  if (date.toDateString() !== new Date(now).toDateString()) Object.assign(parts, { month: 'short', day: 'numeric' })
  return new Intl.DateTimeFormat(language(), parts).format(date)
}

/** @param {string} at */
export function fullTime(at) {
  return new Intl.DateTimeFormat(language(), { dateStyle: 'medium', timeStyle: 'medium' }).format(new Date(at))
}

/** @param {number} number @param {Intl.NumberFormatOptions} [how] */
export function numberOf(number, how) {
  return new Intl.NumberFormat(language(), how).format(number)
}

/** @param {number} ms */
export function durationOf(ms) {
  if (ms >= 1_000) return `${numberOf(ms / 1_000, { maximumFractionDigits: 1 })} s`
  return `${numberOf(ms, ms < 10 ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: 0 })} ms`
}

/** Letters, figures and signs, without the letters that have no ink. */
const VISIBLE = /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}]/u
/** Marks that give a direction to all text up to their end. */
const EMBEDDING = /[\u202a-\u202e\u2066-\u2069]/gu
const RIGHT_TO_LEFT = /[\p{Bidi_Control}\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/** A name that can be seen: some have only spaces, joiners or marks of direction. @param {string} name */
export function bareName(name) {
  const bare = name.replace(EMBEDDING, '')
  return VISIBLE.test(bare) ? bare : say('nameless')
}

/** A name that can be seen, and leaves the text around it in its order, in attributes too. @param {string} name */
export function shownName(name) {
  const bare = bareName(name)
  return RIGHT_TO_LEFT.test(bare) ? `\u2068${bare}\u2069` : bare
}

/** The first letter of a name. @param {string} name */
export function initial(name) {
  const [first] = new Intl.Segmenter().segment(bareName(name))
  return first?.segment.toUpperCase() ?? '?'
}

/** @param {import('../../history/views.ts').Place} place */
export function placeName({ name, visibility }) {
  return `${visibility === 'direct' ? '@' : '#'}${shownName(name)}`
}

/** An amount in the currency of the prices in bot.config.ts, such as `2.00`. @param {number} amount */
export function moneyOf(amount) {
  const isSmall = amount !== 0 && Math.abs(amount) < 0.01
  return numberOf(amount, { minimumFractionDigits: 2, maximumFractionDigits: isSmall ? 4 : 2 })
}
