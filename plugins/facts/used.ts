/** Which facts an answer used. Only these grow stronger. */
import { channelOf, type Database, type Trace, type Turn } from 'kikimimi'
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
  async usedIn(db: Database, turn: Turn, { outcome, sent }: Trace): Promise<readonly number[]> {
    const facts = this.#facts.get(turn.id)
    if (!facts || facts.size === 0 || outcome !== 'replied' || sent.length === 0) return []
    const { rows } = await db.query<{ text: string }>(
      'select text from kikimimi_v1.message where channel = $1 and id = any($2) and own and deleted_at is null',
      [channelOf(turn.conversation), sent],
    )
    const asked = new Set(wordsOf([...turn.messages, ...turn.added].map(({ text }) => text).join('\n')))
    const answered = new Set(wordsOf(rows.map(({ text }) => text).join('\n')).filter(word => !asked.has(word)))
    return [...facts.values()].filter(({ content }) => wordsOf(content).some(word => answered.has(word))).map(({ id }) => id)
  }

  forget({ id }: Turn): void {
    this.#facts.delete(id)
  }
}
