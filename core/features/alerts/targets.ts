/** Where alerts go: the webhook, and channels of platforms. */
import type { Conversation, Database, PluginContext } from '../../api/index.ts'
import { KikimimiError } from '../../base/errors.ts'
import type { Webhook, WebhookAlert } from './webhook.ts'

export interface Target {
  /** `webhook`, or the channel as bot.config.ts names it. */
  readonly name: string
  /** Whether it can be told of a state: a platform without a connection is not told so there. */
  reaches(state: { readonly name: string; readonly subject: string }): boolean
  /** Rejects with the reason when it is not told. */
  tell(alert: WebhookAlert, signal: AbortSignal): Promise<void>
}

export function webhookTarget(webhook: Webhook): Target {
  return { name: 'webhook', reaches: () => true, tell: (alert, signal) => webhook.send(alert, signal) }
}

/** @param given `platform/NAME`, or the id of a channel such as `slack/T1/C1` */
export function channelTarget(given: string, { db, send }: Pick<PluginContext, 'db' | 'send'>): Target {
  const platform = decodeURIComponent(given.split('/', 1)[0] ?? '')
  return {
    name: given,
    reaches: ({ name, subject }) => name !== 'database' && !(name === 'not-connected' && subject === platform),
    async tell({ state, text }) {
      const conversation = await channelNamed(db, given)
      await send(conversation, { kind: 'text', text: `${state === 'over' ? '✅' : '⚠️'} ${text}` }, { sources: 'none' })
    },
  }
}

type Row = Pick<Conversation, 'id' | 'platform' | 'workspace' | 'channel' | 'name' | 'visibility'> & {
  readonly own_readers: boolean | null
  readonly outsiders: boolean
}

async function channelNamed(db: Database, given: string): Promise<Omit<Conversation, 'id'>> {
  const { rows } = await db.query<Row>(
    `select id, platform, workspace, channel, name, visibility, own_readers, outsiders from kikimimi_v1.conversation
     where thread is null and (id = $1 or (visibility <> 'direct' and split_part(id, '/', 1) || '/' || name = replace($1, '#', '')))
     order by id limit 5`,
    [given],
  )
  const [row, ...others] = rows
  if (!row)
    throw new KikimimiError(
      'ALERT_FAILED',
      `alerts.channels: the bot has heard nothing in "${given}" yet. Write PLATFORM/NAME or the id of a channel in which it is, and say something there.`,
    )
  if (others.length > 0)
    throw new KikimimiError(
      'ALERT_FAILED',
      `alerts.channels: "${given}" means ${rows.map(({ id }) => id).join(' and ')}. Write one of these ids.`,
    )
  const { id: _, own_readers: own, outsiders, ...where } = row
  return {
    ...where,
    ...((own !== null || outsiders) && { readers: { ...(own !== null && { own }), ...(outsiders && { outsiders }) } }),
  }
}
