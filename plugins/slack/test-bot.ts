/** A whole bot on the Slack emulator, for tests. */
import { type SlackEmulator, type SlackOptions, startSlack } from '@kikimimi/slack/testing'
import {
  type Awaitable,
  type Bot,
  type BotConfig,
  type Logger,
  type Plugin,
  type Reply,
  type Silence,
  type StartOptions,
  startBot,
  type Turn,
} from 'kikimimi'
import { definePlatform, type Platform, type PlatformContext } from 'kikimimi/platform'
import { scriptedModel } from 'kikimimi/testing'
import slackPlugin from './index.ts'

export interface BotOnSlack extends AsyncDisposable {
  readonly slack: SlackEmulator
  readonly bot: Bot
  /** The turns of the bot. */
  readonly turns: readonly Turn[]
  /** Texts of the bot that people see. */
  readonly texts: () => readonly string[]
  /** All log lines, at every level. */
  readonly log: readonly string[]
  answer(make: (turn: Turn) => Awaitable<Reply | Silence | undefined>): void
}

export interface BotOptions {
  readonly slack?: Partial<SlackOptions>
  /** An existing emulator, which stays after the bot has stopped. */
  readonly there?: SlackEmulator
  readonly parts?: StartOptions
  readonly plugin?: (slack: SlackEmulator) => Plugin
  /** A responder that replaces that of the test. */
  readonly responder?: Plugin
  readonly config?: Partial<BotConfig>
  /** Called before the bot starts. */
  readonly before?: (slack: SlackEmulator) => void
}

export const overSocket = ({ botToken, appToken, apiUrl }: SlackEmulator): Plugin => slackPlugin({ botToken, appToken, apiUrl })

/** For calls that Slack does not answer: a busy machine takes longer than this for others. */
export const impatient = ({ botToken, appToken, apiUrl }: SlackEmulator): Plugin =>
  slackPlugin({ botToken, appToken, apiUrl, timeout: '800ms' })

/** Events over HTTP, at an address that this function sets. */
export const overHttp = ({ botToken, signingSecret, apiUrl }: SlackEmulator): Plugin =>
  slackPlugin({ botToken, signingSecret, apiUrl })

export async function startOnSlack(given: BotOptions = {}): Promise<BotOnSlack> {
  const { plugin = overSocket, config, before, there, ...options } = given
  const slack = there ?? (await startSlack({ bot: { id: 'UKIKI', name: 'kiki' }, ...options.slack }))
  const turns: Turn[] = []
  const log: string[] = []
  let make: Parameters<BotOnSlack['answer']>[0] = turn => ({
    kind: 'text',
    text: `to ${turn.message.text.replace(/^@kiki /, '')}`,
  })
  const mine = definePlatform({
    name: 'test',
    setup: () => ({
      respond(turn) {
        turns.push(turn)
        return make(turn)
      },
    }),
  })
  before?.(slack)
  try {
    const bot = await startBot(
      {
        persona: { name: 'kiki' },
        models: { chat: scriptedModel('unused') },
        database: false,
        plugins: [plugin(slack), options.responder ?? mine],
        ...config,
      },
      { log: collected(log), env: {}, ...options.parts },
    )
    return {
      slack,
      bot,
      turns,
      log,
      texts: () => slack.posted.map(({ text }) => text),
      answer: next => {
        make = next
      },
      async [Symbol.asyncDispose]() {
        await bot.stop()
        if (!there) await slack.close()
      },
    }
  } catch (error) {
    if (!there) await slack.close()
    throw error
  }
}

/** With an HTTP server. Resolves with its address too. */
export async function startWithHttp(options: BotOptions = {}): Promise<BotOnSlack & { readonly address: string }> {
  const on = await startOnSlack({ ...options, config: { ...options.config, http: '127.0.0.1:0' } })
  return { ...on, address: `http://127.0.0.1:${on.bot.address?.port}` }
}

/** The readiness response for a load balancer. */
export async function readiness(address: string): Promise<{ readonly status: number; readonly why?: string }> {
  const response = await fetch(`${address}/readyz`)
  const { why }: { why?: string } = JSON.parse(await response.text())
  return { status: response.status, ...(why !== undefined && { why }) }
}

export const mention = (text: string) => ({ author: 'alice', channel: 'general', text, mention: true })

/** Alice asks, and the answer arrives. */
export async function ask({ slack, texts }: BotOnSlack, text: string): Promise<void> {
  await slack.say(mention(text))
  await until(() => texts().includes(`to ${text}`))
}

/** A whole bot, and its platform, for calls that the kernel makes at other times. */
export async function startWithPlatform(given: BotOptions = {}): Promise<BotOnSlack & { readonly platform: Required<Platform> }> {
  const platforms: Platform[] = []
  const on = await startOnSlack({
    ...given,
    plugin(slack) {
      const { definition, options } = (given.plugin ?? overSocket)(slack)
      const setup: typeof definition.setup = async (ctx, options) => {
        const parts = await definition.setup(ctx, options)
        if (parts && 'platform' in parts && parts.platform) platforms.push(parts.platform)
        return parts
      }
      return { definition: { ...definition, setup }, options }
    },
  })
  const [platform] = platforms
  return { ...on, platform: platform as Required<Platform> }
}

/** The plugin with parts of its context replaced. */
export function changed({ definition, options }: Plugin, change: (ctx: PlatformContext) => Partial<PlatformContext>): Plugin {
  const setup: typeof definition.setup = (ctx, given) => {
    const properties = Object.getOwnPropertyDescriptors(change(ctx as PlatformContext))
    return definition.setup(Object.create(ctx, properties), given)
  }
  return { definition: { ...definition, setup }, options }
}

function collected(lines: string[]): Logger {
  const write = (level: string) => (message: string, fields?: object) => {
    const text = JSON.stringify(fields ?? {}, (_key, value) => (value instanceof Error ? `${value.stack} ${value.cause}` : value))
    lines.push(`${level} ${message} ${text}`)
  }
  const log: Logger = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error'), child: () => log }
  return log
}

/** Waits until the condition holds. The time limit of the test ends the wait. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise(resolve => setTimeout(resolve, 5))
}
