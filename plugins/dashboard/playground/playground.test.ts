import { freePort, platformContract } from 'kikimimi/testing'
import type { FeedEvent } from '../history/views.ts'
import dashboard from '../index.ts'
import { eventsOf } from '../testing/open-page.ts'

const ROOM = 'general'

platformContract('playground', async () => {
  const http = `127.0.0.1:${await freePort()}`
  const own: Extract<FeedEvent, { type: 'message' }>[] = []
  let reactions: string[] = []
  let typing = false
  let listening: Promise<void> | undefined

  /** Resolves when the bot listens. Also after a restart. */
  async function listen(): Promise<void> {
    const answer = await fetch(`http://${http}/api/events`)
    const follow = async () => {
      for await (const event of eventsOf(answer)) hear(event)
    }
    void follow()
      .catch(() => {})
      .finally(() => {
        listening = undefined
      })
  }

  function hear(event: FeedEvent): void {
    if (event.type === 'typing') typing = event.on
    if (event.type === 'message' && event.message.own) own.push(event)
    if (event.type === 'reactions') reactions = event.reactions.flatMap(({ emoji, by }) => (by.includes('kiki') ? [emoji] : []))
  }

  /** Undefined while the bot is stopped. */
  async function call(path: string, method: string, body?: object): Promise<string> {
    try {
      listening ??= listen()
      await listening
      const how = body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
      const answer = await fetch(`http://${http}/api/playground/messages${path}`, { method, ...how })
      const { id = '' } = (await answer.json()) as { id?: string }
      return id
    } catch {
      listening = undefined
      return ''
    }
  }

  const change = async (message: string, method: string, body: object, what = '') =>
    void (await call(`/${message}${what}`, method, { room: ROOM, ...body }))

  return {
    plugin: dashboard(),
    config: { http, database: 'memory' },
    places: { thread: 't1', direct: '@alice' },
    say: (author, text, { mention, where }) => {
      const place = where?.startsWith('@') ? { room: where } : { room: ROOM, ...(where !== undefined && { thread: where }) }
      return call('', 'POST', { ...place, author, text: `${mention ? '@kiki ' : ''}${text}` })
    },
    seen: () =>
      own.map(({ place, message: { id, text, thread, replyTo: quotes } }) => {
        const where = place.visibility === 'direct' ? `@${place.name}` : thread
        return { id, text, ...(where !== undefined && { where }), ...(quotes !== undefined && { quotes }) }
      }),
    reactions: () => reactions,
    typing: () => typing,
    reply: (author, text, replyTo) => call('', 'POST', { room: ROOM, author, text, replyTo }),
    edit: (message, text) => change(message, 'PATCH', { text }),
    remove: async message => void (await call(`/${message}?room=${ROOM}`, 'DELETE')),
    react: (by, message, emoji) => change(message, 'POST', { by, emoji }, '/reactions'),
    unreact: (by, message, emoji) => change(message, 'POST', { by, emoji, removed: true }, '/reactions'),
    close: async () => {},
  }
})
