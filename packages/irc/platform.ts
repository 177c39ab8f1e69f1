/** The IRC platform: what the bot is told, and what it says. */
import { createHash, randomUUID } from 'node:crypto'
import type { Said } from 'irc-framework'
import { type IncomingMessage, type Person, RecentMap } from 'kikimimi'
import { createInOrder, orderIn, type Platform, type PlatformContext, takeCommand, withMentions } from 'kikimimi/platform'
import { createConnection } from './connection.ts'
import type { IrcOptions } from './index.ts'
import { linesOf, roomFor, withoutFormat } from './lines.ts'

/** Ids of people are nicks. No nick begins so: another person can have the nick of the bot. */
const ME = '*bot'
/** Batches of messages that were said before: https://ircv3.net/specs/batches/chathistory, and that of ZNC. */
const PLAYBACKS: ReadonlySet<string> = new Set(['chathistory', 'znc.in/playback'])
/** Messages whose author an answer can name. */
const REMEMBERED = 1_000
/** Bytes for the nick of the person who is answered. */
const NAME = 32

export function createPlatform(ctx: PlatformContext, options: IrcOptions): Platform {
  const { clock, log } = ctx
  const connection = createConnection(ctx, options)
  const { client, modes } = connection
  const fold = (name: string) => client.caseLower(name)
  const joined = options.channels.map(name => [name, client.channel(name)] as const)
  // How names are folded is known after the connection has begun.
  const channelOf = (folded: string) => joined.find(([name]) => fold(name) === folded)?.[1]
  const topics = new Map<string, string>()
  const authors = new RecentMap<string>(REMEMBERED)
  const inOrder = createInOrder()

  const me = (): Person => ({ id: ME, name: client.user.nick || options.nick })
  const personOf = (nick: string): Person => (nick === client.user.nick ? me() : { id: fold(nick), name: nick })

  /** Channels of a network belong to different people, so each is a workspace of its own. */
  function placeOf(target: string): IncomingMessage['conversation'] {
    const channel = fold(target)
    const base = { platform: 'irc', channel, name: target.replace(/^[#&+!]+/, '') }
    if (!client.network.isChannelName(target)) return { ...base, workspace: '', visibility: 'direct' }
    const topic = topics.get(channel)
    // Secret, private, for invited people, or with a key. Not known yet: the safe assumption.
    const visibility = /^[^ ]*[spik]/.test(modes.get(channel) ?? 's') ? 'private' : 'public'
    return { ...base, workspace: channel, visibility, details: { workspaceName: client.network.name, ...(topic && { topic }) } }
  }

  /** `bob: hello` is for bob, if bob is there; `@kiki` is for the bot. */
  function mentionsIn(text: string, channel: string): Person[] {
    const [, name = ''] = /^([^\s:]{1,50}):(?=\s|$)/.exec(text) ?? []
    const users = channelOf(channel)?.users ?? []
    const called = users.find(({ nick }) => fold(nick) === fold(name))
    const isMe = fold(name) === fold(me().name) || text.split(/\s+/, 200).some(word => fold(word) === `@${fold(me().name)}`)
    return [...(isMe ? [me()] : []), ...(called && called.nick !== client.user.nick ? [personOf(called.nick)] : [])]
  }

  function hear({ nick, target, group, message: said, time, tags, batch }: Said): void {
    if (nick === undefined || nick === client.user.nick) return
    // Those of a lower rank in the channel do not see it, and an answer goes to all.
    if (group) return
    const isChannel = client.network.isChannelName(target)
    if (isChannel && !channelOf(fold(target))) return
    const conversation = placeOf(isChannel ? target : nick)
    const text = withoutFormat(said).trim()
    const missed = batch !== undefined && PLAYBACKS.has(batch.type)
    const order = missed ? undefined : orderIn(ctx.bot, text)
    const mentions = order === undefined ? mentionsIn(text, conversation.channel) : [me()]
    const id = tags?.msgid ?? (time === undefined ? randomUUID() : idOf(conversation.channel, nick, text, time))
    const message = { id, conversation, author: personOf(nick), at: new Date(saidAt(time)), text: order ?? text, mentions }
    if (missed) {
      take(message, { missed })
      return
    }
    // Its author alone sees a notice.
    const notice = async (said: string, signal: AbortSignal) => {
      for (const part of partsOf(said, nick)) await connection.write('NOTICE', nick, part, signal)
    }
    if (order !== undefined && takeCommand(ctx, platform, message, order, notice)) return
    const kind = mentions.some(one => one.id === ME) || conversation.visibility === 'direct' ? 'call' : 'talk'
    const slot = ctx.admit({ ...message, kind })
    if (!slot) return
    authors.set(id, nick)
    take(message, { slot })
  }

  /** A history can have whole seconds. At the end of its second, a message is not before what was heard in the same second. */
  function saidAt(time: number | undefined): number {
    if (time === undefined) return clock.now()
    return time % 1_000 === 0 ? Math.min(clock.now(), time + 999) : time
  }

  function take(message: IncomingMessage, how: NonNullable<Parameters<PlatformContext['receive']>[1]>): void {
    inOrder(message.conversation.channel, () => ctx.receive(message, how))
      .catch((error: unknown) => log.error('a message could not be taken', { error }))
      .finally(() => how.slot?.[Symbol.dispose]())
  }

  /** Each part is as many lines as go out at once. */
  function partsOf(text: string, target: string): string[] {
    const lines = linesOf(text, roomFor(me().name, target) - NAME)
    const parts = Math.ceil(lines.length / options.burst)
    return Array.from({ length: parts }, (_, at) => lines.slice(at * options.burst, (at + 1) * options.burst).join('\n'))
  }

  const platform: Platform = {
    name: 'irc',
    get me() {
      return me()
    },
    limits: { textLength: 512 * options.burst },
    split: ({ channel }, text) => partsOf(text, channel),

    async start(signal) {
      const listening = (run: () => void) => {
        if (!signal.aborted) run()
      }
      client.on('privmsg', said => listening(() => hear(said)))
      client.on('action', said => listening(() => hear({ ...said, message: `* ${said.nick} ${said.message}` })))
      client.on('ctcp request', ({ nick, type, message }) => {
        if (nick !== undefined && type === 'PING') client.ctcpResponse(nick, 'PING', message.slice('PING '.length))
      })
      client.on('topic', ({ channel, topic }) => {
        topics.set(fold(channel), topic)
        const change = () => ctx.describe(placeOf(channel))
        if (modes.has(fold(channel))) listening(() => void change().catch(error => log.warn('a topic was lost', { error })))
      })
      await connection.start(signal)
    },

    unready: connection.unready,

    async send({ channel }, { text: said, replyTo, notify }, signal) {
      // IRC clients notify a person whose nick stands anywhere in a text.
      const text = withMentions(said, notify)
        .map(piece => (typeof piece === 'string' ? piece : piece.name))
        .join('')
      const asked = replyTo === undefined ? undefined : authors.get(replyTo)
      const named = asked === undefined ? text : `${asked}: ${text}`
      await connection.write('PRIVMSG', channel, named, signal)
      return { id: randomUUID() }
    },

    direct: (_channel, { id }) => placeOf(id),

    channels: async () => Array.from(modes.keys(), placeOf),

    membership({ channel }, { name }) {
      const user = channelOf(channel)?.users.find(({ nick }) => fold(nick) === fold(name))
      const rank = user?.modes?.includes('q') ? 'owner' : user?.modes?.some(mode => /[ao]/.test(mode)) ? 'admin' : 'member'
      return user && { rank, roles: () => [] }
    },
  }
  return platform
}

/** For servers that give the time of a message and no id, so that a message of a history is known again. The history can have whole seconds. */
function idOf(channel: string, nick: string, text: string, time: number): string {
  const said = [channel, nick, text, Math.floor(time / 1_000)].join('\n')
  return createHash('sha256').update(said).digest('base64url').slice(0, 22)
}
