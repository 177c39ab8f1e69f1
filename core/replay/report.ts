import type { ReplayCounts } from '../replay.ts'

/** The counts as a table for people. */
export function printReplay(counts: ReplayCounts): string {
  const { messages, judgements, outcomes, decisions, models } = counts
  const per100 = (count: number) => (messages === 0 ? '' : `${((100 * count) / messages).toFixed(1)} per 100 messages`)
  const calls = Object.values(models).reduce((sum, { calls }) => sum + calls, 0)
  const tokens = Object.values(models).reduce((sum, { inputTokens, outputTokens }) => sum + inputTokens + outputTokens, 0)
  return table([
    ['files', counts.files, `${counts.hours} hours of talk`],
    ['messages', messages, `and ${counts.context} lines of context before them`],
    ['  dropped', counts.dropped, ''],
    ['turns', counts.turns, ''],
    ['  judgements', judgements, per100(judgements)],
    ['  silent', decisions.silent, ''],
    ['  react', decisions.react, ''],
    ['  ack', decisions.ack, ''],
    ['  full', decisions.full, ''],
    ['  delayed', outcomes.delayed, ''],
    ['  cancelled', outcomes.cancelled, ''],
    ['  failed', outcomes.failed, ''],
    ['posted texts', counts.texts, per100(counts.texts)],
    ['posted reactions', counts.reactions, per100(counts.reactions)],
    ['model calls', calls, per100(calls)],
    ...Object.entries(models).map(([role, { calls }]): Row => [`  ${role}`, calls, '']),
    ['tokens', tokens, per100(tokens)],
    ['problems', counts.problems, ''],
  ])
}

type Row = readonly [name: string, count: number, note: string]

function table(rows: readonly Row[]): string {
  return rows
    .map(([name, count, note]) => `${name.padEnd(18)}${String(count).padStart(9)}  ${note}`.trimEnd())
    .map(line => `${line}\n`)
    .join('')
}
