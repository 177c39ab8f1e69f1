/** The voice channels in which the bot is, one in each server. */
import { randomUUID } from 'node:crypto'
import type { DiscordVoice, VoiceRoom } from '@kikimimi/discord'
import { type Conversation, type PluginContext, RecentMap } from 'kikimimi'
import { type Call, openCall } from './call.ts'
import type { ConsentChange, Consents } from './consents.ts'

/** Largest number of people who have said no, and of spoken messages, that are remembered. */
const REMEMBERED = 1_000

export interface CallsOptions {
  readonly ctx: Pick<PluginContext, 'bot' | 'log' | 'models' | 'scope' | 'send'>
  readonly voice: DiscordVoice
  /** Names or ids of the channels that the bot joins by itself. */
  readonly channels: readonly string[]
  consents(): Consents
}

export interface Calls {
  /** Whether the bot is in the voice channel of this chat. */
  isIn(conversation: Omit<Conversation, 'id'>): boolean
  /** Whether a message was said aloud. */
  isSpoken(message: string): boolean
  /**
   * Joins a voice channel with a person who allows the bot to listen. Resolves with
   * whether it is there. Rejects without a connection.
   */
  join(room: VoiceRoom): Promise<boolean>
  /** Resolves with whether the bot was in a voice channel. */
  leave(server: string): Promise<boolean>
  /** A person has changed a consent. */
  changed(change: ConsentChange): void
}

export function createCalls({ ctx, voice, channels, consents }: CallsOptions): Calls {
  const { log, models } = ctx
  const group = randomUUID()
  const stopping = new AbortController()
  /** By server. */
  const open = new Map<string, Call>()
  const working = new Map<string, Promise<unknown>>()
  /** The channels out of which people have sent the bot, by server, until they are empty. */
  const left = new Map<string, string>()
  const refused = new RecentMap<true>(REMEMBERED)
  const spoken = new RecentMap<true>(REMEMBERED)

  /** Runs after what is going on in the server. */
  function inOrder<T>(server: string, run: () => Promise<T>): Promise<T> {
    const before = working.get(server) ?? Promise.resolve()
    const now = before.then(run, run)
    working.set(server, now)
    const done = () => {
      if (working.get(server) === now) working.delete(server)
    }
    now.then(done, done)
    return now
  }

  const mayHear = (server: string) => (person: string) => !refused.has(`${server}/${person}`)

  async function heardIn(server: string, { people }: VoiceRoom) {
    const given = await consents().of(server)
    return people.filter(({ id }) => given.has(id) && mayHear(server)(id))
  }

  function end(server: string): void {
    const call = open.get(server)
    open.delete(server)
    call?.end()
  }

  /** Resolves with false when it left at once, because nobody allows it to listen, or it may not post. */
  async function enter({ conversation }: VoiceRoom): Promise<boolean> {
    const { workspace: server } = conversation
    end(server)
    const call: Call = await openCall({
      ...{ ctx, voice, group, room: conversation, signal: stopping.signal },
      heard: message => void spoken.set(message, true),
      ended() {
        if (open.get(server) === call) open.delete(server)
      },
    })
    open.set(server, call)
    await review(server)
    return open.has(server)
  }

  /** Listens to those who allow it and are there. Leaves when there are none. */
  async function review(server: string): Promise<void> {
    const call = open.get(server)
    if (!call) return
    const room = voice.roomOf(server)
    const people = room?.conversation.channel === call.channel ? await heardIn(server, room) : []
    if (people.length === 0) return end(server)
    try {
      await call.listenTo(people, mayHear(server))
    } catch (error) {
      // People must know who is listened to.
      log.warn(`left a voice channel, because it could not be announced: ${sentence(error)}`)
      end(server)
    }
  }

  async function consider(server: string): Promise<void> {
    await review(server)
    const rooms = voice.rooms(server)
    const away = left.get(server)
    if (!rooms.some(({ conversation, people }) => conversation.channel === away && people.length > 0)) left.delete(server)
    if (open.has(server) || !models.transcribes) return
    for (const room of rooms) {
      const { channel, name } = room.conversation
      const isNamed = channels.some(one => one === channel || one === name)
      if (!isNamed || channel === left.get(server) || room.lacks.length > 0) continue
      if ((await heardIn(server, room)).length === 0) continue
      await enter(room)
      return
    }
  }

  /** Costs a statement, so only where the bot is, or joins by itself. */
  function look(server: string): void {
    if (channels.length === 0 && !open.has(server) && !working.has(server)) return
    if (stopping.signal.aborted) return
    inOrder(server, () => consider(server)).catch((error: unknown) => {
      if (!stopping.signal.aborted) log.warn(`could not join a voice channel: ${sentence(error)}`)
    })
  }

  ctx.scope.use(
    voice.listen({
      moved: look,
      posted({ workspace, channel }, text) {
        const call = open.get(workspace)
        if (call?.channel === channel) call.say(text)
      },
    }),
  )
  ctx.scope.defer(async () => {
    stopping.abort()
    for (const server of [...open.keys()]) end(server)
    await Promise.allSettled(working.values())
    for (const server of [...open.keys()]) end(server)
  })

  return {
    isIn: ({ workspace, channel, thread }) => thread === undefined && open.get(workspace)?.channel === channel,
    isSpoken: message => spoken.has(message),

    join(room) {
      const { workspace: server } = room.conversation
      left.delete(server)
      return inOrder(server, () => enter(room))
    },

    leave: server =>
      inOrder(server, async () => {
        const call = open.get(server)
        if (call) left.set(server, call.channel)
        end(server)
        return call !== undefined
      }),

    changed({ workspace, person, given }) {
      const key = `${workspace}/${person}`
      if (given) refused.delete(key)
      else {
        refused.set(key, true)
        open.get(workspace)?.drop(person)
      }
      look(workspace)
    },
  }
}

function sentence(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
