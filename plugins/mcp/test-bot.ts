/** A whole bot with MCP servers and a scripted model, for tests. */
import reply from '@kikimimi/reply'
import type { Turn } from 'kikimimi'
import { definePlugin } from 'kikimimi'
import { type ScriptedModel, scriptedModel, type TestBot, type TestBotOptions, testBot } from 'kikimimi/testing'
import { vi } from 'vitest'
import mcp from './index.ts'

type Servers = NonNullable<Parameters<typeof mcp>[0]>

export interface Using extends AsyncDisposable {
  readonly bot: TestBot
  readonly model: ScriptedModel
  /**
   * Says something to the bot, and waits for the end of its turn. Returns the texts that the bot has posted meanwhile. `slow`: so much
   * time passes at once, again and again until then.
   */
  ask(
    author: string,
    text: string,
    said?: Parameters<TestBot['say']>[2] & { readonly slow?: '1s' | '10s' },
  ): Promise<readonly string[]>
  /** Waits until the bot has done what the check looks for. */
  until(check: () => unknown): Promise<unknown>
  /** The tools that the model was offered last. */
  offered(): readonly string[]
  /** What the model got from tools in its last request. */
  results(): readonly string[]
}

/** A call of a tool, and then an answer. */
export interface Step {
  readonly tool: string
  readonly args?: Readonly<Record<string, unknown>>
}

/** @param script what the model does when it is asked with these words: calls of tools first, then “done” */
export async function using(
  options: Servers,
  script: Readonly<Record<string, readonly Step[]>> = {},
  { plugins = [], ...more }: Omit<TestBotOptions, 'model'> = {},
): Promise<Using> {
  const ended: Turn[] = []
  const watching = definePlugin({ name: 'watching', setup: () => ({ after: turn => void ended.push(turn) }) })
  let asked = ''
  const model = scriptedModel(request => {
    const steps = Object.entries(script).find(([words]) => asked.includes(words))?.[1] ?? []
    if (request.messages.some(({ role }) => role === 'tool') || steps.length === 0 || !request.tools?.length) return 'done'
    return { toolCalls: steps.map(({ tool, args = {} }, index) => ({ id: `${index}`, name: tool, args })) }
  })
  const bot = await testBot({ ...more, plugins: [mcp(options), ...plugins, reply(), watching], model })
  const until = (check: () => unknown) => vi.waitFor(check, { timeout: 60_000, interval: 5 })
  return {
    bot,
    model,
    until,
    async ask(author, text, { slow, ...said } = {}) {
      asked = text
      const [turns, posts] = [ended.length, bot.sent.length]
      await bot.say(author, text, said)
      await until(async () => {
        if (slow) await bot.pass(slow)
        if (ended.length === turns) throw new Error('the turn has not ended')
      })
      await bot.pass('1s')
      return bot.sent.slice(posts)
    },
    offered: () => model.asked.findLast(({ tools }) => tools !== undefined)?.tools?.map(({ name }) => name) ?? [],
    results: () => model.asked.at(-1)?.messages.flatMap(one => (one.role === 'tool' ? one.text : [])) ?? [],
    [Symbol.asyncDispose]: () => bot[Symbol.asyncDispose](),
  }
}
