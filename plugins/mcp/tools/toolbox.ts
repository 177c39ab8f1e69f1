/** The tools of all servers as tools for models, with their permissions, within a limit of tokens. */
import { estimateTokens, KikimimiError, type PluginContext, type Tool, type ToolResult, type Turn } from 'kikimimi'
import { z } from 'zod'
import { type Connection, ServerError } from '../client/connection.ts'
import type { Questions } from '../confirm.ts'
import { quote, quoteResult, readCall, readContents } from '../data/result.ts'
import { shortText } from '../data/schema.ts'
import type { Options } from '../options.ts'
import { type Annotations, changes, needsConfirmation, permissionFor } from '../rules.ts'
import { toolName } from './names.ts'

/** A tool of a server. */
export interface McpTool extends Tool {
  readonly server: string
  /** As the server calls it. */
  readonly tool: string
  /** `SERVER/TOOL`, for people and rules. */
  readonly label: string
  /** Tokens of the description in a prompt, estimated. */
  readonly tokens: number
  /**
   * Runs the call without asking. The result is quoted data, also that of a call that failed.
   * @param limit the most characters of the quotation
   */
  run(args: unknown, turn: Turn, signal: AbortSignal, limit?: number): Promise<ToolResult>
}

export interface Toolbox {
  /** The same array always: the bot reads it for each answer. */
  readonly tools: McpTool[]
  /** Makes the tools again, after a server has listed others. */
  refresh(): void
}

export interface ToolboxOptions {
  readonly ctx: Pick<PluginContext, 'clock' | 'use' | 'note'>
  readonly options: Options
  readonly connections: readonly Connection[]
  readonly questions: Questions
}

/** A tool before it has a name for models. */
interface Given {
  readonly name: string
  readonly description: string
  readonly schema: Readonly<Record<string, unknown>>
  readonly annotations: Annotations
  read(args: unknown, signal: AbortSignal): Promise<ReturnType<typeof readCall>>
}

export function createToolbox({ ctx, options, connections, questions }: ToolboxOptions): Toolbox {
  const tools: McpTool[] = []
  /** Tools that have changed something once. A server that calls such a tool read-only later is not believed. */
  const changing = new Set<string>()
  const chosen = new WeakMap<Turn, ReadonlySet<Tool>>()

  function make(connection: Connection, given: Given, name: string): McpTool {
    const { name: tool, description, schema } = given
    const server = connection.name
    const label = shortText(`${server}/${tool}`, 80)
    const permission = (conversation: Turn['conversation']) => permissionFor(options.rules, server, tool, conversation)
    if (changes(given.annotations)) changing.add(label)

    async function run(args: unknown, turn: Turn, signal: AbortSignal, limit?: number): Promise<ToolResult> {
      const start = ctx.clock.now()
      const took = () => `${ctx.clock.now() - start} ms`
      try {
        const read = await given.read(args, signal)
        const from = `The result of the tool "${shortText(tool, 80)}" of the MCP server "${server}".`
        const { text, images, size } = await quoteResult(ctx, turn.conversation, from, read, { signal, limit })
        ctx.note(`${label}: ${size}, ${took()}`)
        return { text, images }
      } catch (error) {
        signal.throwIfAborted()
        ctx.note(`${label}: failed, ${took()}`)
        const from = `The MCP server "${server}" ${error instanceof ServerError ? 'refuses the call' : 'could not be used'}.`
        return { text: quote(from, error instanceof Error ? error.message : String(error)), images: [] }
      }
    }

    const made: McpTool = {
      ...{ name, description, schema, server, tool, label, run },
      tokens: estimateTokens(JSON.stringify({ name, description, schema })),
      allows: conversation => permission(conversation)?.people ?? [],
      offered: turn => offer(turn).has(made),
      async invoke(args, { turn, signal }) {
        if (!turn)
          throw new KikimimiError('ARGUMENT_INVALID', `${name} works only in a conversation: pass the turn to the model request.`)
        const allowed = permission(turn.conversation)
        if (!allowed) return 'Not run: this tool may not be used here.'
        if (!needsConfirmation(allowed.confirm, changing.has(label))) return run(args, turn, signal)
        if (!turn.addressed || turn.message.author.bot) return 'Not run: no person has asked for it, who could confirm it.'
        const refused = questions.add(turn, { tool: made, args })
        ctx.note(`${label}: ${refused ?? 'waits for a confirmation'}`)
        return refused ?? ASKED
      },
    }
    return made
  }

  /** The tools that a turn gets. Servers take turns, so that one with many tools leaves room for the others. */
  function offer(turn: Turn): ReadonlySet<Tool> {
    const known = chosen.get(turn)
    if (known) return known
    const usable = (tool: McpTool) => {
      const allowed = permissionFor(options.rules, tool.server, tool.tool, turn.conversation)
      return (
        allowed !== undefined && (turn.addressed !== undefined || !needsConfirmation(allowed.confirm, changing.has(tool.label)))
      )
    }
    const lists = connections
      .filter(({ isPaused }) => !isPaused)
      .map(({ name }) => tools.filter(tool => tool.server === name && usable(tool)))
    const all = lists.reduce((count, { length }) => count + length, 0)
    const fitting = new Set<Tool>()
    let left = options.toolTokens
    for (let at = 0; at < Math.max(0, ...lists.map(({ length }) => length)); at++)
      for (const tool of lists.flatMap(list => list[at] ?? [])) {
        if (tool.tokens > left) continue
        left -= tool.tokens
        fitting.add(tool)
      }
    if (fitting.size < all) ctx.note(`${fitting.size} of ${all} tools offered: toolTokens is ${options.toolTokens}`)
    chosen.set(turn, fitting)
    return fitting
  }

  return {
    tools,
    refresh() {
      const taken = new Set<string>()
      const made = connections.flatMap(connection =>
        givenBy(connection).map(given => {
          const name = toolName(connection.name, given.name, one => taken.has(one))
          taken.add(name)
          return make(connection, given, name)
        }),
      )
      tools.splice(0, tools.length, ...made)
    },
  }
}

const ASKED =
  'Not run yet. The bot itself asks the person below your answer, and shows the arguments. Say in one sentence what you would do, and do not claim that it is done.'

/** The tools of a server, and those with which its resources are read. */
function givenBy(connection: Connection): readonly Given[] {
  const own = connection.tools.map(
    (tool): Given => ({ ...tool, read: async (args, signal) => readCall(await connection.call(tool.name, args, signal)) }),
  )
  return connection.hasResources ? [...own, ...resourceTools(connection)] : own
}

const READ_ONLY: Annotations = { readOnlyHint: true }

function resourceTools(connection: Connection): readonly Given[] {
  return [
    {
      name: 'list_resources',
      description: `Lists the resources of the server ${connection.name}: documents and data that read_resource reads.`,
      schema: { type: 'object', properties: {} },
      annotations: READ_ONLY,
      read: async (_args, signal) => ({
        texts: (await connection.listResources(signal)).slice(0, LISTED).map(resourceLine),
        files: [],
      }),
    },
    {
      name: 'read_resource',
      description: `Reads a resource of the server ${connection.name} by its URI.`,
      schema: { type: 'object', properties: { uri: { type: 'string' } }, required: ['uri'] },
      annotations: READ_ONLY,
      read: async (args, signal) => readContents(await connection.readResource(uriIn.parse(args).uri, signal)),
    },
  ]
}

/** Resources in a list. */
const LISTED = 100

const uriIn = z.looseObject({ uri: z.string().min(1) })

const listedResource = z.looseObject({
  uri: z.string(),
  name: z.string().optional().catch(undefined),
  description: z.string().optional().catch(undefined),
})

function resourceLine(given: unknown): string {
  const { data } = listedResource.safeParse(given)
  return data
    ? [data.uri, data.name, data.description].flatMap(part => (part ? shortText(part, 200) : [])).join(' — ')
    : '[unreadable]'
}
