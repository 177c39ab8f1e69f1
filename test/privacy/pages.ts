/** What the dashboard answers to its page. */
import type { PluginContext } from 'kikimimi'
import { channelDetail, upcomingIn } from '../../plugins/dashboard/channels/channel.ts'
import { channels, findChannel } from '../../plugins/dashboard/channels/channels.ts'
import { ratings } from '../../plugins/dashboard/evaluation/ratings.ts'
import { turns } from '../../plugins/dashboard/history/turns.ts'
import { type FactsPage, factHistory, facts, inbox, places } from '../../plugins/dashboard/memory/memory.ts'
import { cardOf, people } from '../../plugins/dashboard/memory/people.ts'
import { QUEUES } from '../../plugins/dashboard/memory/views.ts'

const TURNS = 200

/** All that an admin can read there, each answer as JSON; empty for what is gone meanwhile. */
export async function pagesOf(ctx: PluginContext): Promise<readonly string[]> {
  const { db } = ctx
  const told: unknown[] = [await channels(ctx), await turns(ctx, { limit: TURNS }), await ratings(db)]
  const known: FactsPage[] = []
  for (const { conversation: id } of await places(db)) {
    const conversation = await findChannel(ctx, id)
    if (conversation) told.push(await channelDetail(ctx, conversation, 'en'), await upcomingIn(ctx, id))
    known.push(await facts(ctx, { conversation: id, text: '', by: 'both' }))
  }
  for (const person of (await people(db, { text: '' })).people) {
    told.push(await inbox(ctx, { queue: 'all', person }), await cardOf(ctx, person))
  }
  for (const queue of QUEUES) told.push(await inbox(ctx, { queue }))
  const ids = new Set(known.flatMap(page => page.facts.map(({ id }) => id)))
  for (const id of ids) told.push(await factHistory(ctx, id))
  return [...told, ...known].map(one => JSON.stringify(one) ?? '')
}
