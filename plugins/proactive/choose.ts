/** What there is to bring up in a talk. */
import type { Fact, FactStore, Recalled } from '@kikimimi/facts'
import type { Unheard } from '@kikimimi/remember/unheard'
import { channelOf, type Turn } from 'kikimimi'
import type { Options } from './options.ts'
import type { SharedFacts } from './shared.ts'
import { shareTopic, topicsIn } from './topic.ts'
import type { Wake } from './wake.ts'

export type Found = Extract<Recalled, { kind: 'fact' }>

/** More is not looked through: what follows has less and less to do with it. */
const LOOKED_THROUGH = 20

/** The share of what is being said that a fact must cover, 0…1. Low, because a shared topic is required as well. */
const MIN_EVIDENCE = 0.05

export interface ChooseDeps {
  readonly facts: FactStore
  readonly shared: SharedFacts
  /** Absent where no plugin knows who that is. */
  unheard(): Unheard | undefined
}

/**
 * The fact that has most to do with the batch, of those that may be told to everybody who reads along. The same batch finds the
 * same one, as long as it still holds and they still may read it.
 *
 * @param wanted no other than this one
 */
export async function choose(
  { facts, shared, unheard }: ChooseDeps,
  options: Options,
  turn: Turn,
  { at, talk }: Wake,
  wanted?: number,
): Promise<Found | undefined> {
  const { conversation, messages, signal } = turn
  const text = messages.map(message => message.text).join('\n')
  const people = talk.map(({ author }) => author.name)
  // Who only says good morning costs no search.
  if (topicsIn(text, people).length === 0) return undefined
  const found = await facts.search({ conversation, text, messages: false, history: false, limit: LOOKED_THROUGH, signal })
  const fitting = found.filter((one): one is Found => {
    if (one.kind !== 'fact' || (wanted !== undefined && one.fact.id !== wanted)) return false
    const names = [...people, ...one.names.values()]
    return (
      one.fact.shareable &&
      one.fact.validTo === undefined &&
      one.evidence >= MIN_EVIDENCE &&
      at.getTime() - one.fact.at.getTime() >= options.minAge &&
      isNews(one.fact, turn, talk) &&
      shareTopic(topicsIn(text, names), topicsIn([one.fact.content, ...one.fact.keywords].join('\n'), names))
    )
  })
  const told = await shared.among(
    channelOf(conversation),
    fitting.map(({ fact }) => fact.id),
  )
  for (const one of fitting) {
    if (!told.has(one.fact.id) && !(await isOfAny(one.fact, conversation.platform, unheard()))) return one
  }
  return undefined
}

/** Whether somebody has said it, or is in it, who wants nothing more to do with the bot: it may be asked for, no more. */
async function isOfAny({ sources, people }: Fact, platform: string, unheard: Unheard | undefined): Promise<boolean> {
  if (!unheard) return false
  const ids = new Set([...sources.map(({ author }) => author), ...people])
  const held = await Promise.all(Array.from(ids, id => unheard.has({ platform, id })))
  return held.includes(true)
}

/** Whether it tells somebody here something: who said it, and whom it is about, know it; and nobody is told what stands above. */
function isNews({ sources, people }: Fact, { conversation, history }: Turn, talk: Wake['talk']): boolean {
  const channel = channelOf(conversation)
  const onScreen = sources.some(source => source.channel === channel && history.some(({ id }) => id === source.message))
  const knowing = new Set([...sources.map(({ author }) => author), ...people])
  return !onScreen && talk.some(({ author }) => !author.bot && !knowing.has(author.id))
}
