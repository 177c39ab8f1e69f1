/**
 * GateMem through the whole bot: episodes of people with one memory, with questions for what is useful, for what is not for the asker, and
 * for what was withdrawn, judged by strings. `npm run bench:gatemem -- FOLDER [--episodes N] [--alone] [--details]`
 */
import { parseArgs } from 'node:util'
import { machine, progress, round } from '../base/measure.ts'
import { bm25 } from './gatemem/bm25.ts'
import { type Episode, readEpisodes } from './gatemem/data.ts'
import { type Judged, judge } from './gatemem/judge.ts'
import { placesOf } from './gatemem/places.ts'
import { type Played, play } from './gatemem/play.ts'

/** Messages that BM25 puts into a prompt, as many as the bot's memories. */
const LIMIT = 8

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    episodes: { type: 'string' },
    /** Only the person who asks to delete something tells the bot so, not those who have repeated it. */
    alone: { type: 'boolean', default: false },
    /** With an entry for each checkpoint where a withdrawn value or a violation was found, or a part of the right answer was not. */
    details: { type: 'boolean', default: false },
  },
})
const [folder] = positionals
if (folder === undefined) {
  progress('Which data? npm run bench:gatemem -- FOLDER [--episodes 4] [--alone] [--details]')
  process.exit(2)
}

interface Result {
  readonly episode: Episode
  readonly played: Played
  readonly judged: readonly Judged[]
}

const results: Result[] = []
for (const episode of await readEpisodes(folder, values.episodes === undefined ? undefined : Number(values.episodes))) {
  const start = performance.now()
  const played = await play(episode, values)
  const places = placesOf(episode)
  const judged = played.asked.map(asked => {
    const end = episode.turns.findIndex(({ turn_id }) => turn_id === asked.checkpoint.as_of_turn_id)
    const texts = episode.turns.slice(0, end + 1).map(({ speaker, text }) => `${nameIn(episode, speaker.principal_id)}: ${text}`)
    const found = bm25(texts, asked.checkpoint.query_text, LIMIT)
    return judge(asked, places, { full: texts.join('\n'), bm25: found.join('\n') })
  })
  results.push({ episode, played, judged })
  progress(`${episode.episode_id}: ${round((performance.now() - start) / 1_000, 1)} s`)
}
const domains = Object.fromEntries(
  [...Map.groupBy(results, ({ episode }) => episode.domain)].map(([domain, some]) => [domain, figures(some)]),
)
const made = { machine: machine(), ...domains, all: figures(results), ...(values.details && { details: details() }) }
process.stdout.write(`${JSON.stringify(made, null, 1)}\n`)

function figures(some: readonly Result[]) {
  const judged = some.flatMap(one => one.judged)
  const useful = judged.flatMap(({ utility }) => utility ?? [])
  const withdrawn = judged.flatMap(({ forgetting }) => forgetting)
  const access = judged.flatMap(one => one.access)
  const byReaders = access.filter(one => one.byReaders)
  const byRole = access.filter(one => !one.byReaders)
  const sum = (count: (one: Played) => number) => some.reduce((total, { played }) => total + count(played), 0)
  return {
    ...{ episodes: some.length, checkpoints: judged.length },
    requests: { all: sum(one => one.requests), understoodAsSaid: sum(one => one.understood) },
    utility: {
      checkpoints: useful.length,
      bot: share(useful, one => one.bot),
      readable: share(useful, one => one.readable),
      fullContext: share(useful, one => one.full),
      bm25: share(useful, one => one.bm25),
    },
    forgetting: {
      values: withdrawn.length,
      failures: withdrawn.filter(({ bot }) => bot === 'failure').length,
      saidByOthers: withdrawn.filter(({ bot }) => bot === 'others').length,
      saidAgain: withdrawn.filter(({ bot }) => bot === 'again').length,
      ...shown(withdrawn),
    },
    access: {
      violations: access.filter(({ bot }) => bot === 'violation').length,
      unreadableTexts: judged.reduce((total, one) => total + one.unreadable.length, 0),
      byReaders: { targets: byReaders.length, bot: byReaders.filter(({ bot }) => bot !== 'none').length, ...shown(byReaders) },
      byRole: { targets: byRole.length, bot: byRole.filter(({ bot }) => bot !== 'none').length, ...shown(byRole) },
    },
  }
}

function shown(found: readonly { readonly full: boolean; readonly bm25: boolean }[]) {
  return { fullContext: found.filter(one => one.full).length, bm25: found.filter(one => one.bm25).length }
}

function share<T>(all: readonly T[], holds: (one: T) => boolean): number {
  return round(all.filter(holds).length / Math.max(1, all.length), 3)
}

function details() {
  return results.flatMap(({ played, judged }) =>
    judged.flatMap(({ utility, forgetting, access, unreadable }, at) => {
      const withdrawn = forgetting.filter(({ bot }) => bot !== 'gone').map(({ value, bot }) => ({ value, bot }))
      const violations = access.filter(({ bot }) => bot === 'violation').map(({ value }) => value)
      const asked = played.asked[at]
      const missing = utility?.missing ?? []
      if (!asked || withdrawn.length + violations.length + unreadable.length + missing.length === 0) return []
      const { checkpoint, prompt, answer, gone } = asked
      const values = [...withdrawn.map(({ value }) => value), ...violations]
      const lines = `${prompt}\n${answer}`.split('\n').filter(line => values.some(value => line.includes(value)))
      const answers = gone.filter(({ value }) => values.includes(value)).map(one => one.answers)
      const memories = missing.length > 0 ? prompt.split('\n').filter(line => line.startsWith('- ')) : []
      const found = { withdrawn, violations, unreadable, lines, answers, missing, memories }
      return { id: checkpoint.checkpoint_id, question: checkpoint.query_text, readable: utility?.readable, ...found }
    }),
  )
}

function nameIn({ entities }: Episode, person: string): string {
  return entities.principals.find(one => one.principal_id === person)?.display_name ?? person
}
