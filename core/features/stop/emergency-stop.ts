/**
 * STOP: the bot says nothing at all in a workspace, whatever was decided, delayed or is on its way. It holds at once and from
 * memory, with the database down, models that hang and plugins that throw; it is written down when the database can take it.
 */

import { type Conversation, channelOf, type IncomingMessage, type Person, type Setting } from '../../api/index.ts'
import type { Clock } from '../../base/clock.ts'
import { KikimimiError } from '../../base/errors.ts'
import type { SettingTable } from '../options/table.ts'
import { spokenOrder } from './stop-command.ts'

export interface EmergencyStop {
  /** Who has stopped it there, and when; nothing when nobody has. */
  of(conversation: Conversation): (Pick<Setting, 'by' | 'at'> & { readonly isWritten: boolean }) | undefined
  /** In the workspace; in a direct conversation there alone. */
  stop(conversation: Conversation, by: Person): void
  /** Whether it may speak there now: in a direct conversation nobody ends what holds for the workspace. */
  start(conversation: Conversation): boolean
  /** Whether it is STOP or START, whoever says it. */
  isOrder(message: IncomingMessage, me: Person): boolean
  /** An admin says something: is it STOP, or START? */
  heed(conversation: Conversation, message: IncomingMessage, me: Person): void
  /** `signal` aborts when the bot is stopped there, and is aborted when it has been. Disposed when nobody looks at it any more. */
  watch(conversation: Conversation): Disposable & { readonly signal: AbortSignal }
  /** Looks at what other processes have been told. */
  refresh(): Promise<void>
}

/** In the place of a plugin's name and option. */
const PLUGIN = 'kikimimi'
const KEY = 'stopped'

const HEEDED = 1_000

export interface HaltOptions {
  readonly table: SettingTable
  readonly clock: Clock
  /** What people call the bot. */
  names(): readonly string[]
}

export function createEmergencyStop({ table, clock, names }: HaltOptions): EmergencyStop {
  const watchers = new Set<{ readonly conversation: Conversation; readonly controller: AbortController }>()

  function of(conversation: Conversation) {
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
    table.insist({ place: placeOf(conversation), plugin: PLUGIN, key: KEY, value: true, by: { id, name }, at })
  }

  function start(conversation: Conversation): boolean {
    table.insist({ place: placeOf(conversation), plugin: PLUGIN, key: KEY, at: new Date(clock.now()) })
    return of(conversation) === undefined
  }

  /** Messages that have been heeded, by channel and id: what is told twice is one order. */
  const heeded = new Set<string>()

  return {
    of,
    stop,
    start,

    isOrder: (message, me) => spokenOrder(message, me, names()) !== undefined,

    heed(conversation, message, me) {
      // Who repeats what it is told to say gives no orders.
      if (message.author.bot || message.author.id === me.id) return
      const order = spokenOrder(message, me, names())
      const id = `${channelOf(conversation)}/${message.id}`
      if (order === undefined || heeded.has(id)) return
      heeded.add(id)
      if (heeded.size > HEEDED) heeded.delete(heeded.values().next().value ?? '')
      if (order === 'stop') stop(conversation, message.author)
      if (order === 'start') start(conversation)
    },

    watch(conversation) {
      const watcher = { conversation, controller: new AbortController() }
      if (of(conversation)) watcher.controller.abort(halted())
      else watchers.add(watcher)
      return { signal: watcher.controller.signal, [Symbol.dispose]: () => void watchers.delete(watcher) }
    },

    refresh: () => table.refresh(),
  }
}

/** Why it says nothing, for the trace and for who wanted to send. */
export function halted(): KikimimiError {
  return new KikimimiError('HALTED', 'was told to stop')
}

/** What a stop there holds for. Of those who are alone with the bot none can stop it for others. */
function placeOf(conversation: Conversation): string {
  return conversation.visibility === 'direct' ? channelOf(conversation) : workspaceOf(conversation)
}

/** The stops that hold there. */
function placesOf(conversation: Conversation): string[] {
  return [...new Set([workspaceOf(conversation), placeOf(conversation)])]
}

/** `platform/workspace`, as conversation ids begin. */
function workspaceOf({ platform, workspace }: Conversation): string {
  return `${encodeURIComponent(platform)}/${encodeURIComponent(workspace)}`
}
