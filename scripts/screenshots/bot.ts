/** A bot for pictures of the dashboard: a settings file, two weeks of turns, a memory, costs, accounts, backups, and what fails. */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { type Bot, type Database, defineBot, definePlugin, KikimimiError, startBot, systemClock } from 'kikimimi'
import { openDatabase } from 'kikimimi/host'
import { definePlatform } from 'kikimimi/platform'
import { createLogger } from '../../core/base/log.ts'
import { createSqlStore } from '../../core/storage/store/sql.ts'
import { freePort } from '../../core/testing/free-port.ts'
import { promptOf, scriptedModel } from '../../core/testing/scripted-model.ts'
import backup, { newKey } from '../../packages/backup/index.ts'
import replay from '../../packages/replay/index.ts'
import addressing from '../../plugins/addressing/index.ts'
import dashboard from '../../plugins/dashboard/index.ts'
import type { StudioView } from '../../plugins/dashboard/studio/views.ts'
import { borrowedFacts } from '../../plugins/facts/test-memory.ts'
import judgeRules from '../../plugins/judge-rules/index.ts'
import memorySummary from '../../plugins/memory-summary/index.ts'
import profiles from '../../plugins/profiles/index.ts'
import quiet from '../../plugins/quiet/index.ts'
import reply from '../../plugins/reply/index.ts'
import { keepMemory } from './memory.ts'
import { keepPast } from './past.ts'
import { SCENES } from './scenes.ts'

const PASSWORD = 'a long enough password'

export const DEV = 'discord/team/dev'
const dev = { platform: 'discord', workspace: 'team', channel: 'dev', name: 'dev', visibility: 'public' } as const

let sent = 0
const platform = {
  name: 'discord',
  me: { id: 'bot', name: 'kiki' },
  limits: { textLength: 2_000 },
  send: async () => ({ id: `sent-${sent++}` }),
}

export interface PictureBot extends AsyncDisposable {
  readonly url: string
  /** The cookie of an owner. */
  readonly cookie: string
  /** A turn with a tool, a failed plugin and captured prompts. */
  readonly turn: string
}

/** The weather does not answer. After three attempts the bot pauses it. */
const weather = definePlugin({
  name: 'weather',
  setup: () => ({
    context: () => {
      throw new KikimimiError('SEND_FAILED', 'the weather service answered with 503')
    },
  }),
})

/** Its job fails. */
const calendar = definePlugin({
  name: 'calendar',
  setup(ctx) {
    const sync = ctx.job(
      'sync',
      () => {
        throw new KikimimiError('SEND_FAILED', 'the calendar answered with 401: its token has expired')
      },
      { retries: 0 },
    )
    return { after: async () => void (await sync.schedule({}, { key: 'daily' })) }
  },
})

/** What people ask the running bot, and its answer. */
const ASKED = [
  ['ben', 'kiki, is the build green?', 'Yes, since 14:20.'],
  ['yumi', 'kiki、レビューは何時から？', '金曜日の15時からです。由美さんとアンさんが参加します。'],
  ['ann', 'kiki, when does the train to Ueno leave?', 'At half past ten. It was ten until yesterday.'],
] as const

/** For this it searches its memory first. */
const SEARCHED = ASKED[1][1]

/** Questions of the past, with their answers. */
const PAST = Object.values(SCENES).flatMap(scenes =>
  scenes.flatMap(scene =>
    scene.flatMap(({ author, text }, at) => (author === 'kiki' ? [[scene[at - 1]?.text ?? '', text] as const] : [])),
  ),
)

export async function pictureBot(): Promise<PictureBot> {
  await using opening = new AsyncDisposableStack()
  // The page shows its path.
  const project = opening.adopt(join(tmpdir(), 'bot'), path => rm(path, { recursive: true }))
  await mkdir(project)
  await writeFile(join(project, 'bot.settings.json'), '{}\n')
  const { plugins, store } = borrowedFacts()
  const key = (await newKey()).secret
  const http = `127.0.0.1:${await freePort()}`
  const log = createLogger({ level: 'info', format: 'lines', write: () => {}, clock: systemClock })
  const db = opening.adopt(await openDatabase('memory', { clock: systemClock, log }), one => one.close())
  const chat = scriptedModel(async request => {
    await sleep(700)
    const prompt = promptOf(request)
    const [question = '', answer = 'It leaves at ten.'] =
      [...PAST, ...ASKED.map(([, ...rest]) => rest)].findLast(([text]) => prompt.includes(text)) ?? []
    const isSearched = request.messages.some(({ role }) => role === 'tool')
    if (question === SEARCHED && request.tools !== undefined && !isSearched)
      return { toolCalls: [{ id: 'call-1', name: 'search_memory', args: { query: 'レビュー' } }] }
    return request.system.includes('hour') ? `${answer} (15:00)` : answer
  })
  const bot = opening.adopt(
    await startBot(
      defineBot({
        ...{ settings: {}, persona: { name: 'kiki', names: ['キキ'] }, http, pacing: { minWait: 0 } },
        models: {
          chat: { ...chat, name: 'large' },
          // It writes no summaries, so that those of the pictures stay.
          summary: { ...scriptedModel('-'), name: 'small' },
        },
        budget: {
          day: { money: 4, tokens: 3_000_000 },
          channel: { day: { tokens: 400_000 } },
          prices: { large: { input: 2, output: 8 }, small: { input: 1, output: 2 } },
        },
        capture: { channels: ['dev'] },
        listen: { except: ['announcements'] },
        plugins: [
          ...[dashboard({ password: PASSWORD }), replay(), backup({ to: join(project, 'backups'), key })],
          ...[definePlatform({ name: 'discord', setup: () => ({ platform }) }), quiet(), addressing(), judgeRules()],
          ...[memorySummary(), profiles(), ...plugins, weather(), calendar(), reply()],
        ],
      }),
      { db, env: {}, log, supervise: false, project: pathToFileURL(`${project}/`) },
    ),
    one => one.stop(),
  )
  const answered = await keepPast(db, createSqlStore(db, log, systemClock), Date.now())
  await keepMemory(db, store())
  await keepCosts(db)
  const url = `http://${http}`
  const cookie = await manage(url, answered)
  const turn = await talk(bot, db, url, cookie)
  const open = opening.move()
  return { url, cookie, turn, [Symbol.asyncDispose]: () => open.disposeAsync() }
}

/** What models cost, in working hours above all. */
async function keepCosts(db: Database): Promise<void> {
  await db.query(`
    insert into kikimimi.model_use (hour, place, role, plugin, model, calls, failed, input_tokens, output_tokens, ms, cost)
    select hour, 'discord/team/' || channel, role, plugin, model, n, 0, n * 900, n * 60, n * 900, n * price
    from generate_series(date_trunc('hour', now(), 'UTC') - interval '21 days', now(), interval '1 hour') hour,
      (values ('dev', 9), ('general', 4), ('random', 2)) c(channel, calls),
      (values ('chat', 'reply', 'large', 0.003), ('judge', 'judge-llm', 'small', 0.0004), ('summary', 'memory-summary', 'small', 0.0006)) m(role, plugin, model, price),
      lateral (select calls * (1 + (extract(day from hour)::int * 7) % 4 + (extract(hour from hour)::int * 3) % 4) as n) use
    where extract(hour from hour) between 8 and 19`)
}

/** Owners and others log in, change options, rate turns and make a backup. */
async function manage(url: string, answered: readonly string[]): Promise<string> {
  const ask = (cookie: string, agent: string) =>
    async function send<T>(path: string, method = 'GET', body?: object): Promise<[Response, T]> {
      const headers = { cookie, 'user-agent': agent, ...(body && { 'content-type': 'application/json' }) }
      const answer = await fetch(`${url}/api/${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
      const text = await answer.text()
      if (!answer.ok && answer.status !== 403) throw new Error(`${method} ${path} was answered with ${answer.status}: ${text}`)
      return [answer, JSON.parse(text) as T]
    }
  const firefox = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0'
  const safari =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'
  async function logIn(agent: string, account: object) {
    const [answer] = await ask('', agent)('login', 'POST', account)
    const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? ''
    return { cookie, send: ask(cookie, agent) }
  }
  const owner = await logIn(firefox, { password: PASSWORD })
  for (const [name, role] of [
    ['mika', 'owner'],
    ['ben', 'moderator'],
    ['yumi', 'viewer'],
  ])
    await owner.send('access/accounts', 'POST', { name, role, password: `the password of ${name}` })
  const mika = await logIn(safari, { account: 'mika', password: 'the password of mika' })
  const ben = await logIn(firefox, { account: 'ben', password: 'the password of ben' })
  await ben.send('operations/backups', 'POST')
  await ben.send('channel/settings', 'PUT', { conversation: DEV, plugin: 'judge-rules', option: 'threshold', value: 70 })
  const set = async (path: readonly string[], value: unknown) => {
    const [, { version }] = await mika.send<StudioView>('studio')
    await mika.send('studio', 'POST', { version, changes: [{ path, value }] })
  }
  await set(['plugins', 'judge-rules', 'options', 'threshold'], 55)
  await set(['persona', 'prompt'], 'Friendly and short. Never more than two sentences.')
  for (const [n, turn] of answered.slice(-40).entries())
    if (n % 5 === 0)
      await ben.send(`ratings/${turn}`, 'PUT', {
        ...{ good: n % 10 > 0, speaks: true, contains: n % 10 > 0 ? [] : ['15:00'], forbids: [] },
        comment: n % 10 > 0 ? 'short and right' : 'the time is missing',
      })
  await owner.send('operations/backups', 'POST')
  return owner.cookie
}

/** People write on Discord and in the playground. @returns the turn that searched the memory */
async function talk(bot: Bot, db: Database, url: string, cookie: string): Promise<string> {
  for (const [n, [author, text]] of ASKED.entries()) {
    const name = { ann: 'Ann', ben: 'Ben', yumi: '由美' }[author]
    await bot.receive(platform, { id: `asked-${n}`, conversation: dev, author: { id: author, name }, text, at: new Date() })
    await bot.drained()
  }
  const announcements = { ...dev, channel: 'announcements', name: 'announcements' }
  for (let n = 0; n < 6; n++)
    await bot.receive(platform, {
      ...{ id: `a${n}`, conversation: announcements, author: { id: 'dan', name: 'Dan' }, text: 'news', at: new Date() },
    })
  for (const [author, text] of [
    ['alice', 'the train leaves at ten'],
    ['bob', 'kiki, when does the train leave?'],
  ]) {
    await fetch(`${url}/api/playground/messages`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ room: 'general', author, text }),
    })
    await bot.drained()
  }
  const { rows } = await db.query<{ turn: string }>(`select turn from kikimimi_v1.trace where trigger = 'asked-1'`)
  const [found] = rows
  if (!found) throw new Error('the bot did not answer')
  return found.turn
}
