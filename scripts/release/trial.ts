/** The packages as a user gets them from a registry: creating a bot, talking to it, adding plugins. */
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { bytesIn } from '../../bench/base/folders.ts'
import { freePort } from '../../core/testing/free-port.ts'
import { succeeds } from '../command.ts'
import type { Registry } from './registry.ts'

export interface Step {
  readonly step: string
  readonly seconds: number
  /** Of the bot's node_modules. */
  readonly mb: number
  /** Copies of the kernel below the bot. */
  readonly kernels: number
}

export interface Trial {
  readonly folder: string
  readonly steps: readonly Step[]
  /** `npm install` of these packages in the bot. */
  install(step: string, ...packages: string[]): Promise<void>
  /** `kikimimi add` of a plugin in the bot, with these words behind it. Throws if its check finds a problem. */
  add(name: string, ...words: string[]): Promise<void>
  /** `kikimimi remove` of a plugin. */
  remove(name: string): Promise<void>
  /** The output of another command of kikimimi in the bot. */
  kikimimi(...words: string[]): Promise<string>
  /** Starts the bot with these lines as the terminal's input. Throws if its output lacks the expected text. */
  talk(step: string, lines: readonly string[], expected: string): Promise<void>
}

/** `npm create kikimimi my-bot`, in an empty folder. */
export async function createBot(parent: string, registry: Registry): Promise<Trial> {
  const env = { ...registry.env, KIKIMIMI_HTTP: `127.0.0.1:${await freePort()}` }
  const folder = join(parent, 'my-bot')
  const steps: Step[] = []
  const timed = async (step: string, work: () => Promise<unknown>) => {
    const begun = performance.now()
    await work()
    const seconds = Math.round((performance.now() - begun) / 100) / 10
    const mb = Math.round(bytesIn(join(folder, 'node_modules')) / 2 ** 20)
    steps.push({ step, seconds, mb, kernels: (await kernelsOf(folder)).length })
  }
  await timed('npm create', () => succeeds(parent, 'npm', ['create', 'kikimimi', 'my-bot', '--yes'], { env }))
  const kikimimi = (...words: string[]) => succeeds(folder, 'npm', ['run', '--silent', 'kikimimi', '--', ...words], { env })
  return {
    folder,
    steps,
    kikimimi,
    add: (name, ...words) => timed(`kikimimi add ${name}`, () => kikimimi('add', name, '--yes', ...words)),
    remove: name => timed(`kikimimi remove ${name}`, () => kikimimi('remove', name, '--yes')),
    install: (step, ...packages) =>
      timed(step, () => succeeds(folder, 'npm', ['install', ...packages, '--loglevel=error'], { env })),
    talk: (step, lines, expected) =>
      timed(step, async () => {
        const out = await succeeds(folder, 'npm', ['start', '--silent'], { env, input: `${lines.join('\n')}\n` })
        if (!out.includes(expected)) throw new Error(`${step}: the bot said "${out.trim()}", without "${expected}".`)
      }),
  }
}

/** The folders of the kernels that a bot would load. */
async function kernelsOf(folder: string): Promise<string[]> {
  const out = await succeeds(folder, 'npm', ['ls', 'kikimimi', '--all', '--parseable', '--silent'])
  const folders = [...new Set(out.split('\n').filter(line => line.endsWith('/node_modules/kikimimi')))]
  await Promise.all(folders.map(path => access(path)))
  return folders
}

/** Three plugins that a new bot does not have, one of them with a secret. */
export async function addThree(trial: Trial): Promise<void> {
  const [key = ''] = (await trial.kikimimi('backup', '--new-key')).match(/AGE-SECRET-KEY-1\w+/) ?? []
  await trial.add('digest')
  await trial.add('promises')
  await trial.add('backup', '--set', `key=${key}`)
}

/** Remembering over a restart takes the kernel, storage, recall and the offline model. */
export async function meets(trial: Trial, step: string): Promise<void> {
  await trial.talk(`${step}: a first talk`, ['alice: the train leaves at ten', 'alice: @kiki hello'], 'Hello, alice!')
  await trial.talk(`${step}: a restart`, ['bob: @kiki when does the train leave?'], 'the train leaves at ten')
}
