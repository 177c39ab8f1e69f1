/**
 * Runs the stages of a turn and combines the results of plugins. The rules are the table in stages.ts. The kernel decides only in the
 * last line of `#decide`.
 */

import { totalOf } from '../../api/checks/results.ts'
import {
  type Address,
  type Context,
  type Conversation,
  type Decision,
  type DecisionToSpeak,
  type Drop,
  type IncomingMessage,
  type Message,
  type OpenBreaker,
  PLACES,
  type Reply,
  type Section,
  type Silence,
  type Stage,
  type TotalScore,
  type Trace,
  type Turn,
} from '../../api/index.ts'
import { estimateTokens } from '../../base/text/tokens.ts'
import { fit } from '../../prompt/fit.ts'
import { type CallOptions, Calls, type From, type PluginStages, type Work } from './call.ts'
import type { TraceDraft } from './trace.ts'

export interface PipelineOptions extends CallOptions {
  /** Largest number of tokens of all sections of a prompt together. */
  readonly contextTokens: number
}

/** Why a message is dropped or an answer cancelled, and by which plugin. */
export interface Reason {
  readonly plugin: string
  readonly why: string
}

export class Pipeline {
  readonly #calls: Calls
  readonly #contextTokens: number
  /** By the batch, which all copies of a turn share. */
  readonly #contexts = new WeakMap<Turn['messages'], Promise<Context>>()

  constructor(plugins: readonly PluginStages[], options: PipelineOptions) {
    this.#calls = new Calls(plugins, options)
    this.#contextTokens = options.contextTokens
  }

  /** Plugins that are paused in a stage. */
  get breakers(): readonly OpenBreaker[] {
    return this.#calls.breakers
  }

  /** Whether a plugin fills the stage. */
  has(stage: Stage): boolean {
    return this.#calls.has(stage)
  }

  /** Why the message is dropped, or nothing. A failing filter drops it too. Rejects while the database stays unavailable. */
  async filter(message: IncomingMessage, stopping: AbortSignal): Promise<Reason | undefined> {
    return reasonOf(await this.#calls.first('filter', onMessage(stopping, message.text), [message], () => 'the filter failed'))
  }

  /** Reports a dropped message to the plugins. Never rejects; the caller does not wait for it. */
  async onDropped(drop: Drop, stopping: AbortSignal): Promise<void> {
    await this.#calls.all('onDropped', onMessage(stopping), [drop])
  }

  /** How the message addresses the bot, according to the plugins. Rejects while the database stays unavailable. */
  async address(message: IncomingMessage, stopping: AbortSignal): Promise<Address | undefined> {
    return (await this.#calls.first('address', onMessage(stopping, message.text), [message]))?.value
  }

  /** Shows a recorded message to the plugins. Never rejects; the caller does not wait for it. */
  async onRecorded(message: Message, conversation: Conversation, stopping: AbortSignal): Promise<void> {
    await this.#calls.all('onRecorded', onMessage(stopping, message.text), [message, conversation])
  }

  /** Runs score → decide. */
  async judge(turn: Turn, trace: TraceDraft): Promise<Decision> {
    const made = await this.#calls.all('score', onTurn(turn, trace), [])
    const total = totalOf(made.flatMap(({ plugin, value }) => value.map(part => ({ ...part, plugin }))))
    trace.score = total
    trace.decision = await this.#decide(turn, total, trace)
    return trace.decision
  }

  async #decide(turn: Turn, total: TotalScore, trace: TraceDraft): Promise<NonNullable<Trace['decision']>> {
    const call = { context: () => this.#context(turn, UNDECIDED, trace) }
    // Without mention, a failed decider means silence: the next one may rely on its restraint. A mention is answered.
    const made = await this.#calls.first('decide', onTurn(turn, trace), [total, call], plugin =>
      turn.addressed ? undefined : { kind: 'silent', why: `${plugin} failed to decide` },
    )
    const { message } = total
    if (made) return { ...(!turn.addressed && message !== undefined && { message }), ...made.value, plugin: made.plugin }
    return turn.addressed
      ? { kind: 'full', why: `addressed by ${turn.addressed}` }
      : { kind: 'silent', why: 'no plugin decided to speak' }
  }

  /** Makes the context once per turn: the responders get the context that a decider read. */
  #context(turn: Turn, decision: DecisionToSpeak, trace: TraceDraft): Promise<Context> {
    const made = this.#contexts.get(turn.messages) ?? this.#collect(turn, decision, trace)
    this.#contexts.set(turn.messages, made)
    return made
  }

  async #collect(turn: Turn, decision: DecisionToSpeak, trace: TraceDraft): Promise<Context> {
    const work = onTurn(turn, trace)
    const made = await this.#calls.all('context', work, [decision])
    const offered = made.flatMap(({ plugin, value }) =>
      value.map(section => ({ section, plugin, tokens: estimateTokens(section.text) })),
    )
    const kept = fit(offered, this.#contextTokens)
    for (const one of offered)
      trace.sections.push({ title: one.section.title, plugin: one.plugin, tokens: one.tokens, kept: kept.has(one) })
    const sections = offered.filter(one => kept.has(one)).map(({ section, plugin }) => this.#guarded(section, plugin, work))
    turn.sources.push(...sections.flatMap(section => section.sources ?? []))
    return { sections: sections.sort((a, b) => PLACES.indexOf(a.place) - PLACES.indexOf(b.place)) }
  }

  /** The section with a `finish` that never throws. */
  #guarded({ finish, ...section }: Section, plugin: string, work: Work): Section {
    if (!finish) return section
    const guardedFinish = (answer: string) => {
      try {
        return finish(answer)
      } catch (error) {
        this.#calls.report({ plugin, stage: 'context' }, work, error)
        return answer
      }
    }
    return { ...section, finish: guardedFinish }
  }

  /** Runs context → respond. Returns nothing when no responder had an answer. */
  async answer(turn: Turn, decision: DecisionToSpeak, trace: TraceDraft): Promise<Reply | Silence | undefined> {
    const context = await this.#context(turn, decision, trace)
    const made = await this.#calls.first('respond', onTurn(turn, trace), [decision, context])
    const reply = made ?? reactionOf(decision)
    if (turn.signal.aborted || !reply) return undefined
    const { plugin, value } = reply
    const finished = value.kind === 'text' ? { ...value, text: finish(value.text, context) } : value
    if (finished.kind === 'silent') trace.by = plugin
    else trace.reply = { kind: finished.kind, plugin, length: finished.kind === 'text' ? finished.text.length : 0 }
    return finished
  }

  /** Whether what the caller adds gets a turn of its own. */
  async isSeparate(turn: Turn, added: Message, trace: TraceDraft): Promise<boolean> {
    const work = { ...onTurn(turn, trace), texts: () => [added.text] }
    return (await this.#calls.first('separate', work, [added])) !== undefined
  }

  /** Why a reply is cancelled after the messages in `news`, or nothing. */
  async beforeSend(turn: Turn, news: readonly Message[], reply: Reply, trace: TraceDraft): Promise<Reason | undefined> {
    return reasonOf(await this.#calls.first('beforeSend', onTurn(turn, trace), [news, reply]))
  }

  /** Tells the plugins how a turn ended. Waits while the database is unavailable. Never rejects. */
  async after(turn: Turn, trace: Trace, stopping: AbortSignal): Promise<void> {
    await this.#calls.all('after', { ...onTurn(turn), signal: stopping }, [trace])
  }
}

function onMessage(signal: AbortSignal, ...texts: readonly string[]): Work {
  return { signal, texts: () => texts }
}

/** @param trace absent: the trace is complete */
function onTurn(turn: Turn, trace?: TraceDraft): Work {
  return { signal: turn.signal, texts: () => turn.history.map(({ text }) => text), turn, ...(trace && { trace }) }
}

function reasonOf(from: From<string> | undefined): Reason | undefined {
  return from && { plugin: from.plugin, why: from.value }
}

/** The reply of a decision that names an emoji, for the case that no responder has one. */
function reactionOf({ kind, emoji, plugin = '' }: DecisionToSpeak): From<Reply> | undefined {
  return kind === 'react' && emoji !== undefined ? { plugin, value: { kind: 'reaction', emoji } } : undefined
}

/** Lets the sections rewrite the answer. One that leaves no text changes nothing. */
function finish(answer: string, { sections }: Context): string {
  return sections.reduce((text, section) => section.finish?.(text).trim() || text, answer)
}

/** The decision that context providers get while a decider reads the context. */
const UNDECIDED: DecisionToSpeak = { kind: 'full', why: 'not decided yet' }
