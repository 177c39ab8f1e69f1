/** One channel of a chat in which people act, with the same verbs on each platform, and what the model and people saw. */
import { setTimeout as pause } from 'node:timers/promises'
import type { PluginEntry } from 'kikimimi'
import type { Duration } from 'kikimimi/host'
import type { ChatModel, GenerateRequest } from 'kikimimi/model'
import { promptOf } from 'kikimimi/testing'

export type PlatformName = 'discord' | 'slack'

/** A card of an app: an embed on Discord, an attachment on Slack. */
export interface Card {
  readonly title: string
  readonly text: string
  readonly author?: string
  readonly url?: string
  readonly fields?: Readonly<Record<string, string>>
}

export interface SharedFile {
  readonly name: string
  readonly type: string
  readonly data: Uint8Array
}

export interface How {
  /** The thread. Default: the channel itself. */
  readonly in?: string
  /** The message that it answers: a reply on Discord, a message in the thread under it on Slack. */
  readonly to?: string
  /** The bot gets no event, as for messages from before its invitation. */
  readonly unheard?: boolean
  readonly card?: Card
  readonly files?: readonly SharedFile[]
  /** The author is an app. */
  readonly app?: boolean
}

/** How the platform answers when the bot reads messages. */
export type Trouble = 'limited' | 'silent' | 'forbidden'

/** What a platform does for a place. */
export interface Verbs {
  readonly platform: PlatformName
  /** `@kiki` at the beginning mentions the bot. Resolves with the id of the message. */
  say(author: string, text: string, how?: How): Promise<string>
  /** Opens a thread under a message. */
  thread(under: string, name: string): Promise<string>
  edit(message: string, text: string, where?: How): Promise<void>
  remove(message: string): Promise<void>
  /** The preview of a link appears. */
  unfurl(message: string, card: Card): Promise<void>
  /** Forwards a message of this place from another channel. */
  forward(author: string, text: string): Promise<void>
  pin(author: string, message: string): Promise<void>
  trouble(kind: Trouble): void
  /** What the bot has posted, oldest first. */
  readonly posted: readonly { readonly id: string; readonly text: string; readonly in?: string }[]
  /** Calls of the platform that read messages of this place. */
  readonly readings: number
}

export interface DiscordVerbs extends Verbs {
  readonly platform: 'discord'
  /** A post in a forum channel, with its starter message. Returns its thread. */
  forumPost(author: string, post: { title: string; text: string; tags?: readonly string[]; unheard?: boolean }): string
  /** A thread without a message in the channel. */
  bareThread(name: string): string
  /** Two messages that answer each other, from before the invitation. Returns the first. */
  circle(author: string, text: string): string
  poll(author: string, question: string, answers: readonly string[]): string
  sticker(author: string, name: string): void
}

export interface SlackVerbs extends Verbs {
  readonly platform: 'slack'
}

export type Place = (DiscordVerbs | SlackVerbs) & Watched

export interface Watched {
  /** What the model got in this place, oldest first. */
  readonly requests: readonly Seen[]
  /** Resolves when the model has got so many requests. */
  asked(count: number): Promise<void>
  /** Resolves when the bot has posted so many texts. */
  answered(count: number): Promise<void>
  /** The model answers nothing in this place until the returned function is called. */
  hold(): () => void
  /** Everything that people have said. */
  readonly said: readonly string[]
  /** The thread of the last message. */
  readonly last: string | undefined
}

/** A request to the model. */
export interface Seen {
  readonly system: string
  readonly user: string
  readonly images: number
  readonly audio: number
}

export interface PlaceOptions {
  readonly topic?: string
  /** The bot lacks the permission to read the history of the channel. Only Discord has such a permission. */
  readonly isUnreadable?: boolean
}

/** A platform with a bot. */
export interface Stage extends AsyncDisposable {
  open(name: string, options: PlaceOptions): DiscordVerbs | SlackVerbs
}

export interface StageOptions {
  readonly model: ChatModel
  readonly plugins: readonly PluginEntry[]
  readonly minWait: Duration
  /** Slack lets the bot read once a minute, 15 messages at most, as for a distributed app. */
  readonly isDistributed: boolean
}

/** Long enough for a bot that answers, short enough for one that does not. */
const PATIENCE = 12_000
/** After the last answer, a further one would come within this time. */
export const QUIET = 150

/** Waits until the condition holds, or no longer. */
async function until(holds: () => boolean): Promise<void> {
  for (const end = Date.now() + PATIENCE; !holds() && Date.now() < end; ) await pause(5)
}

interface Desk {
  readonly requests: Seen[]
  held?: Promise<void>
}

/** The model of all places of a stage. It knows from the prompt where it was asked. */
export function createModel(takesAudio: boolean) {
  const desks = new Map<string, Desk>()
  const model: ChatModel = {
    name: 'scripted',
    takesAudio,
    async generate(request) {
      const [, name = ''] = /^### #(\w+)/m.exec(promptOf(request)) ?? []
      const desk = desks.get(name)
      if (!desk) throw new Error(`a request from an unknown place: ${promptOf(request)}`)
      const number = desk.requests.push(seenIn(request))
      await desk.held
      return { text: `answer ${number}`, toolCalls: [] }
    },
  }

  function watch<V extends DiscordVerbs | SlackVerbs>(name: string, verbs: V): V & Watched {
    const desk: Desk = { requests: [] }
    desks.set(name, desk)
    const said: string[] = []
    let last: string | undefined
    const watched: Watched & Pick<Verbs, 'say'> = {
      say(author, text, how = {}) {
        said.push(text)
        last = how.in ?? (verbs.platform === 'slack' ? how.to : undefined)
        return verbs.say(author, text, how)
      },
      requests: desk.requests,
      said,
      get last() {
        return last
      },
      asked: count => until(() => desk.requests.length >= count),
      answered: count => until(() => verbs.posted.length >= count),
      hold() {
        const { promise, resolve } = Promise.withResolvers<void>()
        desk.held = promise
        return resolve
      },
    }
    const descriptors = { ...Object.getOwnPropertyDescriptors(verbs), ...Object.getOwnPropertyDescriptors(watched) }
    return Object.defineProperties({}, descriptors) as V & Watched
  }

  return { model, watch }
}

function seenIn(request: GenerateRequest): Seen {
  const turns = request.messages.flatMap(turn => (turn.role === 'user' ? turn : []))
  const count = (kind: 'images' | 'audio') => turns.reduce((sum, turn) => sum + (turn[kind]?.length ?? 0), 0)
  return { system: request.system, user: promptOf(request), images: count('images'), audio: count('audio') }
}
