/** People on a homeserver: each has an account, writes, and sees what others write. */
import { randomUUID } from 'node:crypto'
import type { Content, Event } from './rooms.ts'

const CLIENT = '/_matrix/client/v3'
const PASSWORD = 'correct horse battery staple'

/** A person with a plain client. */
export interface Visitor extends AsyncDisposable {
  readonly id: string
  readonly token: string
  /** The events of all rooms that the person has seen, with the rooms. */
  readonly seen: readonly (Event & { readonly room: string })[]
  /** Who types in a room. */
  typing(room: string): readonly string[]
  /** A request below `/_matrix/client/v3`. Rejects when it is refused. */
  call<T = Content>(method: string, path: readonly string[], body?: Content): Promise<T>
  /** Creates a room with other people in it, who are there when it resolves. */
  create(options: Content, ...others: readonly Visitor[]): Promise<string>
  /** Sends an event. Resolves with its id. */
  send(room: string, content: Content, type?: string): Promise<string>
  redact(room: string, event: string): Promise<string>
  upload(content: string): Promise<string>
}

/**
 * Makes an account on a homeserver with open registration.
 * @param watches whether the person looks at what others write: the account of a bot does not
 */
export async function enter(url: string, name: string, watches = true): Promise<Visitor> {
  const stopping = new AbortController()
  const seen: (Event & { readonly room: string })[] = []
  const typing = new Map<string, readonly string[]>()
  let token = ''

  async function request<T>(method: string, path: string, body?: string | Content, signal?: AbortSignal): Promise<T> {
    const headers = { ...(token && { authorization: `Bearer ${token}` }) }
    const sent = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
    const response = await fetch(`${url}${path}`, { method, headers, ...sent, ...(signal && { signal }) })
    const told = (await response.json()) as T
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(told)}`)
    return told
  }

  const call: Visitor['call'] = (method, path, body) =>
    request(method, `${CLIENT}/${path.map(encodeURIComponent).join('/')}`, body)

  async function watch(): Promise<void> {
    for (let since = ''; !stopping.signal.aborted; ) {
      const query = `?timeout=30000${since && `&since=${since}`}`
      const batch = await request<Batch>('GET', `${CLIENT}/sync${query}`, undefined, stopping.signal)
      since = batch.next_batch
      for (const [room, { timeline, ephemeral }] of Object.entries(batch.rooms?.join ?? {})) {
        seen.push(...timeline.events.map(event => ({ ...event, room })))
        for (const { type, content } of ephemeral.events) if (type === 'm.typing') typing.set(room, content.user_ids)
      }
    }
  }

  const account = { username: `${name}-${randomUUID().slice(0, 8)}`, password: PASSWORD, auth: { type: 'm.login.dummy' } }
  const { user_id: id, access_token } = await call<{ user_id: string; access_token: string }>('POST', ['register'], account)
  token = access_token
  await call('PUT', ['profile', id, 'displayname'], { displayname: name })
  const watching = (watches ? watch() : Promise.resolve()).catch((error: unknown) => {
    if (!stopping.signal.aborted) throw error
  })
  return {
    ...{ id, token, seen, call },
    typing: room => typing.get(room) ?? [],
    async create(options, ...others) {
      const { room_id: room } = await call<{ room_id: string }>('POST', ['createRoom'], {
        ...options,
        invite: others.map(one => one.id),
      })
      for (const other of others) await other.call('POST', ['rooms', room, 'join'], {})
      return room
    },
    async send(room, content, type = 'm.room.message') {
      const { event_id } = await call<{ event_id: string }>('PUT', ['rooms', room, 'send', type, randomUUID()], content)
      return event_id
    },
    async redact(room, event) {
      const { event_id } = await call<{ event_id: string }>('PUT', ['rooms', room, 'redact', event, randomUUID()], {})
      return event_id
    },
    async upload(content) {
      const { content_uri } = await request<{ content_uri: string }>('POST', '/_matrix/media/v3/upload', content)
      return content_uri
    },
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await watching
    },
  }
}

interface Batch {
  readonly next_batch: string
  readonly rooms?: {
    readonly join?: Readonly<
      Record<
        string,
        {
          readonly timeline: { readonly events: readonly Event[] }
          readonly ephemeral: {
            readonly events: readonly { readonly type: string; readonly content: { readonly user_ids: readonly string[] } }[]
          }
        }
      >
    >
  }
}

/** The content of a text message. */
export const words = (text: string, more: Content = {}): Content => ({ msgtype: 'm.text', body: text, 'm.mentions': {}, ...more })

/** The content of a message that begins with a mention, as clients write it. */
export function calling({ id }: Pick<Visitor, 'id'>, text: string): Content {
  const link = `<a href="https://matrix.to/#/${id}">kiki</a> ${text}`
  const markup = { format: 'org.matrix.custom.html', formatted_body: link }
  return words(`${id} ${text}`, { ...markup, 'm.mentions': { user_ids: [id] } })
}
