/** `kikimimi why`: what led to an answer, or to silence. */
import { KikimimiError } from '../errors.ts'
import type { Trace } from '../plugin.ts'
import type { Values } from './args.ts'
import { openFor } from './open.ts'
import { outputOf } from './plugin-command.ts'

/** Throws USAGE for a message that no turn has seen. */
export async function runWhy(message: string | undefined, { config: file, channel, json }: Values): Promise<void> {
  await using opened = await openFor(file)
  const { rows } = await opened.db.query<{ data: Trace; name: string | null }>(TRACES, [
    message ?? null,
    channel?.replace(/^#/, '') ?? null,
  ])
  if (rows.length === 0) {
    throw new KikimimiError(
      'USAGE',
      message === undefined
        ? 'The bot has not looked at anything there yet.'
        : `No turn has seen a message "${message}". Without an id, kikimimi why tells of the latest turns.`,
    )
  }
  const { print } = outputOf(json)
  for (const { data, name } of rows.toReversed()) {
    if (json) print(JSON.stringify(data))
    else for (const line of explained({ ...data, at: new Date(data.at) }, name ?? undefined)) print(line)
  }
}

/** The latest turns that looked at a message, answered it or sent it; or that took place in a channel. */
const TRACES = `
  select t.data, c.name from kikimimi.trace t left join kikimimi.conversation c on c.id = t.conversation
  where ($1::text is null or t.turn = $1 or t.trigger = $1 or t.data->'messages' ? $1 or t.data->'sent' ? $1)
    and ($2::text is null or c.name = $2 or c.channel = $2)
  order by t.seq desc limit 10`

/** A trace for people: what was looked at, how it was judged, what was done, what it cost. */
export function explained(trace: Trace, channel = trace.conversation): string[] {
  const { turn, at, messages, trigger, addressed, score, decision, sections, models, reply, sent, outcome, why, problems, ms } =
    trace
  const cut = sections.filter(({ kept }) => !kept)
  const rows: [what: string, told: string | undefined][] = [
    ['looked at', `${messages.join(', ')}${addressed ? `; called by ${addressed}` : ''}; about to answer ${trigger}`],
    ['score', score && `${score.points}${score.parts.length > 0 ? `: ${listed(score.parts.map(partOf))}` : ''}`],
    [
      'decision',
      decision && `${decision.kind}, by ${decision.plugin ?? 'the kernel'}: ${decision.why}${sure(decision.confidence)}`,
    ],
    ['prompt', listed(sections.filter(({ kept }) => kept).map(({ title, plugin, tokens }) => `${title} (${plugin}, ${tokens})`))],
    ['left out', listed(cut.map(({ title, plugin, tokens }) => `${title} (${plugin}, ${tokens})`))],
    ['models', listed(models.map(callOf))],
    ['reply', reply && `${reply.kind} by ${reply.plugin}${reply.kind === 'text' ? `, ${reply.length} characters` : ''}`],
    ['sent', listed(sent)],
    ['because', why],
    ['problems', listed(problems.map(({ plugin, stage, message }) => `${plugin} failed to ${stage}: ${message}`))],
    ['time', listed(Object.entries(ms).map(([stage, spent]) => `${stage} ${spent} ms`))],
  ]
  return [
    `${at.toISOString().replace('T', ' ').slice(0, 19)}  #${channel}  ${outcome}  ${turn}`,
    ...rows.flatMap(([what, told]) => (told ? [`  ${what.padEnd(10)} ${told}`] : [])),
  ]
}

function listed(parts: readonly string[]): string | undefined {
  return parts.length > 0 ? parts.join(' · ') : undefined
}

function partOf({ plugin, points, why }: { plugin: string; points: number; why: string }): string {
  return `${plugin}: ${why} ${points > 0 ? '+' : ''}${points}`
}

function sure(confidence: number | undefined): string {
  return confidence === undefined ? '' : ` (sure to ${Math.round(confidence * 100)} %)`
}

function callOf({ role, model, inputTokens, outputTokens, ms, attempts, cost, error }: Trace['models'][number]): string {
  const tries = attempts > 1 ? `, ${attempts} attempts` : ''
  const price = cost === undefined ? '' : `, ${cost.toFixed(6)}`
  return `${role} ${model}: ${error ?? `${inputTokens} → ${outputTokens} tokens`}, ${ms} ms${tries}${price}`
}
