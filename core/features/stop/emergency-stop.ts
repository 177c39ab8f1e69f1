/**
 * STOP: the bot posts nothing in a workspace, including delayed answers and answers that are being sent. It works at once
 * and from memory, with an unavailable database, hanging models and failing plugins. The database stores it when possible.
 */

import { type Conversation, channelOf, type Person, type Setting } from '../../api/index.ts'
import type { Clock } from '../../base/clock.ts'
import { KikimimiError } from '../../base/errors.ts'
import { RecentMap } from '../../base/recent-map.ts'
import type { SpeakingGuard } from '../../kernel/turns/turn-settings.ts'
import { workspaceOf } from '../options/places.ts'
import type { SettingTable } from '../options/table.ts'
import { stopCommandIn } from './stop-command.ts'

export interface EmergencyStop extends SpeakingGuard {
  /** Who stopped the bot there, and when; nothing when it is not stopped. */
  of(conversation: Conversation): (Pick<Setting, 'by' | 'at'> & { readonly isWritten: boolean }) | undefined
  /** Stops the whole workspace; in a direct conversation, only that conversation. */
  stop(conversation: Conversation, by: Person): void
  /**
   * Ends the stop. Returns whether the bot may speak there now: a direct conversation cannot end the stop of the workspace.
   */
  start(conversation: Conversation): boolean
}

/** The plugin and the option under which the setting is stored. */
const PLUGIN = 'kikimimi'
const KEY = 'stopped'

const HANDLED = 1_000

export interface EmergencyStopOptions {
  readonly table: SettingTable
  readonly clock: Clock
  /** The names that people use for the bot in a conversation. */
  names(conversation: Conversation): readonly string[]
}

export function createEmergencyStop({ table, clock, names }: EmergencyStopOptions): EmergencyStop {
  const watchers = new Set<{ readonly conversation: Conversation; readonly controller: AbortController }>()

  function of(conversation: Conversation) {
    if (table.isEmpty) return undefined
    const found = placesOf(conversation).flatMap(place => table.in(place, PLUGIN))
    const [stop] = found.filter(({ key, value }) => key === KEY && value === true)
    return stop && { by: stop.by, at: stop.at, isWritten: !table.isUnwritten(stop.place) }
  }

  table.onChange(() => {
    for (const watcher of watchers) {
      if (!of(watcher.conversation)) continue
      watchers.delete(watcher)
      watcher.controller.abort(halted())
    }
  })

  function stop(conversation: Conversation, { id, name }: Person): void {
    const at = new Date(clock.now())
    table.setDurably({ place: placeOf(conversation), plugin: PLUGIN, key: KEY, value: true, by: { id, name }, at })
  }

  function start(conversation: Conversation): boolean {
    table.setDurably({ place: placeOf(conversation), plugin: PLUGIN, key: KEY, at: new Date(clock.now()) })
    return of(conversation) === undefined
  }

  /** Handled messages, by channel and id: a message that is delivered twice is one command. */
  const handled = new RecentMap<true>(HANDLED)

  return {
    of,
    stop,
    start,

    isCommand: (conversation, message, me) => stopCommandIn(message, me, names(conversation)) !== undefined,

    observe(conversation, message, me) {
      // A bot can repeat the words of a person, so its messages are not commands.
      if (message.author.bot || message.author.id === me.id) return
      const command = stopCommandIn(message, me, names(conversation))
      const id = `${channelOf(conversation)}/${message.id}`
      if (command === undefined || handled.has(id)) return
      handled.set(id, true)
      if (command === 'stop') stop(conversation, message.author)
      if (command === 'start') start(conversation)
    },

    watch(conversation) {
      const watcher = { conversation, controller: new AbortController() }
      if (of(conversation)) watcher.controller.abort(halted())
      else watchers.add(watcher)
      return { signal: watcher.controller.signal, [Symbol.dispose]: () => void watchers.delete(watcher) }
    },

    refresh: table.refresh,
  }
}

/** Why the bot posts nothing, for the trace and for the caller of `send`. */
export function halted(): KikimimiError {
  return new KikimimiError('HALTED', 'was told to stop')
}

/** The place that a stop covers. A person in a direct conversation cannot stop the bot for others. */
function placeOf(conversation: Conversation): string {
  return conversation.visibility === 'direct' ? channelOf(conversation) : workspaceOf(conversation)
}

/** The places whose stops cover a conversation. */
function placesOf(conversation: Conversation): string[] {
  return [...new Set([workspaceOf(conversation), placeOf(conversation)])]
}
