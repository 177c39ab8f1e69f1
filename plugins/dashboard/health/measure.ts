/**
 * Benchmark of this machine beside the running bot: short rounds with pauses, so that nothing waits for it. No model is
 * called, because that costs money.
 */
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { decide } from '@kikimimi/judge-rules/decide'
import { type Options, options } from '@kikimimi/judge-rules/options'
import { tableOf } from '@kikimimi/judge-rules/table'
import { KikimimiError, type Message, nameMatcher, type Person, type PluginContext, type Turn } from 'kikimimi'
import type { MeasurementView, Spread } from './views.ts'

export interface Measuring {
  /** The last result, until the process ends. */
  readonly last: MeasurementView | undefined
  /** One at a time: parallel callers share a run. */
  measure(): Promise<MeasurementView>
}

/** Time limit of each of the three parts. */
const LONGEST_MS = 1_500
/** Maximum number of rounds of the database and the timer, and the pauses between them. */
const ROUNDS = 120
const PAUSE_MS = 10

/** Length of a round of the judge: half a video frame. */
const STRETCH_MS = 8
const STRETCHES = 40
const REST_MS = 20

type MeasuredApp = Pick<PluginContext, 'bot' | 'db'>

export function createMeasuring(ctx: MeasuredApp, signal: AbortSignal): Measuring {
  let last: MeasurementView | undefined
  let running: Promise<MeasurementView> | undefined

  async function run(): Promise<MeasurementView> {
    const begun = performance.now()
    const database = await roundTrips(() => ctx.db.query('select 1'), signal)
    const verdicts = await judged(ctx.bot, signal)
    const lateness = await late(signal)
    return { at: new Date().toISOString(), took: performance.now() - begun, database, verdicts, lateness }
  }

  return {
    get last() {
      return last
    },
    async measure() {
      running ??= run().finally(() => {
        running = undefined
      })
      last = await running
      return last
    },
  }
}

async function roundTrips(ask: () => Promise<unknown>, signal: AbortSignal): Promise<Spread> {
  const times: number[] = []
  for (const begun = performance.now(); times.length < ROUNDS && performance.now() - begun < LONGEST_MS; ) {
    const start = performance.now()
    await ask()
    times.push(performance.now() - start)
    await pause(PAUSE_MS, undefined, { signal })
  }
  return spread(times)
}

async function late(signal: AbortSignal): Promise<Spread> {
  const times: number[] = []
  for (const begun = performance.now(); times.length < ROUNDS && performance.now() - begun < LONGEST_MS; ) {
    const start = performance.now()
    await pause(PAUSE_MS, undefined, { signal })
    times.push(Math.max(0, performance.now() - start - PAUSE_MS))
  }
  return spread(times)
}

/** Decisions of judge-rules, with its defaults, per second of processor time. */
async function judged({ name }: MeasuredApp['bot'], signal: AbortSignal): Promise<number> {
  const defaults: Options = options.parse(undefined)
  const called = nameMatcher([name])
  const table = tableOf(defaults, text => called.test(text))
  const turns = TALK.map((_text, at) => turnAt(at, { id: 'bot', name }))
  let verdicts = 0
  let spent = 0
  const begun = performance.now()
  for (let stretch = 0; stretch < STRETCHES && performance.now() - begun < LONGEST_MS; stretch++) {
    const start = performance.now()
    while (performance.now() - start < STRETCH_MS) {
      for (const turn of turns) {
        const parts = table.score(turn)
        const points = parts.reduce((sum, part) => sum + part.points, 0)
        decide(turn, { points, parts: [] }, { ...table.style(turn), judge: undefined })
        verdicts++
      }
    }
    spent += performance.now() - start
    await pause(REST_MS, undefined, { signal })
  }
  return (1_000 * verdicts) / spent
}

/** A typical conversation. */
const TALK = [
  ['alice', 'good morning! did anyone see where the train timetable went?'],
  ['bob', 'I think it is pinned in #travel, the one from last week'],
  ['alice', 'ah, found it. the 10:04 to Ueno then'],
  ['carol', 'wait, is that one running today? there was something about the rails'],
  ['bob', '運休じゃなかったっけ'],
  ['alice', 'え、ほんと？調べてみるね'],
  ['carol', 'haha no worries, we can take the next one'],
  ['bob', 'does anybody know how long the walk from the station is?'],
  ['alice', 'twenty minutes or so, it is nice along the river'],
  ['carol', '👍 see you there'],
] as const

function turnAt(at: number, me: Person): Turn {
  const history = TALK.slice(0, at + 1).map(([author, text], n): Message => {
    const said = new Date(Date.UTC(2026, 0, 5, 10, 0, 20 * n))
    return { id: `m${n}`, author: { id: author, name: author }, text, at: said, mentions: [], attachments: [], own: false }
  })
  const messages = history.slice(-1)
  const [message] = messages
  if (!message) throw new KikimimiError('INTERNAL', `[dashboard] the talk has no message ${at}`)
  const place = { platform: 'measure', workspace: '', channel: 'talk', name: 'talk', visibility: 'public' } as const
  return {
    id: `t${at}`,
    conversation: { id: 'measure//talk', ...place },
    messages,
    message,
    history,
    added: [],
    sources: [],
    takeAdditions: async () => [],
    me,
    persona: { name: me.name, names: [me.name], prompt: '', timeZone: 'UTC' },
    signal: NEVER,
  }
}

const NEVER = new AbortController().signal

function spread(times: readonly number[]): Spread {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
  return { p50: at(0.5), p95: at(0.95), count: sorted.length }
}
