/** The platform of all adapters: what the bot is told, and what it does. */
import { Logger as AdapterLogger, type Bot, Context, Element, HTTP, type Session, type Universal } from '@satorijs/core'
import { type Conversation, type IncomingMessage, KikimimiError, type Logger, sleep, withTimeout } from 'kikimimi'
import { createInOrder, type Outgoing, type Platform, type PlatformContext, takeMessage, withMentions } from 'kikimimi/platform'
import type { SatoriOptions } from './index.ts'
import { channelId, channelIn, elementsOf, idOf, incoming, personOf, placeOf, saidIn } from './messages.ts'

/** `Universal.Status.ONLINE`: its enum has no values in the types. */
const ONLINE = 1
/** Milliseconds that the start waits for accounts, of a call, and after a rate limit without a time. */
const [LOGIN, TIMEOUT, AGAIN] = [10_000, 30_000, 5_000]

type Place = IncomingMessage['conversation']
type Result<K extends keyof Universal.Methods> = Awaited<ReturnType<Universal.Methods[K]>>

export function createPlatform(ctx: PlatformContext, { adapters, publicChannels }: SatoriOptions): Platform {
  const { clock, log } = ctx
  const app = new Context()
  const inOrder = createInOrder()
  const isPublic = (channel: string) => publicChannels.includes(channel)
  let stopping = AbortSignal.abort()

  // ------------------------------------------------------------ what the bot is told

  /** One event after the other in each channel. */
  function on(name: string, take: (session: Session, place: Place) => Promise<void>): void {
    const hear = (session: Session) => {
      if (stopping.aborted || session.type === 'internal') return
      const place = placeOf(session, isPublic)
      inOrder(place.channel, () => take(session, place)).catch((error: unknown) =>
        log.error(`${name} could not be taken`, { error }),
      )
    }
    app.on(name as 'message', hear)
  }

  async function hear(session: Session, place: Place): Promise<void> {
    const said = incoming(session, place)
    if (said) await takeMessage(ctx, platform, said)
  }

  const react = (removed: boolean) => async (session: Session, place: Place) => {
    const { message, user, emoji } = session.event
    const shown = emoji?.name ?? emoji?.id
    if (!message?.id || !user || !shown || user.id === session.bot.selfId) return
    await ctx.reaction(place, message.id, { emoji: shown, by: idOf(session.bot, user.id), removed })
  }

  on('message', hear)
  on('message-updated', async (session, place) => {
    const { id } = session.event.message ?? {}
    if (id) await ctx.edit(place, id, saidIn(session.bot, elementsOf(session)))
  })
  on('message-deleted', async ({ messageId }, place) => {
    if (messageId) await ctx.remove(place, messageId)
  })
  on('reaction-added', react(false))
  on('reaction-removed', react(true))

  // ------------------------------------------------------------ what the bot does

  const accountOf = (bot: Bot) => personOf(bot, bot.user ?? { id: bot.selfId })

  function botIn({ channel }: Pick<Conversation, 'channel'>): Bot {
    const { sid } = channelIn(channel)
    const bot = app.bots.find(one => one.sid === sid)
    if (bot) return bot
    throw new KikimimiError('PLATFORM_REFUSED', `${sid} is not connected`, { retryAfterMs: AGAIN })
  }

  /** Calls a method of an account. Adapters have no signals, and not all have every method. */
  async function call<K extends keyof Universal.Methods>(
    place: Pick<Conversation, 'channel'>,
    method: K,
    args: Parameters<Universal.Methods[K]>,
    signal: AbortSignal,
  ): Promise<Result<K>> {
    const bot = botIn(place)
    const run = bot[method] as ((...args: Parameters<Universal.Methods[K]>) => ReturnType<Universal.Methods[K]>) | undefined
    if (!run) throw new KikimimiError('PLATFORM_REFUSED', `the adapter of ${bot.platform} has no ${method}`)
    const late = () => new KikimimiError('PLATFORM_UNAVAILABLE', `${method} got no answer`)
    return withTimeout({ clock, ms: TIMEOUT, late, signal }, async (): Promise<Result<K>> => {
      try {
        return await run.apply(bot, args)
      } catch (error) {
        throw meaning(error, method)
      }
    })
  }

  async function send(place: Conversation, { text, replyTo, notify }: Outgoing, signal: AbortSignal) {
    const { channel } = channelIn(place.channel)
    const guild = place.workspace.slice(place.workspace.indexOf(':') + 1)
    const said = withMentions(text, notify).map(piece =>
      typeof piece === 'string'
        ? Element.text(piece)
        : Element.at(piece.id.slice(piece.id.indexOf(':') + 1), { name: piece.name }),
    )
    const content = [...(replyTo === undefined ? [] : [Element('quote', { id: replyTo })]), ...said]
    // Some adapters need the guild.
    const session = botIn(place).session({
      channel: { id: channel, type: guild ? 0 : 1 },
      ...(guild && { guild: { id: guild } }),
    })
    const [posted] = await call(place, 'createMessage', [channel, content, undefined, { session }], signal)
    if (posted?.id) return { id: posted.id }
    throw new KikimimiError('PLATFORM_REFUSED', 'the adapter posted nothing')
  }

  const platform: Platform = {
    name: 'satori',
    get me() {
      const [bot] = app.bots
      return bot ? accountOf(bot) : { id: '', name: ctx.bot.name }
    },
    meIn: place => accountOf(botIn(place)),
    limits: { textLength: 2_000 },

    async start(signal) {
      stopping = signal
      const { promise: online, resolve } = Promise.withResolvers<void>()
      app.on('bot-status-updated', ({ status }) => status === ONLINE && resolve())
      ctx.scope.defer(redirectLog(log))
      app.plugin(HTTP)
      for (const { use, with: settings } of adapters)
        ctx.scope.adopt(app.plugin(adapterOf(use) as never, settings), fork => void fork.dispose())
      await app.start()
      await Promise.race([online, sleep(clock, LOGIN, signal)])
    },

    unready() {
      const lost = app.bots.filter(({ status }) => status !== ONLINE).map(({ sid }) => sid)
      return app.bots.length === 0 ? 'no account is connected' : lost.length > 0 ? `not connected: ${lost.join(', ')}` : undefined
    },

    send,

    async direct(guild, { id, name }, signal) {
      const network = id.slice(0, id.indexOf(':'))
      const bot = app.bots.find(({ platform: named }) => named === network)
      if (!bot) throw new KikimimiError('PLATFORM_REFUSED', `no account is in ${network}`)
      const place = { channel: channelId(bot, '') }
      const { id: channel } = await call(
        place,
        'createDirectChannel',
        [id.slice(network.length + 1), guild.slice(guild.indexOf(':') + 1)],
        signal,
      )
      return { platform: 'satori', workspace: '', channel: channelId(bot, channel), name, visibility: 'direct' }
    },

    async edit({ channel: id, ...place }, message, { text }, signal) {
      await call({ ...place, channel: id }, 'editMessage', [channelIn(id).channel, message, [Element.text(text)]], signal)
      return true
    },

    async delete(place, message, signal) {
      await call(place, 'deleteMessage', [channelIn(place.channel).channel, message], signal)
    },

    async react(place, message, emoji, signal) {
      await call(place, 'createReaction', [channelIn(place.channel).channel, message, emoji], signal)
    },
  }
  return platform
}

/** Some packages of adapters are CommonJS: their default export is then in what is imported. */
const adapterOf = (used: object): unknown => ('default' in used ? used.default : used)

/** Adapters write to the console, or to all targets of their process. */
function redirectLog(log: Logger): () => void {
  const print = (line: string) => (/^\[[EW]\]/.test(line) ? log.warn(line) : log.debug(line))
  const before = AdapterLogger.targets.splice(0, Number.POSITIVE_INFINITY, { colors: 0, showTime: '', print })
  return () => void AdapterLogger.targets.splice(0, Number.POSITIVE_INFINITY, ...before)
}

/** What an error of an adapter means: see `Platform.send`. */
function meaning(error: unknown, method: string): KikimimiError {
  const response = HTTP.Error.is(error) ? error.response : undefined
  if (!response) return new KikimimiError('PLATFORM_UNAVAILABLE', `${method} got no answer`)
  const told = `${method} was refused: ${response.status}`
  if (response.status >= 500) return new KikimimiError('PLATFORM_UNAVAILABLE', told)
  const wait = Number(response.headers.get('retry-after')) * 1_000 || AGAIN
  return new KikimimiError('PLATFORM_REFUSED', told, response.status === 429 ? { retryAfterMs: wait } : {})
}
