import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import manifest from '../../../package.json' with { type: 'json' }
import type { FromBot, Settings, State } from './messages.ts'

/** A bot in its own process, so that the load of its clients does not count. */
export interface BotProcess extends AsyncDisposable {
  /** When the message was committed to the database. */
  recorded(id: string): Promise<number>
  state(): Promise<State>
}

const CLI = fileURLToPath(new URL('../../../packages/cli/cli.ts', import.meta.url))
const CONFIG = fileURLToPath(new URL('./bot.config.ts', import.meta.url))

/** Resolves when it is connected. */
export async function startBotProcess(settings: Settings): Promise<BotProcess> {
  const env = { ...process.env, LOG_LEVEL: 'warn', BENCH_SETTINGS: JSON.stringify(settings) }
  const child = fork(CLI, ['start', '--config', CONFIG], {
    env,
    execArgv: manifest.kikimimi.flags,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const { promise: ready, resolve: isReady, reject: failed } = Promise.withResolvers<void>()
  const messages = new Map<string, PromiseWithResolvers<number>>()
  let asked: PromiseWithResolvers<State> | undefined

  const message = (id: string) => {
    const known = messages.get(id) ?? Promise.withResolvers<number>()
    messages.set(id, known)
    return known
  }
  child.once('exit', code => failed(new Error(`the bot ended with code ${code}`)))
  child.on('message', (told: FromBot) => {
    if (told.kind === 'ready') isReady()
    else if (told.kind === 'state') asked?.resolve(told)
    else for (const [id, at] of told.messages) message(id).resolve(at)
  })
  await ready
  return {
    async recorded(id) {
      const at = await message(id).promise
      messages.delete(id)
      return at
    },

    state() {
      asked = Promise.withResolvers<State>()
      child.send('state')
      return asked.promise
    },

    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}
