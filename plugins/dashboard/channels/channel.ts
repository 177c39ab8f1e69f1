/** A channel: the state of the bot, its memories, and scheduled turns. */

import { type Figures, JudgeFigures } from '@kikimimi/judge-llm/figures'
import { type Memory, Summaries, type SummaryStore } from '@kikimimi/memory-summary'
import { type Conversation, type Locale, MessageLog, Operator, type PluginContext } from 'kikimimi'
import { ChatCommands } from 'kikimimi/platform'
import { placeView } from '../history/turns.ts'
import { given, ORDERS, verbOf, waitingIn } from './channels.ts'
import type { ChannelDetail, JudgeView, MemoryView, UpcomingView } from './views.ts'

/** Maximum number of threads with a memory on a page. */
const THREADS = 20
/** Number of last messages that show the participants. */
const RECENT = 500
const MEMBERS = 12
/** Characters of the first message that identify a thread. */
const OPENING = 80

export async function channelDetail(
  ctx: Pick<PluginContext, 'db' | 'use'>,
  conversation: Conversation,
  locale: Locale,
): Promise<ChannelDetail> {
  const { id } = conversation
  const known = await ctx.use(Summaries, 'optional')?.list(id)
  const channel = known?.channels.find(one => one.id === id)
  const figures = await ctx.use(JudgeFigures, 'optional')?.of(id)
  const status = (await ctx.use(ChatCommands).run(given(conversation, 'status', locale))) ?? ''
  return {
    place: placeView(conversation),
    status: status.split('\n'),
    orders: await Promise.all(
      ctx
        .use(ChatCommands)
        .all.filter(({ name }) => ORDERS.some(order => verbOf(order) === name))
        .map(async ({ name, applies }) => ({ name, applies: (await applies?.(conversation)) ?? true })),
    ),
    mood: channel?.mood ?? '',
    topics: [...(channel?.topics ?? [])],
    ...(known && { memories: await memoriesOf(ctx.use(MessageLog), known, conversation) }),
    members: await members(ctx.use(MessageLog), id),
    ...(figures && { judge: judgeOf(figures) }),
  }
}

function judgeOf({ learned, pausedUntil, channel: _channel, name: _name, prompts: _prompts, ...figures }: Figures): JudgeView {
  return {
    ...figures,
    calibration: [...figures.calibration],
    ...(learned && { coefficient: { value: learned.coefficients.c, low: learned.low, high: learned.high } }),
    ...(pausedUntil && { pausedUntil: pausedUntil.toISOString() }),
  }
}

/** The memories of workspace, channel and threads, each recent and history. */
async function memoriesOf(
  log: MessageLog,
  { workspaces, channels }: Awaited<ReturnType<SummaryStore['list']>>,
  { id, platform, workspace }: Conversation,
): Promise<ChannelDetail['memories']> {
  const whole = `${encodeURIComponent(platform)}/${encodeURIComponent(workspace)}`
  const channel = channels.find(one => one.id === id)
  const threads = (channel?.threads ?? []).filter(({ recent, history }) => recent !== '' || history !== '').slice(0, THREADS)
  const openings = await openingsOf(
    log,
    threads.map(thread => thread.id),
  )
  return {
    workspace: memoryOf(workspaces.find(one => one.workspace === whole)),
    channel: memoryOf(channel),
    threads: threads.map(thread => ({ conversation: thread.id, opening: openings.get(thread.id) ?? '', ...memoryOf(thread) })),
    setAside: channel?.setAside ?? 0,
  }
}

function memoryOf({ recent, history, updatedAt }: Memory = { recent: '', history: '' }): MemoryView {
  return { recent, history, ...(updatedAt && { at: updatedAt.toISOString() }) }
}

async function members(log: MessageLog, conversation: string): Promise<ChannelDetail['members']> {
  const latest = await log.read({ readers: 'operator', conversations: [conversation], people: true, limit: RECENT })
  // Of those with the same number, the one who wrote last.
  const people = [...Map.groupBy(latest.toReversed(), ({ author }) => author.id)]
  return people
    .map(([id, messages]) => ({ id, name: messages[0]?.author.name ?? '', messages: messages.length }))
    .toSorted((one, other) => other.messages - one.messages)
    .slice(0, MEMBERS)
}

/** First messages of threads, by conversation id. */
async function openingsOf(log: MessageLog, conversations: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const first = (conversation: string) => log.read({ readers: 'operator', conversations: [conversation], first: true, limit: 1 })
  const found = (await Promise.all(conversations.map(first))).flat()
  return new Map(found.map(({ conversation, text }) => [conversation.id, [...text].slice(0, OPENING).join('')]))
}

/** Scheduled turns of a channel and its threads, soonest first. */
export async function upcomingIn(ctx: Pick<PluginContext, 'db' | 'use'>, channel: string): Promise<UpcomingView[]> {
  const turns = await ctx.use(Operator).upcoming.list(channel)
  const ids = turns.map(({ conversation }) => conversation)
  const { rows } = await ctx.db.query<{ id: string; processed: number }>(
    'select id, processed from kikimimi_v1.conversation where id = any($1)',
    [ids],
  )
  const unjudged = await waitingIn(ctx.use(MessageLog), rows)
  const openings = await openingsOf(
    ctx.use(MessageLog),
    ids.filter(id => id !== channel),
  )
  return turns.flatMap(({ conversation, at, decision }) => {
    const messages = unjudged.get(conversation) ?? 0
    // A turn that only resumes a delivery.
    if (messages === 0) return []
    const { kind, why, plugin } = decision ?? {}
    return [
      {
        conversation,
        ...(conversation !== channel && { opening: openings.get(conversation) ?? '' }),
        at: at.toISOString(),
        messages,
        ...(kind && why !== undefined && { answer: { kind, why, ...(plugin !== undefined && { plugin }) } }),
      },
    ]
  })
}
