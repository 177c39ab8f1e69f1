/** Makes facts and notes of one batch of messages. */
import { Facts } from '@kikimimi/facts'
import { Profiles } from '@kikimimi/profiles'
import { type Conversation, type LogBatch, MessageLog, type PluginContext } from 'kikimimi'
import { acceptFacts, acceptProfiles } from './accept.ts'
import { namesAround, readOf } from './batch.ts'
import { createExtractor } from './extractor.ts'
import { findKnown } from './known.ts'
import type { Options } from './options.ts'

/** The returned function asks the model. It returns what stores the result. */
export function createReflect(ctx: PluginContext<Options>, options: Options) {
  const { clock, log } = ctx
  const facts = ctx.use(Facts)
  const messages = ctx.use(MessageLog)
  const extract = createExtractor(ctx)

  return async (batch: LogBatch, signal: AbortSignal): Promise<() => Promise<void>> => {
    const { place, sources } = batch
    const readAt = new Date(clock.now())
    const read = readOf(batch)
    const persona = ctx.bot.personaIn(place)
    const known = await findKnown(facts, place, read, signal)
    const profiles = options.profiles ? ctx.use(Profiles, 'optional') : undefined
    const { instructions, schema } = ctx.optionsFor(place)
    const conversation = batch.messages.find(({ own, author }) => !own && !author.bot)?.conversation ?? place
    const asked = { conversation, persona, profiles: profiles !== undefined, instructions, schema, signal }
    const extracted = await extract(read, known, asked)
    const around = await Promise.all(conversationsOf(batch).map(one => namesAround(messages, one)))
    const accepted = acceptFacts(extracted, read, known, new Map(around.flatMap(some => [...some])), persona.names)
    const notes = acceptProfiles(extracted, persona.names)

    return async () => {
      let made: number | undefined
      const ids = new Map<string, number>()
      for (const { label, fact, replaces, corrects, hindered } of accepted) {
        const named = [...replaces, ...corrects.flatMap(one => ids.get(one) ?? [])]
        const added = await facts.supersede(named, fact, made)
        made ??= added.batch
        ids.set(label, added.id)
        const kept = named.filter(id => !added.superseded.includes(id)).map(known => ({ known, why: 'unmatched' }))
        for (const why of [...hindered, ...kept]) log.debug('a verdict is not followed', { fact: added.id, ...why })
        for (const id of added.superseded) log.debug('a verdict is followed', { fact: added.id, known: id })
      }
      for (const [person, note] of notes)
        await profiles?.note({ platform: place.platform, id: person }, place, note, { sources, readAt })
      const found = extracted.facts.length
      log.debug('reflected', { place: place.id, messages: read.length, found, kept: accepted.length })
    }
  }
}

function conversationsOf({ messages }: LogBatch): Conversation[] {
  return [...new Map(messages.map(({ conversation }) => [conversation.id, conversation])).values()]
}
