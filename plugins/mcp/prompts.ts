/** `/kiki prompt`: the prompts of MCP servers, for the person who chooses one. */

import type { Access } from 'kikimimi'
import { type ChatCommand, type CommandCall, type PluginContext, type Tool, withTimeout } from 'kikimimi'
import { z } from 'zod'
import type { Connection } from './client/connection.ts'
import { shortText } from './data/schema.ts'
import { texts } from './texts.ts'

/** Output tokens of an answer, and characters of a prompt. */
const TOKENS = 800
const LONGEST = 16_000

/** Prompts that are listed, and milliseconds to list them: a command has 20 s. */
const LISTED = 40
const LIST_MS = 5_000

const prompt = z.looseObject({
  name: z.string().min(1).max(100),
  description: z.string().optional().catch(undefined),
  arguments: z
    .array(z.looseObject({ name: z.string(), required: z.boolean().optional().catch(undefined) }))
    .optional()
    .catch(undefined),
})

const message = z.looseObject({
  role: z.enum(['user', 'assistant']),
  content: z.looseObject({ type: z.literal('text'), text: z.string() }),
})

export interface PromptsOptions {
  readonly ctx: Pick<PluginContext, 'bot' | 'clock' | 'models'>
  readonly connections: readonly Connection[]
  readonly access: Access
  /** Stands for the prompts of a server in the rules: `SERVER/prompts`. Nothing: they may not be used there. */
  permission(server: string, call: CommandCall): Pick<Tool, 'name' | 'allows'> | undefined
}

export function promptCommand({ ctx, connections, access, permission }: PromptsOptions): ChatCommand {
  async function mayUse(server: string, call: CommandCall): Promise<boolean> {
    const allowed = permission(server, call)
    if (!allowed) return false
    const tool: Tool = { ...allowed, description: '', schema: {}, invoke: async () => undefined }
    return (await access.refusesTool(tool, call.conversation, call.person)) === undefined
  }

  async function promptsFor(call: CommandCall) {
    const late = () => new Error('late')
    const lists = connections.map(async connection => {
      if (!connection.hasPrompts || connection.isPaused || !(await mayUse(connection.name, call))) return []
      try {
        const listed = await withTimeout({ clock: ctx.clock, ms: LIST_MS, late, signal: call.signal }, signal =>
          connection.listPrompts(signal),
        )
        return listed.flatMap(one => {
          const { data } = prompt.safeParse(one)
          return data ? [{ connection, prompt: data, label: `${connection.name}/${data.name}` }] : []
        })
      } catch {
        call.signal.throwIfAborted()
        return []
      }
    })
    return (await Promise.all(lists)).flat()
  }

  return {
    name: 'prompt',
    does: texts.all('command.prompt'),
    usage: '[SERVER/NAME ARGUMENT=VALUE …]',
    permission: 'everyone',
    takes: text => text === '' || /^[a-z][a-z0-9]*\/\S/.test(text),

    async complete(call) {
      return (await promptsFor({ ...call, args: undefined, at: new Date(ctx.clock.now()) }))
        .map(({ label }) => label)
        .slice(0, LISTED)
    },

    async run(call) {
      const say = texts(call.locale)
      const all = await promptsFor(call)
      if (call.text === '') {
        if (all.length === 0) return say('prompt.none')
        return all
          .slice(0, LISTED)
          .map(({ label, prompt }) => `${shortText(`${label} ${argumentsOf(prompt)}`, 150)}${describe(prompt.description)}`)
          .join('\n')
      }
      const [name = ''] = call.words
      const found = all.find(({ label }) => label === name)
      if (!found) return say('prompt.unknown', { name: shortText(name, 80) })
      const { connection, prompt: chosen } = found
      const given = valuesIn(
        call.text.slice(name.length),
        (chosen.arguments ?? []).map(one => one.name),
      )
      const missing = (chosen.arguments ?? []).filter(one => one.required && given[one.name] === undefined)
      if (missing.length > 0) {
        const list = missing.map(one => one.name).join(', ')
        return say('prompt.missing', { arguments: shortText(list, 200), name, example: shortText(argumentsOf(chosen), 200) })
      }
      const messages = await connection.getPrompt(chosen.name, given, call.signal).catch(() => {
        call.signal.throwIfAborted()
        return []
      })
      const asked = messages.flatMap(one => message.safeParse(one).data ?? [])
      if (asked.length === 0) return say('prompt.failed', { server: connection.name })
      return ctx.models.text('chat', {
        system: ctx.bot.personaIn(call.conversation).prompt,
        messages: asked.map(({ role, content }) => ({ role, text: content.text.slice(0, LONGEST) })),
        maxTokens: TOKENS,
        conversation: call.conversation,
        signal: call.signal,
      })
    },
  }
}

function argumentsOf(one: z.output<typeof prompt>): string {
  return (one.arguments ?? []).map(({ name, required }) => (required ? `${name}=…` : `[${name}=…]`)).join(' ')
}

function describe(description: string | undefined): string {
  return description ? ` — ${shortText(description, 150)}` : ''
}

/** The values behind `name=`, up to the next name. A value can have spaces. */
function valuesIn(text: string, names: readonly string[]): Record<string, string> {
  const values: Record<string, string> = {}
  let name: string | undefined
  for (const word of text.trim().split(/\s+/)) {
    const next = names.find(one => word.startsWith(`${one}=`))
    if (next !== undefined) {
      name = next
      values[next] = word.slice(next.length + 1)
    } else if (name !== undefined) values[name] += ` ${word}`
  }
  return values
}
