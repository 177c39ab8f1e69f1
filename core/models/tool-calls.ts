import type { ChatTurn, Tool, ToolCall, ToolResult, Turn } from '../api/index.ts'
import type { Clock } from '../base/clock.ts'
import { KikimimiError, reason } from '../base/errors.ts'
import type { Logger } from '../base/log.ts'
import { withTimeout } from '../base/timeout.ts'
import { textOf } from './langchain.ts'
import { fit, isSchema, lines } from './structured.ts'

const DEADLINE_MS = 30_000

/** Longest result of a tool, in UTF-16 code units; the rest is cut. */
const LONGEST = 16_000

export interface ToolRun {
  readonly tools: readonly Tool[]
  readonly clock: Clock
  readonly log: Logger
  readonly signal?: AbortSignal | undefined
  readonly turn?: Turn | undefined
}

/**
 * Runs a tool that a model called. Errors become the result, so that the model can try again or explain. It rejects only
 * when the caller's signal aborts.
 */
export async function runTool(call: ToolCall, { tools, clock, log, signal, turn }: ToolRun): Promise<ToolAnswer> {
  const said = (text: string, failed: boolean, images: readonly string[] = []): ToolAnswer => {
    const short = text.length > LONGEST ? `${text.slice(0, LONGEST)}\n… (cut)` : text
    return { turn: { role: 'tool', id: call.id, name: call.name, text: short, failed }, images }
  }
  const tool = tools.find(({ name }) => name === call.name)
  if (!tool) return said(`There is no tool "${call.name}". The tools are: ${tools.map(({ name }) => name).join(', ')}.`, true)

  const late = () => new KikimimiError('STAGE_TIMEOUT', `no result within ${DEADLINE_MS / 1000} s`)
  try {
    const input = await checked(tool, call.args)
    if ('problem' in input) return said(input.problem, true)
    const result = await withTimeout({ clock, ms: DEADLINE_MS, late, signal }, ended =>
      tool.invoke(input.value, { signal: ended, ...(turn && { turn }) }),
    )
    if (isToolMessage(result)) return said(textOf(result.content), result.status === 'error')
    if (isToolResult(result)) return said(result.text, false, result.images)
    return said(typeof result === 'string' ? result : (JSON.stringify(result) ?? 'done'), false)
  } catch (error) {
    signal?.throwIfAborted()
    log.warn('tool failed', { tool: tool.name, error: error instanceof Error ? error.name : typeof error })
    return said(`The tool failed: ${reason(error)}`, true)
  }
}

/** What a tool has said, and the pictures in its result. */
export interface ToolAnswer {
  readonly turn: ChatTurn
  readonly images: readonly string[]
}

function isToolResult(result: unknown): result is ToolResult {
  if (typeof result !== 'object' || result === null || !('text' in result && 'images' in result)) return false
  const { text, images } = result
  return typeof text === 'string' && Array.isArray(images) && images.every(one => /^data:image\//.test(String(one)))
}

/** What a tool of LangChain can return instead of its result. The `artifact` of the message is not for the model. */
interface ToolMessage {
  readonly content: unknown
  readonly status?: 'success' | 'error'
}

function isToolMessage(result: unknown): result is ToolMessage {
  return typeof result === 'object' && result !== null && 'lc_namespace' in result && 'tool_call_id' in result
}

/** The result of a call that was not run, because the person said more before it began. */
export function skipped({ id, name }: ToolCall): ToolAnswer {
  const turn = {
    role: 'tool' as const,
    id,
    name,
    text: 'Not run: the person has added something. Read it, then call the tools that you still need.',
    failed: true,
  }
  return { turn, images: [] }
}

async function checked(tool: Tool, args: unknown): Promise<{ value: unknown } | { problem: string }> {
  // A LangChain tool parses its input itself: a schema must not transform the input twice.
  if (!isSchema(tool.schema) || 'lc_namespace' in tool) return { value: args }
  const fitted = await fit(tool.schema, args)
  return 'value' in fitted ? fitted : { problem: `The input does not fit:\n${lines(fitted.issues)}` }
}
