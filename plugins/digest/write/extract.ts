/** A digest by rules: the words of people, and no others. */
import type { Said } from '../log/said.ts'
import type { Chosen, ChosenTalk } from '../talk/choose.ts'
import type { Words } from '../texts.ts'
import type { Citing } from './cite.ts'

/** Characters of a quotation, of the second one in a line, and of the only one where many talks need room. */
const QUOTE = 90
const SECOND = 60
const BRIEF = 60
/** With more talks than this, each has one quotation. */
const MANY = 6

const KINDS = ['forYou', 'decided', 'open', 'talks'] as const
type Kind = (typeof KINDS)[number]

/** What a digest by rules quotes, in the order of its text. */
export interface Extract {
  readonly text: string
  readonly cited: readonly Said[]
}

interface Line {
  readonly kind: Kind
  readonly text: string
  readonly cited: readonly Said[]
}

/** @param length maximum length in UTF-16 code units */
export function extract(chosen: Chosen, { citing, say, length }: { citing: Citing; say: Words; length: number }): Extract {
  const lines = fitting(orderOf(linesOf(chosen, citing)), length, say)
  const parts = KINDS.flatMap(kind => {
    const own = lines.filter(line => line.kind === kind)
    return own.length === 0 ? [] : [`**${say(kind)}**`, ...own.map(({ text }) => text)]
  })
  return { text: parts.join('\n'), cited: lines.flatMap(({ cited }) => cited) }
}

function linesOf({ forYou, decided, open, talks }: Chosen, citing: Citing): Record<Kind, Line[]> {
  const quoted = (kind: Kind) => (said: Said) => ({
    kind,
    text: `- ${citing.quote(said, QUOTE)} ${citing.link(said)}`,
    cited: [said],
  })
  return {
    forYou: forYou.map(quoted('forYou')),
    decided: decided.map(quoted('decided')),
    open: open.map(quoted('open')),
    talks: talks.map(talk => lineOf(talk, citing, talks.length > MANY)),
  }
}

function lineOf({ begins, tells, people }: ChosenTalk, citing: Citing, isBrief: boolean): Line {
  const others = people > 1 ? ` (+${people - 1})` : ''
  const first = `- ${citing.quote(begins, isBrief ? BRIEF : QUOTE)}${others} ${citing.link(begins)}`
  if (isBrief || !tells) return { kind: 'talks', text: first, cited: [begins] }
  return { kind: 'talks', text: `${first} → ${citing.quote(tells, SECOND)} ${citing.link(tells)}`, cited: [begins, tells] }
}

/** What is for the reader comes first; then decisions and questions take turns with talks. */
function orderOf({ forYou, decided, open, talks }: Record<Kind, Line[]>): readonly Line[] {
  const rounds = Math.max(decided.length, open.length, Math.ceil(talks.length / 2))
  const turns = Array.from({ length: rounds }, (_, at) => [decided[at], talks[2 * at], open[at], talks[2 * at + 1]])
  return [...forYou, ...turns.flat().filter(line => line !== undefined)]
}

/** The first lines that fit, in the order in which things were said. */
function fitting(lines: readonly Line[], length: number, say: Words): readonly Line[] {
  let left = length - KINDS.reduce((sum, kind) => sum + say(kind).length + 6, 0)
  const kept = lines.filter(({ text }) => {
    if (text.length + 1 > left) return false
    left -= text.length + 1
    return true
  })
  return kept.sort((one, other) => (one.cited[0]?.at.getTime() ?? 0) - (other.cited[0]?.at.getTime() ?? 0))
}
