/** Chooses the fact to bring up in a conversation. */
import type { Fact, FactStore, Recalled } from '@kikimimi/facts'
import { channelOf, type OptOuts, type Turn } from 'kikimimi'
import type { Options } from './options.ts'
import type { SharedFacts } from './shared.ts'
import { shareTopic, topicsIn } from './topic.ts'
import type { Wake } from './wake.ts'

export type Found = Extract<Recalled, { kind: 'fact' }>

/** Number of memories that are examined. Later ones are less relevant. */
const LOOKED_THROUGH = 20

/** Minimum share of the batch that a fact must cover, 0…1. Low, because a shared topic is required as well. */
const MIN_EVIDENCE = 0.05

export interface ChooseDeps {
  readonly facts: FactStore
  readonly shared: SharedFacts
  readonly optOuts: Pick<OptOuts, 'has'>
}

/**
 * The most relevant fact for the batch, of those that the whole audience may know. The same batch gives the same fact, as
 * long as it holds and may be read.
 *
 * @param wanted only this fact is allowed
 */
export async function choose(
  { facts, shared, optOuts }: ChooseDeps,
  options: Options,
  turn: Turn,
  { at, talk }: Wake,
  wanted?: number,
): Promise<Found | undefined> {
  const { conversation, messages, signal } = turn
  const text = messages.map(message => message.text).join('\n')
  const people = talk.map(({ author }) => author.name)
  // A batch without topics, such as a greeting, costs no search.
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
    if (!told.has(one.fact.id) && !(await isOfAny(one.fact, conversation.platform, optOuts))) return one
  }
  return undefined
}

/** Whether a person of the fact has opted out. Such a fact may be recalled, but the bot does not bring it up. */
async function isOfAny({ sources, people }: Fact, platform: string, optOuts: Pick<OptOuts, 'has'>): Promise<boolean> {
  const ids = new Set([...sources.map(({ author }) => author), ...people])
  const held = await Promise.all(Array.from(ids, id => optOuts.has({ platform, id })))
  return held.includes(true)
}

/**
 * Whether the fact is new to a participant: it is known to its authors, to the people in it, and to readers of the recent
 * messages.
 */
function isNews({ sources, people }: Fact, { conversation, history }: Turn, talk: Wake['talk']): boolean {
  const channel = channelOf(conversation)
  const onScreen = sources.some(source => source.channel === channel && history.some(({ id }) => id === source.message))
  const knowing = new Set([...sources.map(({ author }) => author), ...people])
  return !onScreen && talk.some(({ author }) => !author.bot && !knowing.has(author.id))
}
