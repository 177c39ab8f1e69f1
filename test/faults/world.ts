/** What the bot stands on: its database, its disk, the clock, and its own process. */
import { testServer } from 'kikimimi/testing'
import { back, forward } from './clock.ts'
import { goesAway } from './database.ts'
import { isFull, whyNoDisk } from './disk.ts'
import { stopsUnderLoad } from './drain.ts'
import { isKilled } from './kill.ts'
import type { Cell, Table } from './table.ts'

const OUTCOME = 'what happens'

const row = (what: string, cell: Cell) => ({ what, cells: { [OUTCOME]: cell } })

export const world: Table = {
  heading: 'Database, disk, clock and process',
  of: 'what goes wrong',
  columns: [OUTCOME],
  rows: [
    row('the Postgres server is gone, and comes back', {
      comes:
        '`/readyz` says so and `/healthz` stays well; what is heard waits for up to five minutes and is then taken in; what was to be judged or answered is, once the server is there; the process goes on',
      skip: () => (testServer() ? undefined : 'it takes the programs of the server in TEST_DATABASE_URL'),
      try: goesAway,
    }),
    row('the disk of the data folder is full', {
      comes:
        'the log says `No space left on device`; what is heard waits for up to five minutes; with room again all of it is recorded and answered, and the folder is whole',
      skip: whyNoDisk,
      try: isFull,
    }),
    row('the clock jumps a day ahead', {
      comes: 'what has fallen due happens once: judgements, delayed answers, jobs, repeating work; a mute is over',
      try: forward,
    }),
    row('the clock jumps back an hour', {
      comes:
        'who calls is answered at once, and what is said is judged in its time; what had a time keeps it, so a mute, a delayed answer or a job lasts an hour longer; nothing happens twice',
      try: back,
    }),
    row('SIGTERM in the middle of 50 messages a second', {
      comes:
        'it takes nothing more in, ends its turns (20 s at most) and exits with code 0; the next start answers everybody else who called, none twice',
      try: stopsUnderLoad,
    }),
    row('kill -9, again and again, at random moments', {
      comes:
        'each message is recorded once, what was pending is judged, who called is answered once; where the platform drops doubles no answer is lost',
      try: () => isKilled(true),
    }),
    row('kill -9, where the platform does not drop doubles', {
      comes: 'the same, but an answer that was on its way in that moment is given up: twice is worse than not at all',
      try: () => isKilled(false),
    }),
  ],
}
