/** Many turns of all kinds, stored as the bot stores them. */
import type { Trace } from 'kikimimi'
import type { createSqlStore } from 'kikimimi/testing'
import type { TraceView } from '../history/views.ts'

export const HOUR = 3_600_000

export interface ManyTurn {
  readonly channel: string
  readonly author: string
  readonly text: string
  readonly trace: TraceView
}

const pick = <T>(all: readonly T[], n: number): T => all[n % all.length] as T

/** The turns, oldest first, one each `step` milliseconds; each fourth begins with the one before. */
export function manyTurns(count: number, begin: number, step = HOUR / 4): readonly ManyTurn[] {
  return Array.from({ length: count }, (_, n) => {
    const [channel, author] = [
      pick(['general', 'dev', 'random'], n * 7 + (n >> 3)),
      pick(['ann', 'ben', 'cid', 'dan'], n * 5 + (n >> 2)),
    ]
    const outcome = pick(['silent', 'silent', 'replied', 'silent', 'failed', 'delayed', 'cancelled'] as const, n)
    const speaks = outcome !== 'silent'
    const respond = speaks ? (n * 997) % 40_000 : 0
    const trace: TraceView = {
      turn: `turn-${n}`,
      conversation: `test/team/${channel}`,
      at: new Date(begin + (n - (n % 4 === 3 ? 1 : 0)) * step).toISOString(),
      messages: [`m${n}`],
      trigger: `m${n}`,
      ...(n % 3 === 0 && { addressed: 'mention' }),
      score: {
        points: n % 101,
        parts: [{ plugin: pick(['judge-rules', 'attention'], n), points: n % 101, why: 'asks a question' }],
      },
      decision: speaks
        ? { kind: 'full', why: 'mentions the bot', plugin: 'judge-rules' }
        : {
            kind: 'silent',
            why: pick(['no rule applies · below 60', 'quiet hours', 'was asked to be quiet'], n),
            plugin: 'judge-rules',
          },
      sections: [{ title: 'Facts', plugin: 'facts', tokens: 120, kept: true }],
      models: speaks
        ? [
            {
              role: 'chat',
              model: pick(['large', 'small'], n),
              inputTokens: 900 + n,
              outputTokens: 40,
              ms: respond,
              attempts: 1,
              cost: (n % 50) / 400,
            },
          ]
        : [],
      sent: [],
      outcome,
      ...(outcome === 'cancelled' && { why: 'a newer message arrived' }),
      problems: outcome === 'failed' ? [{ plugin: 'reply', stage: 'respond', message: 'MODEL_UNAVAILABLE' }] : [],
      ms: { score: 2, decide: 5, ...(speaks && { context: 20, respond }) },
      timeline: [
        { what: 'stage', name: 'score', afterMs: 0, ms: 2 },
        { what: 'stage', name: 'decide', afterMs: 2, ms: 5 },
        ...(speaks
          ? ([
              { what: 'stage', name: 'context', afterMs: 7, ms: 20 },
              { what: 'model', name: 'chat', afterMs: 30, ms: respond },
              { what: 'stage', name: 'respond', afterMs: 27, ms: respond + 3 },
            ] as const)
          : []),
      ],
    }
    return {
      channel,
      author,
      text: `${pick(['When does the train leave?', 'お昼はどうする？', 'Deploy 50% of it_now'], n)} (${n})`,
      trace,
    }
  })
}

/** Stores them as the bot does. */
export async function keepTurns(
  store: Pick<ReturnType<typeof createSqlStore>, 'record' | 'keepTrace'>,
  turns: readonly ManyTurn[],
): Promise<void> {
  // Together, because the recorder makes one statement of them.
  await Promise.all(
    turns.map(({ channel, author, text, trace }) => {
      const [at, name] = [new Date(trace.at), author.toUpperCase()]
      const place = { platform: 'test', workspace: 'team', channel, name: channel, visibility: 'public' } as const
      const message = { id: trace.trigger, author: { id: author, name }, text, at, mentions: [], attachments: [], own: false }
      return store.record({ ...place, id: trace.conversation }, message, at)
    }),
  )
  for (const { trace } of turns) await store.keepTrace({ ...trace, at: new Date(trace.at) } as Trace)
}
