/** For tests of what a turn sees around its conversation: a whole bot that answers every call, and what its turns saw. */
import { definePlugin, Erasure, type IncomingMessage, type PluginContext, type Surroundings, type Turn } from '../api/index.ts'
import { type TestBot, type TestBotOptions, testBot } from './test-bot.ts'

export interface Surrounded extends AsyncDisposable {
  readonly bot: TestBot
  /** The turns in which the bot answered, oldest first. */
  readonly turns: readonly Turn[]
  /** What the last answer saw. */
  seen(): Surroundings
  /** The ids of what the last answer saw. */
  ids(): { readonly root?: string; readonly quoted: readonly string[]; readonly earlier: readonly string[] }
  /** A person asks to be forgotten. */
  forget(person: string): Promise<void>
}

/** Where most tests happen: a thread under the message `root`. */
export const THREAD = { thread: 't1', details: { root: 'root' } } as const

export const BEGIN = new Date('2026-01-05T10:00:00Z')

/** A message on the platform, `minutesAgo` before the tests begin. */
export function past(
  id: string,
  text: string,
  minutesAgo: number,
  more: Partial<Omit<IncomingMessage, 'conversation'>> & { readonly in?: Partial<IncomingMessage['conversation']> } = {},
): IncomingMessage {
  const { in: where, ...rest } = more
  const place = { platform: 'test', workspace: 'team', channel: 'general', name: 'general', visibility: 'public' } as const
  return {
    id,
    conversation: { ...place, ...where },
    author: { id: 'carol', name: 'carol' },
    text,
    at: new Date(BEGIN.getTime() - minutesAgo * 60_000),
    ...rest,
  }
}

export async function surrounded(options: TestBotOptions = {}): Promise<Surrounded> {
  const turns: Turn[] = []
  const lent: PluginContext[] = []
  const answering = definePlugin({
    name: 'answering',
    needs: [Erasure],
    setup: ctx => {
      lent.push(ctx)
      return {
        // `hmm` is answered too, although it calls nobody.
        decide: ({ message }) => (message.text.startsWith('hmm') ? { kind: 'full', why: 'test' } : undefined),
        respond(turn) {
          turns.push(turn)
          return { kind: 'text', text: `to ${turn.message.id}` }
        },
      }
    },
  })
  const bot = await testBot({
    pacing: { minWait: '4s', jitter: 0 },
    ...options,
    plugins: [...(options.plugins ?? []), answering()],
  })
  const seen = () => turns.at(-1)?.surroundings ?? { quoted: [], earlier: [] }
  return {
    bot,
    turns,
    seen,
    ids() {
      const { root, quoted, earlier } = seen()
      const id = typeof root === 'object' ? root.id : root
      return { ...(id !== undefined && { root: id }), quoted: quoted.map(one => one.id), earlier: earlier.map(one => one.id) }
    },
    forget: async id => lent[0]?.use(Erasure).forget({ platform: 'test', id }),
    [Symbol.asyncDispose]: () => bot[Symbol.asyncDispose](),
  }
}

/** A filter that drops what these people say. */
export function optedOut(people: readonly string[]) {
  return definePlugin({
    name: 'opt-out',
    setup: () => ({ filter: ({ author }) => (people.includes(author.id) ? 'does not want to be heard' : undefined) }),
  })()
}
