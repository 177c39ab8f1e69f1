/** The bot of bot.config.ts on Discord and Slack, with their real clients, whose database is at the other end of a link that breaks. */
import { setTimeout as pause } from 'node:timers/promises'
import discordPlugin from '@kikimimi/discord'
import { startDiscord } from '@kikimimi/discord/testing'
import { offline } from '@kikimimi/offline'
import slackPlugin from '@kikimimi/slack'
import { startSlack } from '@kikimimi/slack/testing'
import { definePlugin, type PluginEntry, startBot, systemClock } from 'kikimimi'
import { createLogger } from 'kikimimi/host'
import pg from 'pg'
import config from '../../bot.config.ts'
import { freePort } from '../../core/testing/free-port.ts'
import { openLink } from './link.ts'

/** Every fifth message calls the bot. */
const CALLS = 5
const CHANNELS = 20
const LOOK_MS = 250
/** The age of a message that is not recorded, from which `/readyz` may not say 200 any more. */
export const TRUTHFUL_MS = 5_000
const BEFORE_MS = 2_000
const AFTER_MS = 4_000
/** Milliseconds that messages and answers may take after the fault is over. */
const PATIENCE_MS = 90_000

const answer = definePlugin({
  name: 'answer',
  setup: () => ({
    decide: ({ addressed }) => (addressed ? undefined : { kind: 'silent', why: 'nobody calls' }),
    respond: ({ message }) => ({ kind: 'text', text: `re ${/\bm-\w+-\d+\b/.exec(message.text)?.[0]}` }),
  }),
})

function isTerminal(plugin: PluginEntry): boolean {
  return typeof plugin === 'object' && plugin !== null && 'definition' in plugin && plugin.definition.name === 'terminal'
}

/** What happened in a fault. Times are in milliseconds. */
export interface Told {
  readonly said: number
  readonly calls: number
  readonly lost: number
  readonly answeredOnce: number
  readonly answeredTwice: number
  /** From the fault to the first 503. Absent: there was none. */
  readonly unreadyAfter?: number
  /** From the end of the fault to the last 503. */
  readonly readyAfter?: number
  /** Why, as `/readyz` told it. */
  readonly whys: readonly string[]
  /** The age of the oldest message that was not recorded, at most. */
  readonly oldest: number
  /** How long `/readyz` said 200 in the fault, though a message had waited for {@link TRUTHFUL_MS}. */
  readonly untruthful: number
  readonly log: readonly string[]
}

export interface Scene extends AsyncDisposable {
  readonly link: Awaited<ReturnType<typeof openLink>>
  /** The database past the link. */
  readonly direct: pg.Client
  /** People talk while the fault lasts, and for some seconds before and after. */
  play(fault: { readonly ms: number; begin(): unknown; end(): unknown }): Promise<Told>
}

export interface SceneOptions {
  /** Messages a second on both platforms together. Default 20. */
  readonly rate?: number
  /** The server, where `database` is a pooler. Its connections do not pass the link. */
  readonly directUrl?: string
}

export async function startScene(database: string, { rate = 20, directUrl }: SceneOptions = {}): Promise<Scene> {
  await using opened = new AsyncDisposableStack()
  const link = opened.use(await openLink(database))
  const channels = Array.from({ length: CHANNELS }, (_, index) => `room-${index}`)
  const discord = opened.use(await startDiscord({ guilds: [{ name: 'team', channels }] }))
  const slack = opened.use(await startSlack({ burst: 1_000 }))
  const http = `127.0.0.1:${await freePort()}`
  const log: string[] = []
  const logger = createLogger({ level: 'info', format: 'lines', write: line => void log.push(line.trim()), clock: systemClock })
  opened.use(
    await startBot(
      {
        persona: { name: 'kiki' },
        database: link.url,
        ...(directUrl !== undefined && { postgres: { directUrl } }),
        http,
        models: { chat: offline() },
        plugins: [
          discordPlugin({ token: discord.token, apiUrl: discord.apiUrl }),
          slackPlugin({ botToken: slack.botToken, appToken: slack.appToken, apiUrl: slack.apiUrl }),
          answer,
          ...config.plugins.filter(plugin => !isTerminal(plugin)),
        ],
      },
      { env: {}, log: logger },
    ),
  )
  const direct = new pg.Client({ connectionString: directUrl ?? database })
  await direct.connect()
  opened.defer(() => direct.end())
  const readyz = async (): Promise<string | undefined> => {
    const answer = await fetch(`http://${http}/readyz`)
    const { why } = (await answer.json()) as { why?: string }
    return answer.status === 200 ? undefined : (why ?? String(answer.status))
  }
  const recorded = async (tag: string): Promise<Set<string>> => {
    const { rows } = await direct.query<{ id: string }>(
      `select substring(text from '(m-\\w+-\\d+)') as id from kikimimi.message where not own and text like $1`,
      [`%m-${tag}-%`],
    )
    return new Set(rows.map(({ id }) => id))
  }
  const answers = () => [...discord.posted, ...slack.posted].map(({ text }) => text)

  function say(id: string, count: number): void {
    const [author, channel] = [`person-${count % 7}`, channels[count % CHANNELS] ?? '']
    const calls = count % CALLS === 0
    // Both platforms get calls, and each its own channels.
    if (Math.floor(count / CALLS) % 2 === 0) discord.say({ author, channel, text: calls ? `@kiki what about ${id}` : id })
    else slack.say({ author, channel, text: calls ? `what about ${id}` : id, mention: calls }).catch(() => {})
  }

  let plays = 0
  async function play({ ms, begin, end }: Parameters<Scene['play']>[0]): Promise<Told> {
    const tag = `x${++plays}`
    const before = log.length
    const said = new Map<string, { readonly at: number; readonly calls: boolean }>()
    let count = 0
    const talking = setInterval(() => {
      const id = `m-${tag}-${count}`
      said.set(id, { at: Date.now(), calls: count % CALLS === 0 })
      say(id, count++)
    }, 1_000 / rate)

    let [began, ended, oldest, untruthful] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0, 0]
    let [firstUnready, lastUnready]: (number | undefined)[] = []
    const whys = new Set<string>()
    let isWatching = true
    const watching = (async () => {
      for (let last = Date.now(); isWatching; ) {
        await pause(LOOK_MS)
        const [why, stored] = await Promise.all([readyz(), recorded(tag).catch(() => undefined)])
        const now = Date.now()
        const oldestAt = stored && [...said].find(([id]) => !stored.has(id))?.[1].at
        const age = oldestAt === undefined ? 0 : now - oldestAt
        oldest = Math.max(oldest, age)
        if (why === undefined && age > TRUTHFUL_MS && now < ended) untruthful += now - last
        if (why !== undefined) {
          whys.add(why.replaceAll(/\d+(\.\d+)?/g, 'N'))
          firstUnready ??= now
          lastUnready = now
        }
        last = now
      }
    })()

    await pause(BEFORE_MS)
    began = Date.now()
    await begin()
    await pause(ms)
    await end()
    ended = Date.now()
    await pause(AFTER_MS)
    clearInterval(talking)
    const wanted = [...said].filter(([, { calls }]) => calls).map(([id]) => `re ${id}`)
    const open = async () => {
      const [stored, posted] = [await recorded(tag), new Set(answers())]
      return [...said.keys()].some(id => !stored.has(id)) || wanted.some(text => !posted.has(text))
    }
    for (const until = Date.now() + PATIENCE_MS; Date.now() < until && (await open()); ) await pause(500)
    // A second answer would come now, and so would the last line of the log.
    await pause(7_000)
    isWatching = false
    await watching
    const stored = await recorded(tag)
    const times = (text: string) => answers().filter(one => one === text).length
    return {
      ...{ said: said.size, calls: wanted.length },
      lost: [...said.keys()].filter(id => !stored.has(id)).length,
      answeredOnce: wanted.filter(text => times(text) === 1).length,
      answeredTwice: wanted.filter(text => times(text) > 1).length,
      ...(firstUnready !== undefined && { unreadyAfter: firstUnready - began }),
      ...(lastUnready !== undefined && { readyAfter: Math.max(0, lastUnready - ended) }),
      whys: [...whys],
      ...{ oldest, untruthful, log: log.slice(before) },
    }
  }

  const scope = opened.move()
  return { link, direct, play, [Symbol.asyncDispose]: () => scope.disposeAsync() }
}
