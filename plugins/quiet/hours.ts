import { z } from 'zod'

const MINUTES = 60

const time = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, { error: ({ input }) => `expected a time such as "23:00", got ${JSON.stringify(input)}` })

export const hours = z
  .strictObject({
    from: time.describe('Start of the quiet hours, such as "23:00".'),
    to: time.describe('End of the quiet hours, such as "07:00". A time before `from` is on the next day.'),
  })
  .refine(({ from, to }) => from !== to, { path: ['to'], error: 'expected another time than "from"' })

/**
 * Returns a test whether a time, in milliseconds since the epoch, is in the quiet hours. The hours may include midnight.
 *
 * @param timeZone that of the place, an IANA name
 */
export function inHours({ from, to }: z.output<typeof hours>, timeZone: string): (at: number) => boolean {
  const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone })
  const [begin, end] = [minuteOf(from), minuteOf(to)]
  return at => {
    const now = minuteOf(clock.format(at))
    return begin < end ? begin <= now && now < end : begin <= now || now < end
  }
}

function minuteOf(time: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return hour * MINUTES + minute
}
