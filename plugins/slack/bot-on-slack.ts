/** For the tests: a whole bot on a Slack that runs offline. */
import { type Bot, type BotConfig, definePlugin, type Logger, type Plugin, type Reply, startBot, type Turn } from 'kikimimi'
import { scriptedModel } from 'kikimimi/testing'
import { type Slack, type SlackOptions, startSlack } from 'kikimimi/testing/slack'
import slackPlugin from './index.ts'

export interface BotOnSlack extends AsyncDisposable {
  readonly slack: Slack
  readonly bot: Bot
  /** What it has taken a turn on. */
  readonly turns: readonly Turn[]
  /** Texts that people see from the bot. */
  readonly texts: () => readonly string[]
  /** All that it has logged, at every level. */
  readonly log: readonly string[]
  answer(make: (turn: Turn) => Reply | undefined | Promise<Reply | undefined>): void
}

export interface BotOptions {
  readonly slack?: Partial<SlackOptions>
  readonly plugin?: (slack: Slack) => Plugin
  readonly config?: Partial<BotConfig>
  /** Before the bot starts. */
  readonly before?: (slack: Slack) => void
}

export const overSocket = ({ botToken, appToken, apiUrl }: Slack): Plugin =>
  slackPlugin({ botToken, appToken, apiUrl, timeout: '800ms' })

export async function startOnSlack({ plugin = overSocket, config, before, ...options }: BotOptions = {}): Promise<BotOnSlack> {
  const slack = await startSlack({ bot: { id: 'UKIKI', name: 'kiki' }, ...options.slack })
  const turns: Turn[] = []
  const log: string[] = []
  let make: Parameters<BotOnSlack['answer']>[0] = turn => ({
    kind: 'text',
    text: `to ${turn.message.text.replace(/^@kiki /, '')}`,
  })
  const responder = definePlugin({
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
        plugins: [plugin(slack), responder],
        ...config,
      },
      { log: collected(log), env: {} },
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
        await slack.close()
      },
    }
  } catch (error) {
    await slack.close()
    throw error
  }
}

function collected(lines: string[]): Logger {
  const write = (level: string) => (message: string, fields?: object) => {
    const text = JSON.stringify(fields ?? {}, (_key, value) => (value instanceof Error ? `${value.stack} ${value.cause}` : value))
    lines.push(`${level} ${message} ${text}`)
  }
  const log: Logger = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error'), child: () => log }
  return log
}

/** Waits until it holds; the test's own time limit ends a wait for nothing. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise(resolve => setTimeout(resolve, 5))
}
