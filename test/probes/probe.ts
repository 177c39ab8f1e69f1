/** A probe: conversations in several wordings, and the expected behaviour of a considerate participant in all of them. */
import { readFileSync } from 'node:fs'
import { milliseconds, type Trace } from 'kikimimi'
import type { Duration } from 'kikimimi/host'
import { testRounds } from 'kikimimi/testing'
import { describe, expect, test } from 'vitest'
import type { Cast } from './cast.ts'
import { type Played, play } from './scene.ts'

/** This number, or from … to …. */
type Count = number | readonly [least: number, most: number]

export interface Expected {
  /** Number of posted texts. Default: none. */
  readonly texts?: Count
  /** The last text contains this. */
  readonly says?: RegExp
  /** No text contains this. */
  readonly never?: RegExp
  /** Default: none. */
  readonly reactions?: Count
  /** Number of model calls, by role. Default: the chat model once per text, the judge never. */
  readonly calls?: { readonly chat?: Count; readonly judge?: Count }
  /** 95 of 100 mentions are answered within this time. */
  readonly p95?: Duration
  /** Number of messages in the batch of the last answer. */
  readonly covers?: number
  /** Outcome of the last turn. */
  readonly outcome?: Trace['outcome']
  /** A reason or a problem in some trace. */
  readonly because?: RegExp
}

export interface Probe {
  readonly id: string
  readonly name: string
  readonly cast?: Cast
  /** The same situation in different words. */
  readonly en: readonly [string, string, ...string[]]
  readonly ja: readonly [string, string, ...string[]]
  readonly expect: Expected
}

/**
 * Runs the probes of a group in each language: one wording in `npm test`, all in `npm run test:long`. docs/probes.md lists which
 * pass, and is checked.
 */
export function probes(group: string, list: readonly Probe[]): void {
  const rows = rowsOf(group)
  const { rounds: wordings } = testRounds({ few: 1, all: Math.max(...list.flatMap(({ en, ja }) => [en.length, ja.length])) })

  describe.each(['ja', 'en'] as const)('in %s', locale => {
    test.each(list)('$id $name', async ({ cast = {}, expect: expected, ...probe }) => {
      const passes = rows.find(({ id }) => id === probe.id)?.[locale] === 'passes'
      const failures: string[] = []
      for (const talk of passes ? probe[locale].slice(0, wordings) : probe[locale]) {
        const played = await play(talk, cast, locale)
        const faults = faultsOf(played, expected)
        if (faults.length > 0) failures.push(`${faults.join('; ')}\n\n${played.report}`)
      }
      if (passes) expect(failures.length, failures.join('\n\n')).toBe(0)
      else expect(failures, 'docs/probes.md says that this probe does not pass. It does.').not.toEqual([])
    })
  })

  test('docs/probes.md contains all of them', () => {
    expect(rows.map(({ id, name }) => `${id} ${name}`)).toEqual(list.map(({ id, name }) => `${id} ${name}`))
    for (const { ja, en } of rows) for (const cell of [ja, en]) expect(cell).toMatch(/^(?:passes|does not: .+)$/)
  })
}

/** The differences from the expectation, for people. */
function faultsOf({ texts, reactions, calls, traces, waits }: Played, expected: Expected): string[] {
  const { p95, covers, outcome, because, says, never } = expected
  const counts: [what: string, count: number, wanted: Count][] = [
    ['texts', texts.length, expected.texts ?? 0],
    ['reactions', reactions.length, expected.reactions ?? 0],
    ['calls of the chat model', calls.chat ?? 0, expected.calls?.chat ?? expected.texts ?? 0],
    ['calls of the judge', calls.judge ?? 0, expected.calls?.judge ?? 0],
  ]
  const answered = traces.findLast(({ outcome }) => outcome === 'replied')
  const told = traces.flatMap(({ why, decision, problems }) => [why, decision?.why, ...problems.map(({ message }) => message)])
  const late = waits.toSorted((one, other) => one - other)[Math.ceil(waits.length * 0.95) - 1]
  return [
    ...counts.flatMap(([what, count, wanted]) => {
      const [least, most] = typeof wanted === 'number' ? [wanted, wanted] : wanted
      return count >= least && count <= most
        ? []
        : [`${count} ${what}, expected ${least === most ? least : `${least} to ${most}`}`]
    }),
    ...(says && !says.test(texts.at(-1) ?? '') ? [`its last words are ${JSON.stringify(texts.at(-1))}`] : []),
    ...texts.filter(text => never?.test(text)).map(text => `it says ${JSON.stringify(text)}`),
    ...(p95 !== undefined && !(late !== undefined && late <= milliseconds(p95)) ? [`p95 wait is ${late} ms`] : []),
    ...(covers !== undefined && answered?.messages.length !== covers ? [`the answer covers ${answered?.messages.length}`] : []),
    ...(outcome !== undefined && traces.at(-1)?.outcome !== outcome ? [`the last turn ends ${traces.at(-1)?.outcome}`] : []),
    ...(because && !told.some(one => one !== undefined && because.test(one)) ? [`no trace says ${because}`] : []),
  ]
}

/** The rows under the heading of a group: `| 1 | what | passes | passes |` */
function rowsOf(group: string) {
  const text = readFileSync(new URL('../../docs/probes.md', import.meta.url), 'utf8')
  const [, section = ''] = text.split(new RegExp(`^## ${group}$`, 'm'))
  const rows = (section.split(/^## /m)[0] ?? '').matchAll(/^\| (\d+\w*|J\d+) \| (.+?) \| (.+?) \| (.+?) \|/gm)
  return Array.from(rows, ([, id = '', name = '', ja = '', en = '']) => ({ id, name, ja, en }))
}
