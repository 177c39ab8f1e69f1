/** A call of a plugin or a platform by the kernel, and a bot in which this call fails. */
import { milliseconds, type PluginEntry, sleep, type Trace } from 'kikimimi'
import type { Duration } from 'kikimimi/host'
import { type TestBot, type TestBotOptions, testBot } from 'kikimimi/testing'
import { expect } from 'vitest'
import { thrown } from './nonsense.ts'
import type { Cell, Row } from './table.ts'

export const FAULTS = ['throws', 'hangs', 'returns nonsense', 'is slow'] as const

export type Fault = (typeof FAULTS)[number]

/** The behaviour of the plugin in this test. */
export type Act = () => never

export interface Spot {
  readonly where: string
  /** The deadline of the call. */
  readonly time: Duration
  /** Plugins of the bot. The failing one has the name `bad`. */
  plugins(act: Act): readonly PluginEntry[]
  readonly bot?: TestBotOptions
  /** A valid result. */
  readonly well: unknown
  /** Invalid results. */
  readonly nonsense?: readonly unknown[]
  /** Preparation. */
  arrange?(bot: TestBot, act: Act): void
  /** Causes the call. Default: a message to the bot. */
  scene?(bot: TestBot): Promise<void>
  /** The scene waits for the plugin, so time must pass meanwhile. */
  readonly waits?: true
  /** Time until the normal end. Default: none. */
  readonly takes?: Duration
  /** The visible result of the last call. */
  see(bot: TestBot): Promise<unknown>
  readonly seen: { readonly well: unknown; readonly broken: unknown }
  /** Where the problem is reported: in the trace and the log (default), in a line of the log, or nowhere. */
  readonly told?: 'trace' | RegExp | 'nowhere'
  readonly comes: Partial<Readonly<Record<Fault, string>>>
}

/** The row of a spot. */
export function row(spot: Spot): Row {
  const cells: Record<string, Cell> = {}
  for (const fault of FAULTS) {
    const comes = spot.comes[fault]
    if (comes !== undefined) cells[fault] = { comes, try: () => play(spot, fault) }
  }
  return { what: spot.where, cells }
}

/** Late results come within this time after the deadline. */
const LATER = 2_000

/** Each fault happens once, and then the call works again. */
async function play(spot: Spot, fault: Fault): Promise<void> {
  const { scene = called, takes = 0, seen, time } = spot
  let behave: () => unknown = () => spot.well
  const act: Act = () => behave() as never
  await using bot = await testBot({ storage: 'pglite', pacing: { minWait: 0 }, ...spot.bot, plugins: spot.plugins(act) })
  spot.arrange?.(bot, act)

  for (const [at, wrong] of variants(spot, fault, bot).entries()) {
    const which = `${spot.where} ${fault}, number ${at + 1}`
    const [lines, turns] = [bot.log.length, (await bot.traces()).length]
    behave = wrong
    const late = fault === 'hangs' || fault === 'is slow'
    const ms = milliseconds(takes) + (late ? milliseconds(time) + LATER : 0)
    await (late && spot.waits ? timePassing(bot, scene, ms) : inTime(bot, scene, ms))
    expect(await spot.see(bot), which).toEqual(fault === 'is slow' ? seen.well : seen.broken)
    if (fault !== 'is slow') {
      const problems = (await bot.traces()).slice(turns).flatMap(trace => trace.problems)
      expectTold(spot, fault, bot.log.slice(lines).join(''), problems, which)
    }

    behave = () => spot.well
    await inTime(bot, scene, milliseconds(takes))
    expect(await spot.see(bot), `after ${which}`).toEqual(seen.well)
  }
}

async function inTime(bot: TestBot, scene: (bot: TestBot) => Promise<void>, ms: number): Promise<void> {
  await scene(bot)
  if (ms > 0) await bot.pass(ms)
}

/** For a scene that waits for time to pass. */
async function timePassing(bot: TestBot, scene: (bot: TestBot) => Promise<void>, ms: number): Promise<void> {
  let over = false
  const played = scene(bot).finally(() => {
    over = true
  })
  do await bot.pass(ms)
  while (!over)
  await played
}

function variants({ time, well, nonsense = [] }: Spot, fault: Fault, { clock }: TestBot): readonly (() => unknown)[] {
  const later = async (ms: number, settle: () => unknown) => {
    await sleep(clock, ms)
    return settle()
  }
  const broken = () => {
    throw new Error('broken, and late')
  }
  const late = milliseconds(time) + LATER / 2
  switch (fault) {
    case 'throws':
      return [
        ...thrown().map(what => () => {
          throw what
        }),
        () => Promise.reject(new Error('broken')),
      ]
    case 'hangs':
      return [() => new Promise(() => {}), () => later(late, broken), () => later(late, () => well)]
    case 'returns nonsense':
      return nonsense.map(what => () => what)
    case 'is slow':
      return [() => later(milliseconds(time) - 100, () => well)]
  }
}

const PROBLEM: Record<Exclude<Fault, 'is slow'>, RegExp> = {
  throws: /./,
  hangs: /^no answer within \d+ ms$/,
  'returns nonsense': /nonsense|sprung/,
}

/** The report names the plugin and the problem. */
function expectTold(
  { told = 'trace' }: Spot,
  fault: Exclude<Fault, 'is slow'>,
  log: string,
  problems: Trace['problems'],
  which: string,
): void {
  if (told === 'nowhere') return
  expect(log, which).toMatch(told === 'trace' ? '[bad]' : told)
  if (told === 'trace') expect(problems, which).toMatchObject([{ plugin: 'bad', message: expect.stringMatching(PROBLEM[fault]) }])
}

async function called(bot: TestBot): Promise<void> {
  await bot.say('alice', '@kiki hello')
}

/** Messages since the last call of this function. */
export function newTexts(bot: TestBot): readonly string[] {
  return bot.platform.posted.splice(0).flatMap(one => (one.kind === 'text' ? [one.text] : []))
}
