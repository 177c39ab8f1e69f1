/** Processes all due places, batch by batch. */
import { Facts } from '@kikimimi/facts'
import { Profiles } from '@kikimimi/profiles'
import { BATCH_ATTEMPTS, type Conversation, createFailureTracker, modelFailure, type PluginContext } from 'kikimimi'
import { acceptFacts, acceptProfiles } from './accept.ts'
import { isForgetting, moveMarks, namesAround, nextBatch, type Read, setAside, unchanged } from './batch.ts'
import { type Due, duePlaces } from './due.ts'
import { createExtractor, type Extracted } from './extractor.ts'
import { markHeard } from './heard.ts'
import { findKnown, type Known, placeOf } from './known.ts'
import type { Options } from './options.ts'
import { findPlace, goOn, keepFailure, type PlaceRow } from './places.ts'

/** The rest waits for the next run, because a long job counts as dead. */
const LONGEST_MS = 5 * 60_000

/** Maximum number of batches of one place before the next place. */
const ROUNDS = 5

/** The result of a batch: continue with this place, stop for now, or the model is down. */
type Step = 'more' | 'done' | 'down'

/** Pause before what is still due is tried again, such as after a failure of the model. */
const PAUSE_MS = 60_000

/** The returned function returns when the next place is due, and how many messages a place has that wait for more. */
export function createReflect(
  ctx: PluginContext<Options>,
  options: Options,
): (signal: AbortSignal) => Promise<Pick<Due, 'next' | 'most'>> {
  const { db, clock, log } = ctx
  const facts = ctx.use(Facts)
  const extract = createExtractor(ctx)
  const blame = createFailureTracker()
  const now = () => new Date(clock.now())

  async function due(only?: string): Promise<Due> {
    await markHeard(db)
    return duePlaces(db, now(), options, only)
  }

  async function reflectOn(id: string, signal: AbortSignal): Promise<Step> {
    const place = await findPlace(db, id)
    if (!place || (await isForgetting(db, id))) return 'done'
    const readAt = now()
    const read = await nextBatch(db, place, options)
    const first = read.find(({ message }) => !message.own && !message.author.bot && message.text !== '')
    if (!first) {
      // Only bots have written, or the messages of a failed batch are gone.
      await goPast(place, read)
      return 'more'
    }
    const here = placeOf(first.conversation, id)
    const persona = ctx.bot.personaIn(here)
    const known = await findKnown(facts, here, read, signal)
    const profiles = options.profiles ? ctx.use(Profiles, 'optional') : undefined
    let extracted: Extracted
    try {
      const { instructions, schema } = ctx.optionsFor(here)
      const { conversation } = first
      const asked = { conversation, persona, profiles: profiles !== undefined, instructions, schema, signal }
      extracted = await extract(read, known, asked)
    } catch (error) {
      signal.throwIfAborted()
      const code = modelFailure(error)
      return failed(place, read, { why: code, refused: blame.refused(code) })
    }
    blame.worked()
    const notes = acceptProfiles(extracted, persona.names)
    const origin = { sources: rangesOf(read), readAt }
    try {
      await keep(place, read, extracted, { known, names: persona.names }, async () => {
        for (const [person, note] of notes) await profiles?.note({ platform: here.platform, id: person }, here, note, origin)
      })
    } catch (error) {
      // Otherwise the model would be called again every minute.
      return failed(place, read, { why: nameOf(error), refused: true })
    }
    return 'more'
  }

  /** Stores the failure. Nothing is lost, and nothing is thrown. */
  async function failed(
    place: PlaceRow,
    read: readonly Read[],
    { why, refused }: { readonly why: string; readonly refused: boolean },
  ): Promise<Step> {
    if (refused && place.refusals + 1 >= BATCH_ATTEMPTS) {
      log.warn('a batch is skipped after repeated failures', { place: place.id, messages: read.length, why })
      await goPast(place, read, () => setAside(db, place, read, now()))
      return 'more'
    }
    log.warn('a batch failed, trying again later', { place: place.id, why })
    await keepFailure(db, place, { refused, upto: read.at(-1)?.seq ?? 0 }, now())
    return refused ? 'done' : 'down'
  }

  function goPast(place: PlaceRow, read: readonly Read[], also?: () => Promise<void>): Promise<void> {
    return db.transaction(async () => {
      if (!(await goOn(db, place))) return
      await moveMarks(db, read)
      await also?.()
    })
  }

  /** Stores everything or nothing. If the place or a message has changed, nothing is stored, and the model is asked again. */
  async function keep(
    place: PlaceRow,
    read: readonly Read[],
    extracted: Extracted,
    { known, names }: { readonly known: Known; readonly names: readonly string[] },
    keepNotes: () => Promise<void>,
  ): Promise<void> {
    const around = await Promise.all(conversationsOf(read).map(one => namesAround(db, one)))
    const accepted = acceptFacts(extracted, read, known, new Map(around.flatMap(some => [...some])), names)
    return db.transaction(async () => {
      if ((await isForgetting(db, place.id)) || !(await unchanged(db, read)) || !(await goOn(db, place))) return
      await moveMarks(db, read)
      let batch: number | undefined
      const ids = new Map<string, number>()
      for (const { label, fact, replaces, corrects, hindered } of accepted) {
        const named = [...replaces, ...corrects.flatMap(one => ids.get(one) ?? [])]
        const added = await facts.supersede(named, fact, batch)
        batch ??= added.batch
        ids.set(label, added.id)
        const kept = named.filter(id => !added.superseded.includes(id)).map(known => ({ known, why: 'unmatched' }))
        for (const why of [...hindered, ...kept]) log.debug('a verdict is not followed', { fact: added.id, ...why })
        for (const id of added.superseded) log.debug('a verdict is followed', { fact: added.id, known: id })
      }
      await keepNotes()
      log.debug('reflected', { place: place.id, messages: read.length, found: extracted.facts.length, kept: accepted.length })
    })
  }

  async function process(places: readonly string[], signal: AbortSignal): Promise<void> {
    const start = clock.now()
    for (const place of places) {
      for (let round = 0; round < ROUNDS; round++) {
        if (signal.aborted || clock.now() - start > LONGEST_MS) return
        if (round > 0 && (await due(place)).now.length === 0) break
        const step = await reflectOn(place, signal)
        if (step === 'down') return
        if (step === 'done') break
      }
    }
  }

  return async signal => {
    const before = await due()
    if (before.now.length === 0) return before
    await process(before.now, signal)
    const left = await due()
    return left.now.length > 0 ? { ...left, next: new Date(clock.now() + PAUSE_MS) } : left
  }
}

function conversationsOf(read: readonly Read[]): Conversation[] {
  return [...new Map(read.map(({ conversation }) => [conversation.id, conversation])).values()]
}

function rangesOf(read: readonly Read[]) {
  return [...Map.groupBy(read, one => one.conversation.id)].map(([conversation, each]) => {
    const seqs = each.map(({ seq }) => seq)
    return { conversation, first: Math.min(...seqs), last: Math.max(...seqs) }
  })
}

/** The name of the error. The message of a database error may quote values. */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return 'an error'
  return 'code' in error ? `${error.name} ${error.code}` : error.name
}
