/** Gives the bot the tools, resources and prompts of MCP servers, and shows the bot's memory to MCP clients of its owner. */
import { Access, conversationId, definePlugin, Files, type Message, MessageLog, withTimeout } from 'kikimimi'
import { checkServers } from './check.ts'
import { mcpCommand } from './cli.ts'
import { createConnection } from './client/connection.ts'
import { createLogins } from './client/logins.ts'
import { createQuestions } from './confirm.ts'
import { createConfirmed } from './confirmed.ts'
import { options } from './options.ts'
import { promptCommand } from './prompts.ts'
import { permissionFor } from './rules.ts'
import { createToolbox } from './tools/toolbox.ts'

/** Milliseconds that the first answer waits for the servers. Later ones do without those that are not connected. */
const FIRST_MS = 5_000

export default definePlugin({
  name: 'mcp',
  options,
  needs: [Access, Files, MessageLog],
  before: ['proactive', 'eavesdrop', 'judge-rules', 'judge-llm', 'reply'],
  after: ['remember'],
  migrations: new URL('./migrations/', import.meta.url),
  cli: [mcpCommand],
  check: checkServers,
  setup(ctx, given) {
    const { clock } = ctx
    const logins = createLogins(ctx.db)
    const questions = createQuestions(clock)
    const connections = Object.entries(given.servers).map(([name, options]) =>
      ctx.scope.use(
        createConnection(name, {
          ...{ ctx, options, clock },
          auth: 'oauth' in options && options.oauth ? logins.provider(name, options.url) : undefined,
          changed: () => toolbox.refresh(),
        }),
      ),
    )
    const toolbox = createToolbox({ ctx, options: given, connections, questions })
    const access = ctx.use(Access)
    const confirmed = createConfirmed({ ctx, access, questions, toolNow: name => toolbox.tools.find(one => one.name === name) })
    const wake = () => Promise.all(connections.map(one => one.wake()))
    let first: Promise<unknown> | undefined
    const firstConnections = () => {
      const late = () => new Error('late')
      first ??= withTimeout({ clock, ms: FIRST_MS, late }, wake).catch(() => {})
      return first
    }

    return {
      tools: toolbox.tools,
      commands:
        connections.length > 0
          ? [
              promptCommand({
                ...{ ctx, connections, access },
                permission(server, { conversation }) {
                  const allowed = permissionFor(given.rules, server, 'prompts', conversation)
                  return allowed && { name: `mcp_${server}_prompts`, allows: () => allowed.people }
                },
              }),
            ]
          : [],

      // The first words that the bot hears connect the servers, so that its start waits for none of them.
      onRecorded(message: Message, conversation) {
        questions.said(conversation, message.author.id)
        void wake()
      },

      // “yes” without a mention answers the question, if nobody else has written since.
      address(message) {
        const conversation = { ...message.conversation, id: conversationId(message.conversation) }
        const told = questions.answer(conversation, message, ctx.bot.personaIn(conversation).names)
        return told && !told.question.isFollowed ? 'reply' : undefined
      },

      async decide(turn) {
        const why = await confirmed.decide(turn)
        return why === undefined ? undefined : { kind: 'full', why }
      },

      async context(turn) {
        if (turn.addressed) await firstConnections()
        return confirmed.section(turn)
      },

      after: (turn, trace) => confirmed.after(turn, trace),

      health() {
        const failing = connections.flatMap(({ name, problem }) => (problem === undefined ? [] : `${name}: ${problem}`))
        const connected = connections.filter(({ isConnected }) => isConnected).length
        return {
          state: `${connected} of ${connections.length} MCP servers connected, ${toolbox.tools.length} tools`,
          ...(failing.length > 0 && { problem: `MCP servers do not work: ${failing.join('; ')}. Run kikimimi check.` }),
          gauges: [
            { name: 'servers_connected', help: 'MCP servers that are connected.', value: connected },
            { name: 'servers_failing', help: 'MCP servers that do not work.', value: failing.length },
            { name: 'tools', help: 'Tools of MCP servers.', value: toolbox.tools.length },
          ],
        }
      },

      forget(person) {
        questions.forget(person)
      },
    }
  },
})
