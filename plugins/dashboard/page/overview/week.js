/** Replies by hour of the week, in the zone of this browser: the clocks may have changed within the period. */

/** @param {readonly { at: string, replies: number }[]} hours @returns {number[]} from Monday 0:00 to Sunday 23:00 */
export function repliesInWeek(hours) {
  const week = Array.from({ length: 7 * 24 }, () => 0)
  for (const { at, replies } of hours) {
    const here = new Date(at)
    const hour = ((here.getDay() + 6) % 7) * 24 + here.getHours()
    week[hour] = (week[hour] ?? 0) + replies
  }
  return week
}
