/** A bot for tests that listens in #general, and a model that answers each question from its own list. */
import reply from '@kikimimi/reply'
import type { PluginEntry } from 'kikimimi'
import type { ChatModel, GenerateRequest } from 'kikimimi/model'
import {
  promptOf,
  type Script,
  type ScriptedModel,
  scriptedModel,
  type TestBot,
  type TestBotOptions,
  testBot,
} from 'kikimimi/testing'
import eavesdrop from './index.ts'

export type Step = 'state' | 'same' | 'verdict' | 'answer'

/** The model's answers to each question, in order; the last one repeats. */
export type Says = { readonly [S in Step]?: Script | readonly Script[] }

export interface Mind {
  readonly model: ScriptedModel
  /** The questions to the model, in order. */
  readonly steps: Step[]
  /** The prompts of one step. */
  prompts(step: Step): readonly string[]
}

export function mind(says: Says = {}): Mind {
  const given: Required<Says> = { state: 'ACTIVE', same: 'DIFFERENT', verdict: 'NO', answer: 'Let us sort this out.', ...says }
  const steps: Step[] = []
  const model = scriptedModel(request => {
    const step = stepOf(request)
    const script = given[step]
    const list = Array.isArray(script) ? script : [script]
    const said: Script = list[Math.min(steps.filter(one => one === step).length, list.length - 1)]
    steps.push(step)
    return said
  })
  return {
    model,
    steps,
    prompts: step => model.asked.filter(request => stepOf(request) === step).map(promptOf),
  }
}

function stepOf({ role, system }: GenerateRequest): Step {
  if (role === 'chat') return 'answer'
  if (/\bENDING\b/.test(system)) return 'state'
  return /\bSAME\b/.test(system) ? 'same' : 'verdict'
}

export type Given = Parameters<typeof eavesdrop>[0]

/** Another responder stands behind the plugin, so that silence comes from the plugin. */
export function listening(
  { model }: { readonly model: ChatModel },
  options: Given = {},
  { plugins = [], ...rest }: Omit<TestBotOptions, 'model' | 'plugins'> & { plugins?: readonly PluginEntry[] } = {},
): Promise<TestBot> {
  return testBot({ plugins: [eavesdrop({ channels: ['general'], ...options }), plugins, reply()], model, ...rest })
}

/** Lines such as `alice: hello`, said within a few seconds, and the quiet time after which they are judged. */
export async function talk(bot: TestBot, lines: string, channel = 'general'): Promise<void> {
  for (const line of lines.trim().split('\n')) {
    const [, author = '', text = ''] = /^\s*(\w+): (.*)$/.exec(line) ?? []
    await bot.say(author, text, { channel })
    await bot.pass('1s')
  }
  await bot.pass('10s')
}

export const QUARREL = {
  en: `
    alice: you broke the build again
    bob: are you kidding? that was your stupid merge
    alice: shut up, it was fine before you touched it`,
  ja: `
    alice: またビルド壊したよね
    bob: は？ あなたの雑なマージのせいでしょ
    alice: ふざけないで。触る前は動いてた`,
} as const

export const MORE = {
  en: `
    bob: you never listen, this is ridiculous
    alice: because you only talk nonsense`,
  ja: `
    bob: いつも人の話を聞かないよね、最低
    alice: くだらないことしか言わないからでしょ`,
} as const

export const ADVICE = `
  alice: the deploy hangs since noon
  bob: mine went through
  alice: I am stuck, any ideas`
