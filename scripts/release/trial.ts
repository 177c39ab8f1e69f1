/** The packages as a user gets them from a registry: creating a bot, talking to it, adding plugins. */
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { bytesIn } from '../../bench/base/folders.ts'
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
  /** Starts the bot with these lines as the terminal's input. Throws if its output lacks the expected text. */
  talk(step: string, lines: readonly string[], expected: string): Promise<void>
}

/** `npm create kikimimi my-bot`, in an empty folder. */
export async function createBot(parent: string, { env }: Registry): Promise<Trial> {
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
  return {
    folder,
    steps,
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

/** Remembering over a restart takes the kernel, storage, recall and the offline model. */
export async function meets(trial: Trial, step: string): Promise<void> {
  await trial.talk(`${step}: a first talk`, ['alice: the train leaves at ten', 'alice: @kiki hello'], 'Hello, alice!')
  await trial.talk(`${step}: a restart`, ['bob: @kiki when does the train leave?'], 'the train leaves at ten')
}
