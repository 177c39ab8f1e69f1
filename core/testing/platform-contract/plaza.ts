/** A platform in this process that fulfils the contract and can have one flaw. For the contract's own tests. */
import { definePlatform, type IncomingMessage, type Platform, type PlatformContext } from '../../api/index.ts'
import type { PlatformHarness, SharedFile } from './harness.ts'

/** What a flawed platform does differently: in the bot's actions, and in its reports to the bot. */
export interface Flaw {
  readonly acts?: (platform: Platform) => Partial<Platform>
  readonly tells?: (ctx: PlatformContext) => Partial<PlatformContext>
}

interface Line {
  readonly id: string
  readonly author: string
  readonly where: string
  text: string
  readonly quotes?: string
  readonly file?: SharedFile
  readonly at: Date
}

const ME = 'kiki'
const PLACES: Readonly<Record<string, Pick<IncomingMessage['conversation'], 'channel' | 'thread' | 'visibility' | 'readers'>>> = {
  square: { channel: 'square', visibility: 'public' },
  bench: { channel: 'square', thread: 'bench', visibility: 'public' },
  shed: { channel: 'shed', visibility: 'private' },
  corner: { channel: 'shed', thread: 'corner', visibility: 'private', readers: { own: true } },
  alice: { channel: 'alice', visibility: 'direct' },
}

export function plaza({ acts = () => ({}), tells = () => ({}) }: Flaw = {}): () => Promise<PlatformHarness> {
  return async () => {
    const lines: Line[] = []
    const reactions: string[] = []
    const pinned: string[] = []
    const threads = new Map<string, { readonly root: string; readonly name: string }>()
    let topic = 'the market on Saturday'
    let count = 0
    let typing = 0
    let ear: PlatformContext | undefined

    const tell = async (run: (ctx: PlatformContext) => Promise<void>) => (ear ? run(ear) : undefined)
    const told = (message: string, run: (ctx: PlatformContext, line: Line) => Promise<void>) =>
      tell(ctx => run(ctx, find(message)))

    function write(line: Omit<Line, 'id' | 'at'>): Line {
      const made = { ...line, id: `l${count++}`, at: new Date() }
      lines.push(made)
      return made
    }

    async function say(line: Omit<Line, 'id' | 'at'>): Promise<string> {
      const made = write(line)
      await tell(ctx => ctx.receive(incoming(made)))
      return made.id
    }

    function find(id: string): Line {
      const found = lines.find(line => line.id === id)
      if (found) return found
      throw new Error(`there is no message ${id}`)
    }

    /** With what people see at its top. */
    function placeNow(where: string): IncomingMessage['conversation'] {
      const under = threads.get(where)
      const details = { workspaceName: 'Plaza', topic, ...(under && { threadName: under.name, root: under.root }) }
      const place = under ? { ...placeOf('square'), thread: where } : placeOf(where)
      return { ...place, ...(place.channel === 'square' && { details }) }
    }

    function incoming({ id, author, where, text, quotes, file, at }: Line): IncomingMessage {
      const mentions = text.startsWith(`@${ME}`) ? [{ id: ME, name: ME }] : []
      const target = lines.find(line => line.id === quotes)
      const replyTo = quotes === undefined ? undefined : { id: quotes, ...(target && { author: target.author }) }
      const message = { id, conversation: placeNow(where), author: { id: author, name: author }, text, at, mentions }
      const attachments = file && [{ url: `plaza:${id}`, name: file.name, type: file.type }]
      return { ...message, ...(replyTo && { replyTo }), ...(attachments && { attachments }) }
    }

    const plugin = definePlatform({
      name: 'plaza',
      setup: lent => {
        // Not a copy: copying a context without a database would call its getter.
        const ctx: PlatformContext = Object.assign(Object.create(lent), tells(lent))
        const platform: Platform = {
          name: 'plaza',
          me: { id: ME, name: ME },
          limits: { textLength: 1_000 },
          async start(signal) {
            const catchUp = await ctx.trackPosition('plaza')
            ear = ctx
            signal.addEventListener('abort', () => {
              ear = undefined
            })
            await catchUp()
          },
          async send({ channel, thread }, { text, replyTo }) {
            const quotes = replyTo === undefined ? {} : { quotes: replyTo }
            return { id: await say({ author: ME, where: thread ?? channel, text, ...quotes }) }
          },
          react: async (_conversation, _message, emoji) => void reactions.push(emoji),
          fetchAttachment: async ({ url }) => new Response(lines.find(({ id }) => url === `plaza:${id}`)?.file?.content),
          typing() {
            typing++
            return () => void typing--
          },
          history: async ({ channel, thread }, { after, before }) =>
            lines
              .slice(
                lines.findIndex(({ id }) => id === after) + 1,
                before === undefined ? undefined : lines.indexOf(find(before)),
              )
              .filter(({ where }) => where === (thread ?? channel))
              .map(incoming),
          pins: async () => pinned.toReversed().flatMap(id => lines.filter(line => line.id === id).map(incoming)),
          message: async (_conversation, id) => lines.filter(line => line.id === id).map(incoming)[0],
        }
        return { platform: { ...platform, ...acts(platform) } }
      },
    })

    return {
      plugin: plugin(),
      places: { thread: 'bench', private: 'shed', privateThread: 'corner', direct: 'alice' },
      say: (author, text, { mention, where = 'square' }) => say({ author, text: mention ? `@${ME} ${text}` : text, where }),
      reply: (author, text, quotes) =>
        say({ author, text, quotes, where: lines.find(({ id }) => id === quotes)?.where ?? 'square' }),
      share: (author, text, file) => say({ author, text: `@${ME} ${text}`, where: 'square', file }),
      edit: (message, text) =>
        told(message, (ctx, line) => ctx.edit(placeOf(line.where), message, { text: Object.assign(line, { text }).text })),
      async remove(message) {
        const line = find(message)
        lines.splice(lines.indexOf(line), 1)
        await tell(ctx => ctx.remove(placeOf(line.where), message))
      },
      details: { workspaceName: 'Plaza', topic },
      async retitle(news) {
        topic = news
        await tell(ctx => ctx.describe(placeNow('square')))
      },
      unheard: async (author, text, { where = 'square' } = {}) => write({ author, text, where }).id,
      async openThread(root, name) {
        threads.set(`under ${root}`, { root, name })
        return `under ${root}`
      },
      pin: async (_author, message) => void pinned.push(message),
      unpin: async message => void pinned.splice(pinned.indexOf(message), 1),
      react: (by, message, emoji) => told(message, (ctx, { where }) => ctx.reaction(placeOf(where), message, { emoji, by })),
      unreact: (by, message, emoji) =>
        told(message, (ctx, { where }) => ctx.reaction(placeOf(where), message, { emoji, by, removed: true })),
      redeliver: message => told(message, (ctx, line) => ctx.receive(incoming(line))),
      seen: () =>
        lines
          .filter(({ author }) => author === ME)
          .map(({ where, ...line }) => ({ ...line, ...(where !== 'square' && { where }) })),
      reactions: () => reactions,
      typing: () => typing > 0,
      remembers: true,
      close: async () => {},
    }
  }
}

function placeOf(where: string): IncomingMessage['conversation'] {
  const place = PLACES[where] ?? { channel: where, visibility: 'public' }
  return { platform: 'plaza', workspace: '', name: place.channel, ...place }
}
