import type { ChatModel, GenerateRequest, ToolCall } from '../api/index.ts'

/** The answer of a scripted model: a text, a value for a schema, tool calls, or an error to throw. */
export type Script = string | Error | { readonly value: unknown } | { readonly toolCalls: readonly ToolCall[] }

export interface ScriptedModel extends ChatModel {
  /** Every request so far, oldest first. */
  readonly asked: readonly GenerateRequest[]
}

/**
 * A model with scripted answers.
 * @param script the same answer always, a list of answers (its last entry repeats), or a function of the request. A promise
 * that never resolves is a model that hangs.
 */
export function scriptedModel(
  script: Script | readonly Script[] | ((request: GenerateRequest) => Script | Promise<Script>),
): ScriptedModel {
  const asked: GenerateRequest[] = []
  const answer = (request: GenerateRequest): Script | Promise<Script> => {
    if (typeof script === 'function') return script(request)
    if (isList(script)) return script[Math.min(asked.length, script.length) - 1] ?? new Error('the script is empty')
    return script
  }
  return {
    name: 'scripted',
    asked,
    async generate(request) {
      asked.push(request)
      const said = await answer(request)
      if (said instanceof Error) throw said
      if (typeof said === 'string') return { text: said, toolCalls: [] }
      return 'value' in said ? { text: '', value: said.value, toolCalls: [] } : { text: '', toolCalls: said.toolCalls }
    },
  }
}

/** What people, memory and tools gave to a request: the texts of its user messages. */
export function promptOf(request: GenerateRequest | undefined): string {
  return (request?.messages ?? []).flatMap(({ role, text }) => (role === 'user' ? text : [])).join('\n\n')
}

function isList(script: Script | readonly Script[]): script is readonly Script[] {
  return Array.isArray(script)
}
