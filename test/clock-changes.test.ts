/** Clocks change: the prompt, the tool of the model and the words of people mean the same minute, wherever the machine stands. */
import addressing from '@kikimimi/addressing'
import promises from '@kikimimi/promises'
import reply from '@kikimimi/reply'
import { promptOf, scriptedModel, testBot, testRounds } from 'kikimimi/testing'
import { expect, test } from 'vitest'

const DAY = 86_400_000
/** Instants of each zone, those of three years at most. */
const { rounds: most } = testRounds({ few: 1, all: 20 })

/** Half an hour on Lord Howe, none in Tokyo. */
const ZONES = ['America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'Africa/Casablanca', 'Asia/Tokyo']

/** Wall time by the formatter of the platform, as 2026-03-29 02:30. */
const wall = (at: number, timeZone: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(at)

/** Noon before each change of the clocks, and one other noon in each half of a year. */
function noons(timeZone: string): readonly number[] {
  const found: number[] = []
  const from = Date.UTC(2026, 0, 1)
  for (let day = from; day < from + 3 * 365 * DAY; day += DAY) {
    const [today, next] = [offset(day, timeZone), offset(day + DAY, timeZone)]
    const isOther = (day - from) % (180 * DAY) === 90 * DAY
    if (today !== next || isOther) found.push(day + DAY / 2 - today)
  }
  return found.slice(0, most)
}

/** Milliseconds ahead of UTC. */
const offset = (at: number, timeZone: string) => Date.parse(`${wall(at, timeZone).replace(' ', 'T')}Z`) - at

test.each(ZONES)('%s', async timeZone => {
  for (const noon of noons(timeZone)) {
    const now = noon - 60 * 60_000
    const tomorrow = wall(noon + DAY, timeZone).slice(0, 10)
    const prompts: string[] = []
    await using bot = await testBot({
      ...{ timeZone, at: new Date(now), plugins: [promises(), addressing(), reply()], storage: 'pglite' },
      model: scriptedModel(request => {
        prompts.push(promptOf(request))
        if (request.messages.at(-1)?.role === 'tool') return 'I will.'
        return { toolCalls: [{ id: 't1', name: 'set_reminder', args: { at: `${tomorrow}T10:15`, what: 'water the plants' } }] }
      }),
    })
    await bot.say('alice', '@kiki remind me tomorrow at 9:30 to call Bob')
    await bot.say('alice', '@kiki remind me in 24 hours to stretch')
    await bot.say('alice', '@kiki remind me every day at 7pm to lock the door')
    await bot.say('alice', '@kiki the plants are thirsty')
    const told = async () => {
      const { rows } = await bot.db.query<{ content: string; at: Date }>('select content, at from promises.reminder')
      return Object.fromEntries(rows.map(({ content, at }) => [content, at.getTime()]))
    }
    const set = await told()
    const minute = (content: string) => wall(set[content] ?? 0, timeZone)
    expect(prompts[0]).toContain(wall(now, timeZone))
    expect(prompts[0]).toContain(timeZone)
    expect(minute('call Bob')).toBe(`${tomorrow} 09:30`)
    expect(minute('water the plants')).toBe(`${tomorrow} 10:15`)
    expect(set.stretch).toBe(now + DAY)
    expect(minute('lock the door')).toBe(`${wall(now, timeZone).slice(0, 10)} 19:00`)
    await bot.pass('30h')
    expect(wall((await told())['lock the door'] ?? 0, timeZone)).toMatch(/ 19:00$/)
    expect(bot.sent.filter(text => text.includes('call Bob')).length).toBe(2)
  }
})
