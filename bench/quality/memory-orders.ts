/**
 * Says each order of a file to a whole bot without a model, and compares what the bot keeps and answers with what is expected.
 * `npm run bench:memory-orders -- FILE [--show]`; a line of the FILE is JSON: `text`, `by`, `to`, `before` (lines with `by` and `text`), `lang`,
 * `expect` (`leave-out`, `forget`, `forget-me`, `opt-out`, `opt-in`, `remember`, `ask`, `none`), and `topic` or `about`.
 */
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import addressing from '@kikimimi/addressing'
import facts, { type FactStore, Facts } from '@kikimimi/facts'
import judgeRules from '@kikimimi/judge-rules'
import { offline } from '@kikimimi/offline'
import profiles from '@kikimimi/profiles'
import remember from '@kikimimi/remember'
import reply from '@kikimimi/reply'
import {
  type Conversation,
  conversationId,
  definePlugin,
  type IncomingMessage,
  type Plugin,
  startBot,
  systemClock,
} from 'kikimimi'
import { movedClock, openDatabase, seededRandom, stepsOf } from 'kikimimi/host'
import { z } from 'zod'
import { resetDatabase } from '../../core/testing/reset-database.ts'
import { testPlatform } from '../../core/testing/test-platform.ts'
import { texts } from '../../plugins/remember/texts.ts'
import { progress } from '../base/measure.ts'
import { benchLog } from '../base/talk.ts'

const Item = z.object({
  id: z.string().default(''),
  lang: z.enum(['en', 'ja', 'ko']),
  before: z.array(z.object({ by: z.string(), text: z.string() })),
  by: z.string(),
  to: z.enum(['mention', 'name', 'reply']),
  text: z.string(),
  expect: z.enum(['leave-out', 'forget', 'forget-me', 'opt-out', 'opt-in', 'remember', 'ask', 'none']),
  topic: z.string().optional(),
  about: z.string().optional(),
})
type Item = z.infer<typeof Item>

type Outcome = 'right' | 'asked back' | 'missed' | 'said to be of others' | 'wrong' | 'false promise' | 'harmless carried out'

/** Texts that ask or say that nothing was done, and texts that say that something was done. */
const ASKS = [
  'which',
  'isItThis',
  'shallForgetYou',
  'shallOptOut',
  'whatToRemember',
  'whatAbout',
  'leftOutNothing',
  'nothingBefore',
  'nothingSaid',
  'nothingFound',
] as const
const OF_OTHERS = ['ofOthers', 'notYours'] as const
const CLAIMS = [
  'leftOutThis',
  'leftOut',
  'forgotten',
  'forgottenMany',
  'forgottenAll',
  'forgottenMessage',
  'forgottenOne',
  'forgetsYou',
  'optedOut',
  'optedIn',
  'remembered',
  'rememberedThat',
] as const
type Key = (typeof ASKS)[number] | (typeof OF_OTHERS)[number] | (typeof CLAIMS)[number]

/** Whether an answer is one of the texts: its longest part without values. */
function says(answer: string, keys: readonly Key[]): boolean {
  return (['en', 'ja', 'ko'] as const).some(locale =>
    keys.some(key =>
      [1, 2].some(count => {
        const part = texts(locale)(key, { text: '§', name: '§', count })
          .split(/[§\d]/)
          .toSorted((one, other) => other.length - one.length)[0]
        return part !== undefined && part.length > 3 && answer.includes(part)
      }),
    ),
  )
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { show: { type: 'boolean', default: false } } })
const [file] = positionals
if (!file) throw new Error('usage: npm run bench:memory-orders -- FILE [--show]')
const items = (await readFile(file, 'utf8'))
  .split('\n')
  .filter(line => line.trim() !== '')
  .map(line => Item.parse(JSON.parse(line)))

const pglite = await openDatabase('memory', { log: benchLog, clock: systemClock })
const where = { platform: 'test', workspace: 'team', channel: 'general', name: 'general', visibility: 'public' } as const
const general: Conversation = { ...where, id: conversationId(where) }
const MINUTE = 60_000

/** A bot with empty tables in the one database. */
async function started(locale: Item['lang']) {
  let store: FactStore | undefined
  let send: ((text: string) => Promise<readonly string[]>) | undefined
  const speaker = definePlugin({
    name: 'speaker',
    needs: [Facts],
    setup(ctx) {
      store = ctx.use(Facts)
      send = text => ctx.send(general, { kind: 'text', text }, { sources: 'none' })
      return {}
    },
  })
  const plugins: Plugin[] = [remember(), addressing(), judgeRules(), profiles(), facts(), reply(), speaker()]
  const owners = plugins.flatMap(({ definition: { name, migrations } }) => (migrations ? [[name, migrations] as const] : []))
  await resetDatabase(pglite, [['kikimimi', new URL('../../core/storage/migrations/', import.meta.url)], ...owners], systemClock)
  const time = movedClock(new Date('2026-03-11T14:30:00Z'))
  const platform = testPlatform({ me: { id: 'bot', name: 'kiki' } })
  const bot = await startBot(
    { persona: { name: 'kiki', names: ['キキ'] }, locale, plugins },
    {
      ...{ db: pglite, inMemory: 'jobs', clock: time.clock, jobClock: time.jobClock, random: seededRandom(1), log: benchLog },
      ...{ platforms: [platform], defaultModel: offline(), supervise: false, serves: false, env: {} },
    },
  )
  const steps = stepsOf(time, pglite, () => bot.jobs)
  let count = 0
  const texts = async () => {
    const { rows } = await pglite.query<{ text: string }>(
      `select text from kikimimi_v1.message where deleted_at is null and text <> '' order by seq`,
    )
    return rows.map(({ text }) => text)
  }
  return {
    async say(author: string, text: string, replyTo?: IncomingMessage['replyTo']) {
      const mentions = [...text.matchAll(/@([\p{L}\p{N}_-]+)/gu)].map(([, name = '']) => ({
        id: name === 'kiki' ? 'bot' : name,
        name,
      }))
      const id = `m${++count}`
      const at = new Date(time.clock.now())
      await bot.receive(platform, {
        ...{ id, conversation: where, author: { id: author, name: author }, text, at, mentions },
        ...(replyTo && { replyTo }),
      })
      await steps.settle()
      return id
    },
    speak: async (text: string) => (await send?.(text))?.[0] ?? '',
    store: () => store as FactStore,
    facts: () => (store as FactStore).list({ conversation: general, limit: 100 }),
    texts,
    sent: () => platform.posted.flatMap(one => (one.kind === 'text' ? one.text : [])),
    pass: (ms: number) => time.clock.advance(time.clock.now() + ms, steps),
    [Symbol.asyncDispose]: () => bot.stop(),
  }
}

/** The words before the order, of what nothing is expected. */
const HELLO = { en: 'good morning all', ja: '今日もよろしく', ko: '좋은 아침이에요' }
const AFTER = { en: 'the umbrella is in the hall', ja: '傘は玄関にある', ko: '우산은 현관에 있어' }
const OPT_OUT = { en: '@kiki don’t listen to me', ja: '@kiki 私の発言は記録しないで', ko: '@kiki 내 말은 듣지 마' }
const OTHER = { en: 'drinks two coffees every morning', ja: '朝はコーヒーを二杯飲む', ko: '아침마다 커피를 두 잔 마신다' }

const counts = new Map<string, Map<Outcome, number>>()
let credited = 0
for (const [at, item] of items.entries()) {
  const { outcome, answer, isCredited } = await played(item)
  const row = counts.get(`${item.lang} ${item.expect}`) ?? new Map<Outcome, number>()
  row.set(outcome, (row.get(outcome) ?? 0) + 1)
  counts.set(`${item.lang} ${item.expect}`, row)
  if (isCredited) credited++
  if (values.show && outcome !== 'right')
    process.stdout.write(`${outcome} | ${item.id} ${item.expect} | ${item.text} | ${answer.replaceAll('\n', ' / ')}\n`)
  if (at % 20 === 19) progress(`${at + 1} of ${items.length}`)
}
const total = new Map<Outcome, number>()
for (const row of counts.values()) for (const [outcome, count] of row) total.set(outcome, (total.get(outcome) ?? 0) + count)
const table = Object.fromEntries([...counts].toSorted().map(([kind, row]) => [kind, Object.fromEntries(row)]))
process.stdout.write(
  `${JSON.stringify({ items: items.length, ...table, total: Object.fromEntries(total), credited }, null, 1)}\n`,
)
await pglite.close()

async function played(item: Item): Promise<{ readonly outcome: Outcome; readonly answer: string; readonly isCredited: boolean }> {
  const { lang, by, topic, about } = item
  await using bot = await started(lang)
  const people = [...new Set([...item.before, item].map(one => one.by))].filter(one => one !== 'kiki')
  for (const one of people) {
    await bot.say(one, HELLO[lang])
    await bot.pass(MINUTE)
  }
  // What the bot knows: the topic, and something else of the same person.
  if (item.expect === 'forget' && topic)
    for (const content of [topic, OTHER[lang]])
      await bot.store().add({ conversation: general, content, people: [by], sources: [{ message: `of ${content}`, author: by }] })
  if (item.expect === 'opt-in') await bot.say(by, OPT_OUT[lang])
  await bot.pass(10 * MINUTE)
  const said: { readonly by: string; readonly text: string; readonly id: string }[] = []
  for (const one of item.before) {
    said.push({ ...one, id: one.by === 'kiki' ? await bot.speak(one.text) : await bot.say(one.by, one.text) })
    await bot.pass(10_000)
  }
  const known = await bot.facts()
  const answers = bot.sent().length
  const target = item.to === 'reply' ? said.findLast(one => one.by === 'kiki') : undefined
  await bot.say(by, item.text, target && { id: target.id, author: 'bot' })
  await bot.pass(MINUTE)
  const answer = bot.sent().slice(answers).join('\n')
  await bot.say(by, AFTER[lang])
  await bot.pass(30 * MINUTE)
  const [now, log] = [await bot.facts(), await bot.texts()]
  const own = said.filter(one => one.by === by)
  const isLeftOut = own.length > 0 ? own.some(({ text }) => !log.includes(text)) : !log.includes(item.text)
  const isGone = (content: string) => known.some(fact => fact.content === content) && !now.some(fact => fact.content === content)
  const isForgotten = topic !== undefined && isGone(topic) && !isGone(OTHER[lang])
  const added = now.filter(({ id }) => !known.some(fact => fact.id === id))
  const heard = log.includes(AFTER[lang])
  const hellos = log.filter(text => text === HELLO[lang]).length
  const isErased = hellos < people.length
  const asked = says(answer, ASKS)
  const isOther = isLeftOut || added.length > 0 || known.some(({ content }) => isGone(content)) || !heard || isErased
  const changed = item.expect === 'opt-in' ? heard : isOther
  const done = {
    'leave-out': isLeftOut || isForgotten,
    forget: isForgotten || isLeftOut,
    'forget-me': isErased && heard,
    'opt-out': !heard,
    'opt-in': heard,
    remember: added.length > 0,
    ask: asked && !changed,
    none: !changed,
  }[item.expect]
  const isCredited =
    item.expect === 'remember' &&
    added.some(fact => about === undefined || (people.includes(about) ? fact.people.includes(about) : true))
  const outcome = (): Outcome => {
    if (done) return item.expect === 'none' && asked ? 'asked back' : 'right'
    if (item.expect === 'none') return 'harmless carried out'
    if (says(answer, OF_OTHERS)) return 'said to be of others'
    if (changed) return 'wrong'
    if (asked) return 'asked back'
    return says(answer, CLAIMS) ? 'false promise' : 'missed'
  }
  return { outcome: outcome(), answer, isCredited }
}
