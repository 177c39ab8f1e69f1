/** What happens with the answer to a question: the calls run, and the next answer of the bot gets their results. */
import {
  type Access,
  channelOf,
  languageOf,
  type MessageSource,
  type PluginContext,
  type Section,
  type Trace,
  type Turn,
  turnSources,
  withTimeout,
} from 'kikimimi'
import { OPEN_MINUTES, type Questions, type WaitingCall } from './confirm.ts'
import { texts } from './texts.ts'
import type { McpTool } from './tools/toolbox.ts'

/** Milliseconds for all calls of a question, less than the stage has. */
const RUN_MS = 27_000

/** Characters of all results in the prompt: the section has to fit beside the others. */
const RESULTS_LENGTH = 5_000

/** The most results that wait for an answer of the bot. */
const RESULTS = 100

export interface Confirmed {
  /** Runs or drops the calls that the message answers. Returns the reason of the decision; nothing for any other message. */
  decide(turn: Turn): Promise<string | undefined>
  /** What was done, for the prompt. */
  section(turn: Turn): Section | undefined
  /** Posts the question of the turn, if it has one and its answer was sent. */
  after(turn: Turn, trace: Trace): Promise<void>
}

export interface ConfirmedOptions {
  readonly ctx: Pick<PluginContext, 'bot' | 'clock' | 'log' | 'note' | 'send'>
  readonly access: Access
  readonly questions: Questions
  /** The tool now, by its name: a server can have taken it back. */
  toolNow(name: string): McpTool | undefined
}

export function createConfirmed({ ctx, access, questions, toolNow }: ConfirmedOptions): Confirmed {
  /** By channel and person, until an answer of the bot had them. */
  const results = new Map<string, { readonly text: string; readonly sources: readonly MessageSource[] }>()
  const keyOf = ({ conversation, message }: Turn) => `${channelOf(conversation)}\n${message.author.id}`

  async function runOne(turn: Turn, { tool: asked, args }: WaitingCall, signal: AbortSignal, limit: number): Promise<string> {
    const say = texts(languageOf(turn.history, ctx.bot.locale))
    const tool = toolNow(asked.name)
    if (!tool || JSON.stringify(tool.schema) !== JSON.stringify(asked.schema) || tool.description !== asked.description)
      return `${asked.label}: not run, because the server has changed this tool since.`
    const refused = await access.refusesTool(tool, turn.conversation, turn.message.author)
    if (refused !== undefined) {
      ctx.note(refused)
      return `${tool.label}: not run, because the person may not use it here.`
    }
    const { text } = await tool.run(args, turn, signal, limit)
    return `${say('confirm.done', { tool: tool.label })}\n\n${text}`
  }

  return {
    async decide(turn) {
      const { conversation, message, addressed } = turn
      if (!addressed) return undefined
      const told = questions.answer(conversation, message, [...turn.persona.names, turn.me.name])
      // Anything else that the person says to the bot ends the question.
      if (!told) {
        questions.drop(conversation, message.author.id)
        return undefined
      }
      // Closed first: no call runs twice.
      questions.close(told.question)
      const { calls, sources } = told.question
      while (results.size >= RESULTS) results.delete([...results.keys()][0] ?? '')
      if (told.answer === 'no') {
        const tools = calls.map(({ tool }) => tool.label).join(', ')
        const text = texts(languageOf(turn.history, ctx.bot.locale))('confirm.refused', { tools })
        results.set(keyOf(turn), { text, sources })
        return 'refuses the call of a tool'
      }
      const late = () => new Error('late')
      const limit = Math.floor(RESULTS_LENGTH / calls.length)
      const run = async (call: WaitingCall) => {
        try {
          return await withTimeout({ clock: ctx.clock, ms: RUN_MS, late, signal: turn.signal }, signal =>
            runOne(turn, call, signal, limit),
          )
        } catch {
          return `${call.tool.label}: no result in time. It may have run.`
        }
      }
      results.set(keyOf(turn), { text: (await Promise.all(calls.map(run))).join('\n\n'), sources })
      return 'confirms the call of a tool'
    },

    section(turn) {
      const result = turn.addressed && results.get(keyOf(turn))
      if (!result) return undefined
      const title = texts(languageOf(turn.history, ctx.bot.locale))('confirm.results')
      return { title, ...result, place: 'situation', weight: 100 }
    },

    async after(turn, { outcome }) {
      if (outcome !== 'cancelled' && outcome !== 'delayed') results.delete(keyOf(turn))
      const question = questions.of(turn)
      if (!question || outcome === 'delayed' || question.posted.length > 0) return
      if (outcome !== 'replied') return questions.close(question)
      const { conversation, message, history } = turn
      const say = texts(languageOf(history, ctx.bot.locale))
      const calls = question.calls.map(({ tool, args }) => `▸ ${tool.label}\n${fenced(JSON.stringify(args, null, 1))}`)
      const ask = say('confirm.ask', { name: message.author.name, minutes: OPEN_MINUTES })
      question.sources = turnSources(turn)
      try {
        const text = [...calls, ask].join('\n')
        question.posted = await ctx.send(conversation, { kind: 'text', text, replyTo: message.id }, { sources: question.sources })
        question.isFollowed = false
      } catch (error) {
        questions.close(question)
        ctx.log.warn('could not ask for a confirmation', { error: error instanceof Error ? error.name : typeof error })
      }
    },
  }
}

/** A block of code that the text cannot end. */
function fenced(text: string): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2)
  const fence = '`'.repeat(longest + 1)
  return `${fence}json\n${text}\n${fence}`
}
