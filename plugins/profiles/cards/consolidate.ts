/** The job that makes cards of facts. */
import { isDeepStrictEqual } from 'node:util'
import { type Fact, type FactStore, Facts } from '@kikimimi/facts'
import { type LogIndex, modelFailure, type PluginContext } from 'kikimimi'
import type { Options } from '../options.ts'
import { type CardLine, inputsOf } from './card.ts'
import { chooseFacts, foldByRules } from './fold.ts'
import { type Given, refusalOf } from './judge.ts'
import { foldByModel } from './model.ts'
import {
  type CardPlace,
  conversationOf,
  dropUnsupported,
  keepCard,
  linesOf,
  look,
  nextCards,
  type StoredLine,
  tidyCards,
} from './storage.ts'

/** The rest waits for the next run, because a long job counts as dead. */
const LONGEST_MS = 5 * 60_000

/** Maximum number of facts that are read for one card. */
const READ = 1_000

/** Number of calls of the model that a run may still make. */
interface Budget {
  calls: number
}

export function createConsolidation(ctx: PluginContext, counts: Pick<LogIndex, 'hold'>, { cards }: Options) {
  const { db, clock, log } = ctx
  const now = () => new Date(clock.now())

  /** The current facts about the person that all readers of the place may read, and that come from messages. */
  async function factsOf(store: FactStore, card: CardPlace): Promise<readonly Fact[]> {
    const facts = await store.list({ conversation: conversationOf(card.realm), person: card.person, limit: READ })
    return facts.filter(({ people, sources }) => people.includes(card.person) && sources.length > 0)
  }

  async function consolidate(store: FactStore, card: CardPlace, budget: Budget, signal: AbortSignal): Promise<void> {
    const readAt = now()
    const facts = await factsOf(store, card)
    const inputs = inputsOf(facts)
    if (inputs === card.inputs) return look(db, card, inputs, readAt)
    await dropUnsupported(db, card, facts)
    const lines = await linesOf(db, card)
    const covered = new Set(lines.flatMap(line => line.facts))
    const names = await store.names(facts)
    const given: Given = {
      facts: chooseFacts(facts, covered),
      before: facts.filter(({ id }) => covered.has(id)),
      names: [card.person, names.get(card.person) ?? ''],
    }
    const { lines: made, final } = await fold(facts, given, budget, signal)
    if (made && !isDeepStrictEqual(made, lines.map(toLine))) {
      await keepCard({ db, counts }, card, made, { facts, at: now(), readAt })
      // A fact can have gone while the card was made.
      await dropUnsupported(db, card, await factsOf(store, card))
    }
    await look(db, card, final ? inputs : null, now())
  }

  /** Without `lines` the card stays as it is. `final`: the next run does not have to look at these facts again. */
  async function fold(
    facts: readonly Fact[],
    given: Given,
    budget: Budget,
    signal: AbortSignal,
  ): Promise<{ readonly lines?: readonly CardLine[]; readonly final: boolean }> {
    const whole = foldByRules(facts)
    if (whole.length === facts.length) return { lines: whole, final: true }
    if (cards.modelCalls === 0) return { ...byRules(given), final: true }
    // A card of the model is not replaced by the rules while the model has no turn.
    const meanwhile = given.before.length === 0 ? byRules(given) : {}
    if (budget.calls === 0) return { ...meanwhile, final: false }
    budget.calls--
    try {
      const lines = await foldByModel(ctx, given.facts, signal)
      // The offline model does not fold.
      if (lines.length === 0) return { ...byRules(given), final: true }
      const refusal = refusalOf(lines, given)
      if (!refusal) return { lines, final: true }
      log.warn('a card of the model is refused', { refusal, facts: given.facts.length })
      return { ...meanwhile, final: true }
    } catch (error) {
      signal.throwIfAborted()
      log.warn('the model for cards failed, trying again in the next run', { why: modelFailure(error) })
      budget.calls = 0
      return { ...meanwhile, final: false }
    }
  }

  return async (signal: AbortSignal): Promise<void> => {
    const store = ctx.use(Facts, 'optional')
    if (!store) return
    const start = clock.now()
    await tidyCards(db, now())
    const budget: Budget = { calls: cards.modelCalls }
    for (const card of await nextCards(db, cards.perRun)) {
      if (signal.aborted || clock.now() - start > LONGEST_MS) return
      await consolidate(store, card, budget, signal)
    }
  }
}

/** As many facts as a card can hold. Without `lines` the card would lose too much. */
function byRules(given: Given): { readonly lines?: readonly CardLine[] } {
  const lines = foldByRules(given.facts)
  const placed = new Set(lines.flatMap(line => line.facts))
  const refused = refusalOf(lines, { ...given, facts: given.facts.filter(({ id }) => placed.has(id)) })
  return refused ? {} : { lines }
}

function toLine({ text, facts }: StoredLine): CardLine {
  return { text, facts }
}
