/** Alice, bob and the bot in four rooms, for the contract of platforms. */
import type { PlatformHarness } from 'kikimimi/testing'
import matrix from '../index.ts'
import type { Homeserver } from './homeserver.ts'
import { calling, enter, words } from './people.ts'
import type { Content, Event } from './rooms.ts'

/** @param server of this process: what people cannot do on another one is left out */
export async function harness(url: string, server?: Homeserver): Promise<PlatformHarness> {
  await using opened = new AsyncDisposableStack()
  if (server) opened.use(server)
  const [alice, bob, kiki] = [
    opened.use(await enter(url, 'alice')),
    opened.use(await enter(url, 'bob')),
    opened.use(await enter(url, 'kiki', false)),
  ]
  const people: Readonly<Record<string, typeof alice>> = { alice, bob }
  const topic = 'all about ships'
  const general = await alice.create({ preset: 'public_chat', name: 'general', topic }, bob, kiki)
  const staff = await alice.create({ preset: 'private_chat', name: 'staff' }, bob, kiki)
  const direct = await alice.create({ preset: 'private_chat', is_direct: true }, kiki)
  // Its root was deleted, so that it is not a message of the channel.
  const plans = await bob.send(general, words('the plans'))
  await bob.redact(general, plans)

  const by = (name: string) => people[name] ?? alice
  const authors = new Map<string, typeof alice>()
  const reactions = new Map<string, string>()
  const threads = new Map([['plans', plans]])
  const roomOf = (where: string | undefined) => (where === 'staff' ? staff : where === 'direct' ? direct : general)
  const inThread = (root: string) => ({
    rel_type: 'm.thread',
    event_id: root,
    is_falling_back: true,
    'm.in_reply_to': { event_id: root },
  })

  async function write(author: string, content: Content, where?: string): Promise<string> {
    const root = threads.get(where ?? '')
    const id = await by(author).send(roomOf(where), root === undefined ? content : { ...content, 'm.relates_to': inThread(root) })
    authors.set(id, by(author))
    return id
  }

  function whereOf({ room, content }: Event & { readonly room: string }) {
    const { rel_type: type, event_id: root } = (content['m.relates_to'] ?? {}) as Content
    if (type === 'm.thread') return [...threads].find(([, one]) => one === root)?.[0]
    return room === staff ? 'staff' : room === direct ? 'direct' : undefined
  }

  function quoteOf({ content }: Event): string | undefined {
    const { is_falling_back: isThread, 'm.in_reply_to': target } = (content['m.relates_to'] ?? {}) as Content
    return isThread === true ? undefined : ((target as Content | undefined)?.event_id as string | undefined)
  }

  const ofBot = (type: string) => alice.seen.filter(event => event.sender === kiki.id && event.type === type)
  const scope = opened.move()
  return {
    plugin: matrix({ homeserver: url, token: kiki.token }),
    places: { thread: 'plans', private: 'staff', direct: 'direct' },
    say: (author, text, { mention, where }) => write(author, mention ? calling(kiki, text) : words(text), where),
    reply: (author, text, to) => {
      const author_ = alice.seen.find(event => event.event_id === to)?.sender ?? authors.get(to)?.id
      const relation = { 'm.relates_to': { 'm.in_reply_to': { event_id: to } } }
      return write(author, words(text, { ...relation, 'm.mentions': { user_ids: [author_] } }))
    },
    async share(author, text, { name, type, content }) {
      const file = { msgtype: 'm.file', url: await by(author).upload(content), filename: name, info: { mimetype: type } }
      await write(author, { ...calling(kiki, text), ...file })
    },
    edit: async (id, text) => {
      const relation = { 'm.relates_to': { rel_type: 'm.replace', event_id: id } }
      await authors.get(id)?.send(general, words(`* ${text}`, { 'm.new_content': words(text), ...relation }))
    },
    remove: async id => void (await authors.get(id)?.redact(general, id)),
    react: async (author, id, key) => {
      const content = { 'm.relates_to': { rel_type: 'm.annotation', event_id: id, key } }
      reactions.set(`${author} ${id} ${key}`, await by(author).send(general, content, 'm.reaction'))
    },
    unreact: async (author, id, key) => void (await by(author).redact(general, reactions.get(`${author} ${id} ${key}`) ?? '')),
    seen: () =>
      ofBot('m.room.message').map(event => {
        const [where, quotes] = [whereOf(event), quoteOf(event)]
        return { id: event.event_id, text: String(event.content.body), ...(where && { where }), ...(quotes && { quotes }) }
      }),
    reactions: () => ofBot('m.reaction').map(({ content }) => String((content['m.relates_to'] as Content).key)),
    typing: () => alice.typing(general).includes(kiki.id),
    details: { workspaceName: 'general', topic },
    retitle: async news => void (await alice.call('PUT', ['rooms', general, 'state', 'm.room.topic', ''], { topic: news })),
    openThread: async root => {
      threads.set(root, root)
      return root
    },
    namesThreads: false,
    ...(server && {
      unheard: (author, text, { where } = {}) => server.unheard(kiki.id, () => write(author, words(text), where)),
      redeliver: async id => void server.redeliver(id),
    }),
    remembers: true,
    close: () => scope.disposeAsync(),
  }
}
