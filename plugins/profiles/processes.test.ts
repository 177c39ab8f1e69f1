// postgres: several processes count messages
/** Several processes of one bot count together. Needs a Postgres server: the embedded database has one process. */
import { type IncomingMessage, startBot } from 'kikimimi'
import { openTestDatabase, testPlatform, testServer } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import { borrowedProfiles, key, place } from './test-people.ts'

test.runIf(testServer())('each message counts once, in any process', async () => {
  await using scope = new AsyncDisposableStack()
  const db = scope.adopt(await openTestDatabase(), opened => opened.close())
  const start = async () => {
    const borrowed = borrowedProfiles()
    const platform = testPlatform({ me: { id: 'bot', name: 'kiki' } })
    const config = { persona: { name: 'kiki' }, plugins: borrowed.plugins }
    const bot = scope.use(await startBot(config, { db, platforms: [platform], env: {} }))
    return { ...borrowed, receive: (message: IncomingMessage) => bot.receive(platform, message) }
  }
  const processes = [await start(), await start()]

  const said = new Map<string, number>()
  const work: Promise<unknown>[] = []
  for (let count = 0; count < 400; count++) {
    const [one, other] = count % 2 === 0 ? processes : processes.toReversed()
    const author = `p${count % 7}`
    const { id: _, ...conversation } = place(`c${count % 5}`)
    const message = { id: `m${count}`, conversation, author: { id: author, name: author }, text: 'hello', at: new Date() }
    said.set(author, (said.get(author) ?? 0) + 1)
    work.push(one?.receive(message) ?? Promise.reject(new Error('no process')))
    // Some events reach both processes.
    if (count % 3 === 0 && other) work.push(other.receive(message))
    if (count % 10 === 0) work.push(...processes.map(({ store }) => store().flush()))
    if (count % 25 === 0) work.push(...processes.map(({ store }) => store().get(key(author), place())))
    if (count % 50 === 0) await Promise.all(work)
  }
  await Promise.all(work)
  for (const { known } of processes)
    for (const [author, messages] of said) expect([author, (await known(author)).messages]).toEqual([author, messages])
  await processes[0]?.store().flush()
  for (const { known } of processes)
    for (const [author, messages] of said) expect([author, (await known(author)).messages]).toEqual([author, messages])
})
