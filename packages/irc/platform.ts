/** The IRC platform: what the bot is told, and what it says. */
import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type Person, RecentMap } from 'kikimimi'
import { createInOrder, orderIn, type Platform, type PlatformContext, takeCommand, withMentions } from 'kikimimi/platform'
import { createConnection } from './connection.ts'
import type { IrcOptions } from './index.ts'
import { linesOf, roomFor, withoutFormat } from './lines.ts'

/** Ids of people are nicks. No nick begins so: another person can have the nick of the bot. */
const ME = '*bot'
/** Messages whose author an answer can name. */
const REMEMBERED = 1_000
/** Bytes for the nick of the person who is answered. */
const NAME = 32

export function createPlatform(ctx: PlatformContext, options: IrcOptions): Platform {
  const { clock, log } = ctx
  const connection = createConnection(ctx, options)
  const { client, modes } = connection
  const fold = (name: string) => client.caseLower(name)
  const members = new Map(options.channels.map(name => [fold(name), client.channel(name)]))
  const topics = new Map<string, string>()
  const authors = new RecentMap<string>(REMEMBERED)
  const inOrder = createInOrder()

  const me = (): Person => ({ id: ME, name: client.user.nick || options.nick })
  const personOf = (nick: string): Person => (nick === client.user.nick ? me() : { id: fold(nick), name: nick })

  /** Channels of a network belong to different people, so each is a workspace of its own. */
  function placeOf(target: string): IncomingMessage['conversation'] {
    const channel = fold(target)
    const base = { platform: 'irc', channel, name: target.replace(/^[#&+!]+/, '') }
    if (!members.has(channel)) return { ...base, workspace: '', visibility: 'direct' }
    const topic = topics.get(channel)
    // Secret, private, for invited people, or with a key. Not known yet: the safe assumption.
    const visibility = /^[^ ]*[spik]/.test(modes.get(channel) ?? 's') ? 'private' : 'public'
    return { ...base, workspace: channel, visibility, details: { workspaceName: client.network.name, ...(topic && { topic }) } }
  }

  /** `bob: hello` is for bob, if bob is there; `@kiki` is for the bot. */
  function mentionsIn(text: string, channel: string): Person[] {
    const [, name = ''] = /^([^\s:]{1,50}):(?=\s|$)/.exec(text) ?? []
    const users = members.get(channel)?.users ?? []
    const called = users.find(({ nick }) => fold(nick) === fold(name))
    const isMe = fold(name) === fold(me().name) || text.split(/\s+/, 200).some(word => fold(word) === `@${fold(me().name)}`)
    return [...(isMe ? [me()] : []), ...(called && called.nick !== client.user.nick ? [personOf(called.nick)] : [])]
  }

  function hear(nick: string | undefined, target: string, said: string): void {
    if (nick === undefined || nick === client.user.nick) return
    const conversation = placeOf(fold(target) === fold(client.user.nick) ? nick : target)
    const text = withoutFormat(said).trim()
    const order = orderIn(ctx.bot, text)
    const mentions = order === undefined ? mentionsIn(text, conversation.channel) : [me()]
    const [id, at, author] = [randomUUID(), new Date(clock.now()), personOf(nick)]
    const message = { id, conversation, author, at, text: order ?? text, mentions }
    // Its author alone sees a notice.
    const notice = async (said: string, signal: AbortSignal) => {
      for (const part of partsOf(said, nick)) await connection.write('NOTICE', nick, part, signal)
    }
    if (order !== undefined && takeCommand(ctx, platform, message, order, notice)) return
    const kind = mentions.some(one => one.id === ME) || conversation.visibility === 'direct' ? 'call' : 'talk'
    const slot = ctx.admit({ ...message, kind })
    if (!slot) return
    authors.set(id, nick)
    inOrder(conversation.channel, () => ctx.receive(message, { slot }))
      .catch((error: unknown) => log.error('a message could not be taken', { error }))
      .finally(() => slot[Symbol.dispose]())
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
      client.on('privmsg', ({ nick, target, message }) => listening(() => hear(nick, target, message)))
      client.on('action', ({ nick, target, message }) => listening(() => hear(nick, target, `* ${nick} ${message}`)))
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
      const user = members.get(channel)?.users.find(({ nick }) => fold(nick) === fold(name))
      const rank = user?.modes?.includes('q') ? 'owner' : user?.modes?.some(mode => /[ao]/.test(mode)) ? 'admin' : 'member'
      return user && { rank, roles: () => [] }
    },
  }
  return platform
}
