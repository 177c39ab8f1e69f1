/** The result of a replay, for people and for programs. */
import type { ReplayCounts, Replayed } from './replay.ts'
import { type Fired, liftOf, type Metrics, meanOf, metricsOf, type Sums, type Verdicts, type Wait, waitAt } from './scores.ts'

/** One bot. Its name is empty when it is the only one. */
export interface Row extends Replayed {
  readonly name: string
}

// ---------------------------------------------------------------- for people

export function toText(rows: readonly Row[]): string {
  const only = rows.length === 1 ? rows[0] : undefined
  if (only && !only.sums) return printReplay(only.counts)
  const blocks = [columns(rows)]
  for (const { name, sums } of rows) if (sums && Object.keys(sums.rules).length > 0) blocks.push(rulesOf(name, sums))
  return `${blocks.join('\n\n')}\n`
}

/** The counts of a bot without a seat. */
function printReplay(counts: ReplayCounts): string {
  const { messages, judgements, outcomes, decisions, models } = counts
  const calls = Object.values(models).reduce((sum, { calls }) => sum + calls, 0)
  const tokens = tokensOf(counts)
  const note = (count: number) => (messages === 0 ? '' : `${per100(count, counts)} per 100 messages`)
  return table([
    ['files', counts.files, `${counts.hours} hours of talk`],
    ['messages', messages, `and ${counts.context} lines of context before them`],
    ['  dropped', counts.dropped, ''],
    ['turns', counts.turns, ''],
    ['  unasked', counts.unasked, note(counts.unasked)],
    ['  judgements', judgements, note(judgements)],
    ['  silent', decisions.silent, ''],
    ['  react', decisions.react, ''],
    ['  ack', decisions.ack, ''],
    ['  full', decisions.full, ''],
    ['  delayed', outcomes.delayed, ''],
    ['  cancelled', outcomes.cancelled, ''],
    ['  failed', outcomes.failed, ''],
    ['posted texts', counts.texts, note(counts.texts)],
    ['posted reactions', counts.reactions, note(counts.reactions)],
    ['model calls', calls, note(calls)],
    ...Object.entries(models).map(([role, { calls }]): Line => [`  ${role}`, calls, '']),
    ['tokens', tokens, note(tokens)],
    ['problems', counts.problems, ''],
  ])
}

type Line = readonly [name: string, count: number, note: string]

function table(lines: readonly Line[]): string {
  return lines
    .map(([name, count, note]) => `${name.padEnd(18)}${String(count).padStart(9)}  ${note}`.trimEnd())
    .map(line => `${line}\n`)
    .join('')
}

/** The lines of the board: all members together, and the mean over members when it differs. */
const BOARD: readonly (readonly [name: string, show: (row: Row & { sums: Sums }) => string, metric?: keyof Metrics])[] = [
  ['members', ({ sums }) => `${sums.seats}`],
  ['messages', ({ counts }) => `${counts.messages}`],
  ['batches, utterances', ({ sums }) => `${sums.batches}, ${total(sums.utterances)}`],
  ['base rate', percent('baseRate')],
  ['judgements per 100 messages', ({ counts }) => per100(counts.judgements, counts)],
  ['considered per 100 messages', ({ sums, counts }) => per100(sums.considered, counts)],
  ['tokens per 100 messages', ({ counts }) => per100(tokensOf(counts), counts, 0)],
  ['react, ack, full', ({ counts: { decisions } }) => `${decisions.react}, ${decisions.ack}, ${decisions.full}`],
  ['coverage', percent('coverage'), 'coverage'],
  ['F1', percent('f1'), 'f1'],
  ['precision', percent('precision'), 'precision'],
  ['interruption accuracy', percent('interruptionAccuracy'), 'interruptionAccuracy'],
  ['recall', percent('recall'), 'recall'],
  ['balanced accuracy', percent('balancedAccuracy'), 'balancedAccuracy'],
  ['  addressed, follow-up, unasked', percents('addressedBalanced', 'followUpBalanced', 'unaskedBalanced')],
  ['missed interventions', percent('missed')],
  ['  addressed, follow-up, unasked', percents('addressedMissed', 'followUpMissed', 'unaskedMissed')],
  ['with batch credit: F1', percent('batchF1')],
  ['  precision, interruption accuracy', percents('batchPrecision', 'batchInterruptionAccuracy')],
  ['said again to one utterance', percent('repeated')],
  ['a person had answered before', percent('answeredBefore')],
  ['share of talk', percent('shareOfTalk')],
  ["the member's own share", percent('memberShareOfTalk')],
  ['wait p50, p95', waits()],
  ['  for a partner', waits('partner')],
  ['  for another person', waits('stranger')],
]

function waits(...whose: readonly Wait[]) {
  return ({ sums }: { readonly sums: Sums }) =>
    [0.5, 0.95].map(p => seconds(waitAt(sums, p, whose.length > 0 ? whose : undefined))).join(', ')
}

function percent(metric: keyof Metrics) {
  return ({ sums }: { readonly sums: Sums }) => inPercent(metricsOf(sums)[metric])
}

function percents(...metrics: readonly (keyof Metrics)[]) {
  return ({ sums }: { readonly sums: Sums }) => metrics.map(metric => inPercent(metricsOf(sums)[metric])).join(', ')
}

/** The board as lines of cells, row names first. */
export function board(rows: readonly Row[]): string[][] {
  const scored = rows.flatMap(row => (row.sums ? [{ ...row, sums: row.sums }] : []))
  return [
    ['', ...scored.map(({ name }) => name || 'this bot')],
    ...BOARD.flatMap(([name, show, metric]) => {
      const lines = [[name, ...scored.map(show)]]
      if (metric) lines.push(['  mean over members', ...scored.map(({ seats = [] }) => inPercent(meanOf(seats)[metric]))])
      return lines
    }),
  ]
}

function columns(rows: readonly Row[]): string {
  const lines = board(rows)
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map(line => line[column]?.length ?? 0))) ?? []
  return lines
    .map(line =>
      line.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart((widths[at] ?? 0) + 3))).join(''),
    )
    .map(line => line.trimEnd())
    .join('\n')
}

/** What each rule did, most frequent first. */
export function firings(sums: Sums): readonly (Fired & { readonly rule: string; readonly lift: number | undefined })[] {
  return Object.entries(sums.rules)
    .map(([rule, fired]) => ({ rule, ...fired, lift: liftOf(fired, sums) }))
    .sort((a, b) => b.gold + b.other - a.gold - a.other || (a.rule < b.rule ? -1 : 1))
}

function rulesOf(name: string, sums: Sums): string {
  const head = `${name ? `${name}: ` : ''}${sums.batches} batches, ${sums.unasked.gold + sums.unasked.other} of them unasked; of those`
  const lines = firings(sums).map(
    ({ rule, gold, other, lift }) =>
      `  ${rule.padEnd(48)}${String(gold).padStart(7)}${String(other).padStart(8)}${(lift?.toFixed(2) ?? '').padStart(7)}`,
  )
  return [`${head}`, `  ${''.padEnd(48)}answered  others   lift`, ...lines].join('\n')
}

// ---------------------------------------------------------------- for programs

export function toJson(rows: readonly Row[]): string {
  const all = rows.map(({ name, counts, sums, seats }) => ({
    ...(name && { name }),
    ...counts,
    ...(sums && { score: scoreOf(sums, counts), mean: meanOf(seats ?? []), sums: { ...sums, waits: undefined }, seats }),
  }))
  return `${JSON.stringify(all.length === 1 ? all[0] : all, null, 2)}\n`
}

function scoreOf(sums: Sums, counts: ReplayCounts) {
  return {
    ...metricsOf(sums),
    judgementsPer100: Number(per100(counts.judgements, counts, 2)),
    consideredPer100: Number(per100(sums.considered, counts, 2)),
    tokensPer100: Number(per100(tokensOf(counts), counts, 0)),
    waitP50: waitAt(sums, 0.5),
    waitP95: waitAt(sums, 0.95),
    partnerWaitP50: waitAt(sums, 0.5, ['partner']),
    partnerWaitP95: waitAt(sums, 0.95, ['partner']),
    strangerWaitP50: waitAt(sums, 0.5, ['stranger']),
    strangerWaitP95: waitAt(sums, 0.95, ['stranger']),
    rules: firings(sums),
  }
}

// ---------------------------------------------------------------- figures

function total({ goldSpoken, goldSilent, otherSpoken, otherSilent }: Verdicts): number {
  return goldSpoken + goldSilent + otherSpoken + otherSilent
}

function tokensOf({ models }: ReplayCounts): number {
  return Object.values(models).reduce((sum, { inputTokens, outputTokens }) => sum + inputTokens + outputTokens, 0)
}

export function per100(count: number, { messages }: ReplayCounts, digits = 1): string {
  return (messages === 0 ? 0 : (100 * count) / messages).toFixed(digits)
}

function inPercent(value: number | undefined): string {
  return value === undefined ? '–' : `${(100 * value).toFixed(1)} %`
}

function seconds(value: number | undefined): string {
  return value === undefined ? '–' : `${value.toFixed(1)} s`
}
