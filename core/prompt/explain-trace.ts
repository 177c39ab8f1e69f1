/** Formats a trace for people. */
import type { Score, Trace } from '../api/index.ts'

/** The whole trace as text: the batch, its points, the decision, the result, the cost. */
export function explained(trace: Trace, channel = trace.conversation): string[] {
  const { turn, at, messages, trigger, addressed, decision, sections, models, reply, sent, outcome, why, by, problems, ms } =
    trace
  const { answers = [], surroundings, tools = [], withheld = [], notes = [] } = trace
  const cut = sections.filter(({ kept }) => !kept)
  const rows: [what: string, told: string | undefined][] = [
    ['messages', `${messages.join(', ')}${addressed ? `; addressed by ${addressed}` : ''}; trigger ${trigger}`],
    ['score', scoreOf(trace)],
    [
      'decision',
      decision && `${decision.kind}, by ${decision.plugin ?? 'the kernel'}: ${decision.why}${sure(decision.confidence)}`,
    ],
    ['prompt', listed(sections.filter(({ kept }) => kept).map(({ title, plugin, tokens }) => `${title} (${plugin}, ${tokens})`))],
    ['left out', listed(cut.map(({ title, plugin, tokens }) => `${title} (${plugin}, ${tokens})`))],
    ['around', surroundings && aroundOf(surroundings)],
    ['models', listed(models.map(callOf))],
    ['tools', listed(tools)],
    ['withheld', listed(withheld.map(({ tool, why }) => `${tool} (${why})`))],
    ['notes', listed(notes.map(({ plugin, text }) => `${plugin}: ${text}`))],
    ['reply', reply && `${reply.kind} by ${reply.plugin}${reply.kind === 'text' ? `, ${reply.length} characters` : ''}`],
    ['sent', listed(sent)],
    ['answers', answers.length > 1 ? listed(answers) : undefined],
    ['because', why && `${why}${by === undefined ? '' : ` (${by})`}`],
    ['problems', listed(problems.map(({ plugin, stage, message }) => `${plugin} failed to ${stage}: ${message}`))],
    ['time', listed(Object.entries(ms).map(([stage, spent]) => `${stage} ${spent} ms`))],
  ]
  return [
    `${at.toISOString().replace('T', ' ').slice(0, 19)}  #${channel}  ${outcome}  ${turn}`,
    ...rows.flatMap(([what, told]) => (told ? [`  ${what.padEnd(10)} ${told}`] : [])),
  ]
}

/** What was read around the conversation. */
function aroundOf({ earlier, quoted, requests, problem }: NonNullable<Trace['surroundings']>): string {
  const told = `${earlier} earlier messages, ${quoted} quoted, ${requests} requests`
  return problem === undefined ? told : `${told}; ${problem}`
}

/** The sum and its parts. Nothing for a turn that was not judged. */
export function scoreOf({ score }: Trace): string | undefined {
  return score && `${score.points}${score.parts.length > 0 ? `: ${listed(score.parts.map(partOf))}` : ''}`
}

function listed(parts: readonly string[]): string | undefined {
  return parts.length > 0 ? parts.join(' · ') : undefined
}

function partOf({ plugin, points, why }: Score & { readonly plugin: string }): string {
  // A part without points is an observation.
  return `${plugin}: ${why}${points === 0 ? '' : ` ${points > 0 ? '+' : ''}${points}`}`
}

function sure(confidence: number | undefined): string {
  return confidence === undefined ? '' : ` (sure to ${Math.round(confidence * 100)} %)`
}

function callOf({ role, model, inputTokens, outputTokens, ms, attempts, cost, error }: Trace['models'][number]): string {
  const tries = attempts > 1 ? `, ${attempts} attempts` : ''
  const price = cost === undefined ? '' : `, ${cost.toFixed(6)}`
  return `${role} ${model}: ${error ?? `${inputTokens} → ${outputTokens} tokens`}, ${ms} ms${tries}${price}`
}
