/** Faults of the environment: database, disk, clock, and process. */
import { testServer } from 'kikimimi/testing'
import { back, forward } from './clock.ts'
import { goesAway } from './database.ts'
import { cannotBeWritten, isFull, isMovedAway, whyNoDisk } from './disk.ts'
import { stopsUnderLoad } from './drain.ts'
import { isKilled } from './kill.ts'
import { fallsSilent, hasNoSpace, isLocked, isReadOnly } from './silence.ts'
import type { Cell, Row, Table } from './table.ts'

const whyNoServer = () => (testServer() ? undefined : 'it takes the server in TEST_DATABASE_URL')

const OUTCOME = 'what happens'

const row = (what: string, cell: Cell) => ({ what, cells: { [OUTCOME]: cell } })

/** Rows whose tests wait the longest. */
export const isKill = ({ what }: Row) => what.startsWith('kill -9')

export const world: Table = {
  heading: 'Database, disk, clock and process',
  of: 'what goes wrong',
  columns: [OUTCOME],
  rows: [
    row('the Postgres server is unavailable for a while', {
      comes:
        '`/readyz` reports it and `/healthz` stays 200; new messages wait for up to five minutes and are then recorded; waiting turns run, and turns that were ending end, once the server is back; the process continues',
      skip: whyNoServer,
      try: goesAway,
    }),
    row('the Postgres server falls silent without closing its connections', {
      comes:
        'within 5 s `/readyz` is 503; connections that do not answer are closed; messages wait, and each call is answered once after the server is back; the log has one line at the beginning and one at the end',
      skip: whyNoServer,
      try: fallsSilent,
    }),
    row('the database is read-only', {
      comes: 'the same; the line at the beginning is an error',
      skip: whyNoServer,
      try: isReadOnly,
    }),
    row('the disk of the Postgres server is full', { comes: 'the same', skip: whyNoServer, try: hasNoSpace }),
    row('another session locks the table of messages', {
      comes: 'within 5 s `/readyz` is 503; messages wait, and each call is answered once after the lock has ended',
      skip: whyNoServer,
      try: isLocked,
    }),
    row('the disk of the data folder is full', {
      comes:
        'within 5 s `/readyz` is 503, and the log says that the disk is full; new messages wait for up to five minutes; with free space they are recorded and answered, and the folder is intact',
      skip: whyNoDisk,
      try: isFull,
    }),
    row('the data folder is moved away or deleted', {
      comes:
        'within 5 s `/readyz` is 503, and 200 when the same folder is back; the log has an error at the beginning and a line at the end',
      try: isMovedAway,
    }),
    row('the data folder can only be read', { comes: 'the same', skip: whyNoDisk, try: cannotBeWritten }),
    row('the clock jumps a day ahead', {
      comes: 'due work runs once: turns, delayed answers, jobs, repeated work; a mute has ended',
      try: forward,
    }),
    row('the clock jumps back an hour', {
      comes:
        'mentions are answered at once, and other messages are judged after the usual wait; a mute, a delayed answer or a job lasts an hour longer; nothing happens twice',
      try: back,
    }),
    row('SIGTERM in the middle of 50 messages a second', {
      comes:
        'the bot accepts no more messages, finishes its turns (20 s at most) and exits with code 0; the next start answers all other mentions, none twice',
      try: stopsUnderLoad,
    }),
    row('kill -9, again and again, at random moments', {
      comes:
        'each message is recorded once, waiting turns run, mentions are answered once; if the platform refuses duplicates, no answer is lost',
      try: () => isKilled('refused'),
    }),
    row('kill -9, on a platform that accepts duplicates and finds a message by its nonce', {
      comes: 'the same: the next start looks for the answer that was being sent, and no answer is lost',
      try: () => isKilled('found'),
    }),
    row('kill -9, on a platform that accepts duplicates and finds none', {
      comes: 'the same, but an answer that is being sent at that moment is lost, because a duplicate is worse',
      try: () => isKilled('possible'),
    }),
  ],
}
