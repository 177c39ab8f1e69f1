/** Formats times, names and numbers. */
import { language, say } from './words.js'

const DAY = 24 * 60 * 60_000

/** A time of today, or a date and a time, also of the future. @param {string} at */
export function timeOf(at, now = Date.now()) {
  const date = new Date(at)
  /** @type {Intl.DateTimeFormatOptions} */
  const parts = { hour: 'numeric', minute: '2-digit' }
  if (Math.abs(now - date.getTime()) > DAY / 2) Object.assign(parts, { month: 'short', day: 'numeric' })
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

/** A name that can be seen: some have only spaces, joiners or marks of direction. @param {string} name */
export function shownName(name) {
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(name) ? name : say('nameless')
}

/** The first letter of a name. @param {string} name */
export function initial(name) {
  const [first] = new Intl.Segmenter().segment(shownName(name))
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
