/** A situation: what people do, what the model must be told of it, and what the bot must post. */
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { PluginEntry } from 'kikimimi'
import type { Duration } from 'kikimimi/host'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { onDiscord } from './on-discord.ts'
import { onSlack } from './on-slack.ts'
import { createModel, type Place, type PlaceOptions, type PlatformName, QUIET, type Seen, type Stage } from './place.ts'

/** A text or a pattern in the prompt; by platform, if they differ. */
export type Fact = string | RegExp | { readonly [P in PlatformName]?: string | RegExp }

export interface Situation extends PlaceOptions {
  readonly name: string
  /** The only platform that has such a thing. Default: both. */
  readonly on?: PlatformName
  /** What people do. The last message calls the bot. */
  play(place: Place): Promise<unknown>
  /** The last prompt contains these. */
  readonly sees?: readonly Fact[]
  /** The last prompt contains none of these. */
  readonly hides?: readonly Fact[]
  /** For several calls: each prompt contains its own of these, in the order of the calls. */
  readonly each?: readonly (readonly Fact[])[]
  /** Pictures and recordings in the last prompt. Default: none. */
  readonly images?: number
  readonly audio?: number
  /** The texts that the bot posts. Default: one answer of the model. */
  readonly posts?: readonly RegExp[]
  /** True: its answers may stand in several threads. */
  readonly anywhere?: boolean
  /** Largest number of calls that read messages. Default: any. */
  readonly readings?: number
  /** It changes the platform for all, and gets one of its own. */
  readonly apart?: boolean
  /** See {@link StageOptions.isDistributed}. Only for a situation that is `apart`. */
  readonly isDistributed?: boolean
}

/** A situation of Discord alone. */
export function discordOnly(
  situation: Omit<Situation, 'on' | 'play'> & { play(place: Extract<Place, { platform: 'discord' }>): Promise<unknown> },
): Situation {
  return { ...situation, on: 'discord', play: place => situation.play(place as Extract<Place, { platform: 'discord' }>) }
}

export interface GroupOptions {
  readonly plugins?: () => readonly PluginEntry[]
  /** The model takes recordings. */
  readonly takesAudio?: boolean
  /** How long a talk must be quiet before it is judged, or an edited call answered. Default: longer than any test. */
  readonly minWait?: Duration
}

const PLATFORMS = { discord: onDiscord, slack: onSlack } as const
const ANSWER = [/^answer \d+$/]
let places = 0

/** Plays the situations of a group on each platform. docs/context.md lists which pass, and is checked. */
export function situations(group: string, list: readonly Situation[], options: GroupOptions = {}) {
  const { plugins = () => [], takesAudio = false, minWait = '10m' } = options
  const rows = rowsOf(group)

  async function begin(platform: PlatformName, isDistributed = false) {
    const { model, watch } = createModel(takesAudio)
    const stage = await PLATFORMS[platform]({ model, plugins: plugins(), minWait, isDistributed })
    return { stage, watch }
  }

  const on = (platform: PlatformName) => list.filter(one => one.on === undefined || one.on === platform)
  const used = (['discord', 'slack'] as const).filter(platform => on(platform).length > 0)

  describe.each(used)('on %s', platform => {
    let shared: Awaited<ReturnType<typeof begin>>
    beforeAll(async () => {
      shared = await begin(platform)
    })
    afterAll(() => shared.stage[Symbol.asyncDispose]())

    test.each(on(platform))('$name', { timeout: 60_000 }, async situation => {
      await using opened = new AsyncDisposableStack()
      const own = situation.apart ? await begin(platform, situation.isDistributed) : undefined
      if (own) opened.use<Stage>(own.stage)
      const { stage, watch } = own ?? shared
      const name = `c${++places}`
      const place: Place = watch(name, stage.open(name, situation))
      const faults = await faultsOf(situation, place)
      const report = `${faults.join('\n')}\n\n${place.requests.map(({ user }) => user).join('\n=====\n')}`
      const passes = rows.find(row => row.name === situation.name)?.[platform] === 'passes'
      if (passes) expect(faults, report).toEqual([])
      else expect(faults, 'docs/context.md says that this situation does not pass. It does.').not.toEqual([])
    })
  })

  test('docs/context.md contains all of them', () => {
    expect(rows.map(({ name }) => name)).toEqual(list.map(({ name }) => name))
    for (const [at, { on }] of list.entries()) {
      for (const platform of ['discord', 'slack'] as const) {
        const cell = on === undefined || on === platform ? /^(?:passes|does not: .+)$/ : /^–$/
        expect(rows[at]?.[platform]).toMatch(cell)
      }
    }
  })
}

/** The differences from the expectation, for people. */
async function faultsOf({ play, sees = [], hides = [], each = [], posts = ANSWER, ...rest }: Situation, place: Place) {
  await play(place)
  await place.answered(posts.length)
  await pause(QUIET)
  const { requests, posted, platform, last } = place
  const wanted = (facts: readonly Fact[]) => facts.flatMap(fact => patternOf(fact, platform) ?? [])
  const missing = (facts: readonly Fact[], { user }: Seen) =>
    wanted(facts).flatMap(fact => (has(user, fact) ? [] : [`the prompt does not contain ${fact}`]))
  const final: Seen = requests.at(-1) ?? { system: '', user: '', images: 0, audio: 0 }
  const { images = 0, audio = 0, anywhere = false, readings = Number.POSITIVE_INFINITY } = rest
  const quotes = requests.flatMap(({ system }) => place.said.filter(text => text.length > 8 && system.includes(text)))
  const texts = posted.map(({ text }) => text)
  const isMet = texts.length === posts.length && posts.every((one, at) => one.test(texts[at] ?? ''))
  return [
    ...missing(sees, final),
    ...wanted(hides).flatMap(fact => (has(final.user, fact) ? [`the prompt contains ${fact}`] : [])),
    ...each.flatMap((facts, at) => missing(facts, requests[at] ?? { ...final, user: '' })),
    ...(final.images === images ? [] : [`${final.images} pictures, expected ${images}`]),
    ...(final.audio === audio ? [] : [`${final.audio} recordings, expected ${audio}`]),
    ...quotes.map(text => `the system text quotes ${JSON.stringify(text)}`),
    ...(isMet ? [] : [`it posts ${JSON.stringify(texts)}, expected ${posts.join(', ') || 'nothing'}`]),
    ...(last !== undefined && !anywhere && posted.some(one => one.in !== last) ? ['it does not post in the thread'] : []),
    ...(place.readings <= readings ? [] : [`${place.readings} calls read messages, expected ${readings}`]),
  ]
}

function patternOf(fact: Fact, platform: PlatformName): string | RegExp | undefined {
  return typeof fact === 'string' || fact instanceof RegExp ? fact : fact[platform]
}

function has(text: string, fact: string | RegExp): boolean {
  return typeof fact === 'string' ? text.includes(fact) : fact.test(text)
}

/** The rows under the heading of a group: `| what | passes | passes |` */
function rowsOf(group: string) {
  const text = readFileSync(new URL('../../docs/context.md', import.meta.url), 'utf8')
  const [, section = ''] = text.split(new RegExp(`^## ${group}$`, 'm'))
  const rows = (section.split(/^## /m)[0] ?? '').matchAll(/^\| (?!situation|---)(.+?) \| (.+?) \| (.+?) \|$/gm)
  return Array.from(rows, ([, name = '', discord = '', slack = '']) => ({ name, discord, slack }))
}
