import {
  type Conversation,
  conversationId,
  type IncomingMessage,
  type Outgoing,
  type Person,
  type Platform,
} from '../api/index.ts'

/** A post of the bot. */
export type Posted =
  | {
      readonly kind: 'text'
      readonly id: string
      readonly channel: string
      readonly thread?: string
      readonly text: string
      readonly replyTo?: string
      readonly nonce: string
      /** The words on its buttons. */
      readonly handles?: readonly string[]
      /** The ids of the people whom it notifies. */
      readonly notifies?: readonly string[]
    }
  | { readonly kind: 'reaction'; readonly channel: string; readonly thread?: string; readonly emoji: string; readonly to: string }

/** A change of a posted text. */
export interface Edit {
  readonly id: string
  readonly text: string
}

/** A read of messages. */
export type Read =
  | { readonly kind: 'history'; readonly conversation: string; readonly after?: string; readonly before?: string }
  | { readonly kind: 'message'; readonly conversation: string; readonly id: string }

export interface TestPlatform extends Platform {
  /** The posts as people see them: edited texts are as they are now, and deleted ones are gone. */
  readonly posted: Posted[]
  /** The edits, oldest first. */
  readonly edits: readonly Edit[]
  /** The number of typing indicators that are on. */
  readonly typingNow: number
  /** The number of typing indicators that were ever begun. */
  readonly typingBegun: number
  /** The reads of messages, oldest first. */
  readonly reads: readonly Read[]
  /** What the next sends, edits, deletions and reads do first: throw this error, or wait for this promise. One entry each. */
  readonly faults: TestFault[]
}

/** `afterwards`: the message is posted, and the send fails all the same. */
export type TestFault = Error | Promise<void> | { readonly afterwards: Error }

export interface TestPlatformOptions {
  readonly me: Person
  /** The account of the bot in a conversation. Default: `me`. */
  readonly meIn?: Platform['meIn']
  /** The first part of conversation ids. Default `test`. */
  readonly name?: string
  readonly textLength?: number
  /** True: the platform drops doubles. A function says it of one conversation. */
  readonly idempotent?: Platform['idempotent']
  /** True: the platform can tell whether a message was posted. */
  readonly finds?: boolean
  /** True: people see answers while they are written. */
  readonly streams?: boolean
  /** True: answers have buttons. */
  readonly showsHandles?: boolean
  /** True: a quoted answer opens a thread under its question. */
  readonly opensThreads?: boolean
  /**
   * The messages that can be read with `history` and `message`; a test may change the list. Absent: nothing can be read. Its
   * conversations are the `channels` of the platform.
   */
  readonly past?: readonly IncomingMessage[]
  /** The names of further channels of the workspace `team`, which have no messages yet. */
  readonly channels?: readonly string[]
  /** True: the bot can write to people directly, in the channel `direct-ID`. */
  readonly opensDirect?: boolean
  /** True: messages have addresses, `https://test.example/CHANNEL/MESSAGE`. */
  readonly links?: boolean
  /** What people are. Absent: the platform has no ranks and roles. */
  readonly membership?: Platform['membership']
  /** Reads messages in another way than from `past`. */
  readonly history?: Platform['history']
  /** Reads one message in another way than from `past`. */
  readonly message?: Platform['message']
}

/** A platform in memory with a journal of posts. */
export function testPlatform({
  me,
  meIn,
  name = 'test',
  textLength = 2_000,
  idempotent = false,
  finds = false,
  streams = false,
  showsHandles = false,
  opensThreads = false,
  links = false,
  opensDirect = false,
  membership,
  past,
  channels: more,
  history = past && (async (conversation, range) => pageOf(past, conversation, range)),
  message = past && (async (conversation, id) => past.find(one => one.id === id && isInChannel(one, conversation))),
}: TestPlatformOptions): TestPlatform {
  const posted: Posted[] = []
  const edits: Edit[] = []
  const reads: Read[] = []
  const faults: TestFault[] = []
  const nonces = new Map<string, string>()
  const typing = { now: 0, begun: 0 }

  /** Returns the function that runs when the work is done. */
  async function fault(): Promise<() => void> {
    const next = faults.shift()
    if (next instanceof Error) throw next
    if (next && 'afterwards' in next)
      return () => {
        throw next.afterwards
      }
    await next
    return () => {}
  }

  const place = ({ channel, thread }: Conversation) => ({ channel, ...(thread !== undefined && { thread }) })

  return {
    name,
    me,
    ...(meIn && { meIn }),
    ...(membership && { membership }),
    limits: { textLength },
    idempotent,
    posted,
    edits,
    faults,
    reads,
    get typingNow() {
      return typing.now
    },
    get typingBegun() {
      return typing.begun
    },
    async send(conversation: Conversation, { text, replyTo, nonce, handles, notify }: Outgoing) {
      const done = await fault()
      const dropsDoubles = typeof idempotent === 'function' ? idempotent(conversation) : idempotent
      const known = dropsDoubles ? nonces.get(nonce) : undefined
      if (known !== undefined) return { id: known }
      const id = `bot-${nonce}`
      nonces.set(nonce, id)
      const thread = opensThreads && conversation.thread === undefined ? replyTo : undefined
      const where = { ...place(conversation), ...(thread !== undefined && { thread }) }
      const about = {
        ...(replyTo !== undefined && { replyTo }),
        ...labels(handles),
        ...(notify && { notifies: notify.map(one => one.id) }),
      }
      posted.push({ kind: 'text', id, ...where, text, nonce, ...about })
      done()
      return { id, ...(thread !== undefined && { thread }) }
    },
    ...(links && { link: ({ channel }, id) => `https://test.example/${channel}/${id}` }),
    ...(opensDirect && {
      direct: (_workspace, { id, name: person }) => ({
        ...{ platform: name, workspace: '', channel: `direct-${id}`, name: person, visibility: 'direct' },
      }),
    }),
    ...(streams && { streams: () => true }),
    ...(showsHandles && { showsHandles: () => true }),
    async edit(_conversation, id, { text, handles }) {
      const done = await fault()
      const at = posted.findIndex(one => one.kind === 'text' && one.id === id)
      const before = posted[at]
      if (before?.kind !== 'text') return false
      posted[at] = { ...before, text, ...labels(handles) }
      edits.push({ id, text })
      done()
      return true
    },
    async delete(_conversation, id) {
      const done = await fault()
      const at = posted.findIndex(one => one.kind === 'text' && one.id === id)
      if (at >= 0) posted.splice(at, 1)
      done()
    },
    async react(conversation, to, emoji) {
      await fault()
      posted.push({ kind: 'reaction', ...place(conversation), emoji, to })
    },
    ...(finds && {
      async find(_conversation, { nonce }) {
        await fault()
        const id = nonces.get(nonce)
        return id === undefined ? undefined : { id }
      },
    }),
    typing() {
      typing.now++
      typing.begun++
      return () => void typing.now--
    },
    ...((past || more) && {
      channels: async () => {
        const said = (past ?? []).map(({ conversation }) => conversation)
        const silent = (more ?? []).map(channel => teamChannel(name, channel))
        return [...new Map([...said, ...silent].map(one => [conversationId(one), one])).values()]
      },
    }),
    ...(history && {
      async history(conversation, { limit, ...range }, signal) {
        reads.push({ kind: 'history', conversation: conversation.id, ...range })
        await fault()
        return history(conversation, { limit, ...range }, signal)
      },
    }),
    ...(message && {
      async message(conversation, id, signal) {
        reads.push({ kind: 'message', conversation: conversation.id, id })
        await fault()
        return message(conversation, id, signal)
      },
    }),
  }
}

function teamChannel(platform: string, channel: string): Omit<Conversation, 'id'> {
  return { platform, workspace: 'team', channel, name: channel, visibility: 'public' }
}

const labels = (handles: Outgoing['handles']) => handles && { handles: handles.map(({ label }) => label) }

function pageOf(
  past: readonly IncomingMessage[],
  { id }: Conversation,
  { after, before, limit }: { readonly after?: string; readonly before?: string; readonly limit: number },
): readonly IncomingMessage[] {
  const there = past.filter(({ conversation }) => conversationId(conversation) === id)
  if (after !== undefined) return there.slice(there.findIndex(one => one.id === after) + 1).slice(0, limit)
  const end = there.findIndex(one => one.id === before)
  return there.slice(0, end < 0 ? there.length : end).slice(-limit)
}

function isInChannel({ conversation }: IncomingMessage, { thread: _, ...channel }: Conversation): boolean {
  const { thread: __, ...place } = conversation
  return conversationId(place) === conversationId(channel)
}
