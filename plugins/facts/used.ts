/** Which facts an answer used. Only these grow stronger. */
import { channelOf, type MessageLog, type Trace, type Turn } from 'kikimimi'
import type { Fact, Recalled } from './api/facts.ts'
import { wordsOf } from './text/tokens.ts'

/** The facts that a turn was shown, until the turn ends. */
export class Shown {
  readonly #facts = new Map<string, Map<number, Fact>>()

  add({ id }: Turn, recalled: readonly Recalled[]): void {
    const facts = this.#facts.get(id) ?? new Map<number, Fact>()
    for (const one of recalled) if (one.kind === 'fact') facts.set(one.fact.id, one.fact)
    this.#facts.set(id, facts)
  }

  /** Ids of the shown facts with a word that the answer has and the question has not. */
  async usedIn(log: MessageLog, turn: Turn, { outcome, sent }: Trace): Promise<readonly number[]> {
    const facts = this.#facts.get(turn.id)
    if (!facts || facts.size === 0 || outcome !== 'replied' || sent.length === 0) return []
    const messages = sent.map(id => ({ channel: channelOf(turn.conversation), id }))
    const said = await log.read({ readers: 'operator', messages, limit: messages.length })
    const asked = new Set(wordsOf([...turn.messages, ...turn.added].map(({ text }) => text).join('\n')))
    const answered = new Set(wordsOf(said.map(({ text }) => text).join('\n')).filter(word => !asked.has(word)))
    return [...facts.values()].filter(({ content }) => wordsOf(content).some(word => answered.has(word))).map(({ id }) => id)
  }

  forget({ id }: Turn): void {
    this.#facts.delete(id)
  }
}
