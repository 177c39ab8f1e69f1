/**
 * What the last visit knew of the bot and of its own account: the next one is drawn with it while the server answers. It has no
 * message and no name of a person.
 */
import { choose, setting } from '../base/settings.js'

const NAME = 'lastVisit'

/**
 * @typedef {import('../main.js').Session} Session
 * @typedef {import('../main.js').Facts} Facts
 * @typedef {import('../main.js').Overview['bot']} Bot
 * @typedef {{ session: Session, facts: Facts, bot: Bot, room: string }} LastVisit `room`: the open room of the playground
 */

/** @returns {Partial<LastVisit>} empty after a logout, and without a visit */
export function lastVisit() {
  try {
    return JSON.parse(setting(NAME, '{}'))
  } catch {
    return {}
  }
}

/** @param {Partial<LastVisit>} known */
export function keepVisit(known) {
  choose(NAME, JSON.stringify({ ...lastVisit(), ...known }))
}

export function forgetVisit() {
  choose(NAME, '{}')
}
