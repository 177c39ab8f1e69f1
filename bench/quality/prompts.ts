/** Counts the tokens of the prompts of a typical turn, and how much of each system text stays the same from turn to turn. */

import addressing from '@kikimimi/addressing'
import eavesdrop from '@kikimimi/eavesdrop'
import facts from '@kikimimi/facts'
import judgeLlm from '@kikimimi/judge-llm'
import judgeRules from '@kikimimi/judge-rules'
import memorySummary from '@kikimimi/memory-summary'
import proactive from '@kikimimi/proactive'
import profiles from '@kikimimi/profiles'
import reflection from '@kikimimi/reflection'
import reply from '@kikimimi/reply'
import { definePlugin, estimateTokens, type Locale, type Person, type PluginEntry, startBot } from 'kikimimi'
import type { GenerateRequest } from 'kikimimi/model'
import { seededRandom } from '../../core/base/random.ts'
import { movedClock } from '../../core/bot/clock/moved-clock.ts'
import { stepsOf } from '../../core/bot/clock/settled.ts'
import { openDatabase } from '../../core/storage/database/database.ts'
import { type Script, scriptedModel } from '../../core/testing/scripted-model.ts'
import { benchLog, deafPlatform, said } from '../base/talk.ts'

const TALK: Readonly<Record<string, readonly string[]>> = {
  en: [
    'the build has been failing on main since this morning',
    'for me too, it stops at the integration tests',
    'could it be the new cache that we switched on yesterday?',
    'I cleared it and it made no difference at all',
    'then somebody has to look at the logs of the runner',
    'I have a meeting until three, I can look at it afterwards',
    'the release is planned for Friday, so there is some time',
    'my cat is called Momo and she sleeps on my keyboard',
  ],
  ja: [
    '今朝からmainのビルドがずっと失敗しています',
    'こちらも同じで、結合テストのところで止まります',
    '昨日有効にした新しいキャッシュのせいでしょうか？',
    '消してみましたが、何も変わりませんでした',
    'それなら誰かがランナーのログを見る必要がありますね',
    '三時まで会議なので、そのあとで見てみます',
    'リリースは金曜日の予定なので、まだ時間はあります',
    'うちの猫はモモといって、いつもキーボードの上で寝ています',
  ],
  ko: [
    '오늘 아침부터 main 빌드가 계속 실패하고 있어요',
    '저도 그래요, 통합 테스트에서 멈춰요',
    '어제 켠 새 캐시 때문일까요?',
    '지워 봤지만 아무것도 달라지지 않았어요',
    '그럼 누가 러너의 로그를 봐야겠네요',
    '세 시까지 회의라서 그 뒤에 볼게요',
    '릴리스는 금요일 예정이라 아직 시간이 있어요',
    '우리 고양이 이름은 모모이고 늘 키보드 위에서 자요',
  ],
}

const CALL: Readonly<Record<string, string>> = {
  en: '@kiki when is the release planned?',
  ja: '@kiki リリースはいつの予定でしたか？',
  ko: '@kiki 릴리스는 언제로 예정되어 있나요?',
}

const HOUR = 60 * 60_000

/** How many turns are compared. */
const TURNS = 3

const score = (points: number) => definePlugin({ name: 'scorer', setup: () => ({ score: () => ({ points, why: 'bench' }) }) })
const acknowledges = definePlugin({ name: 'acknowledges', setup: () => ({ decide: () => ({ kind: 'ack', why: 'bench' }) }) })

const eager = { minMessages: 1, lull: '1m' } as const

/** The plugins whose prompts are counted together. `called`: the turn calls the bot. */
const KINDS: Readonly<Record<string, { readonly plugins: readonly PluginEntry[]; readonly called?: true }>> = {
  reply: { plugins: [facts(), profiles(), memorySummary({ everyMessages: 8 }), reply()], called: true },
  ack: { plugins: [acknowledges, reply()], called: true },
  judge: { plugins: [score(50), judgeLlm(), reply()] },
  eavesdrop: { plugins: [eavesdrop({ channels: ['general'], signs: false, minInterval: 0, maxPerHour: 100 })] },
  reflection: {
    plugins: [facts({ tool: false }), reflection(eager), proactive({ minAge: '1m', interval: '1m' }), addressing(), judgeRules()],
  },
}

/** Answers every question, so that each prompt is asked for. */
function answerTo({ role, system, messages, schema }: GenerateRequest, notes: string): Script {
  const prompt = [system, ...messages.map(({ text }) => text)].join('\n')
  const [fact = ''] = notes.split('\n')
  const kept = { ...{ content: fact, quote: fact, kind: 'durable', people: [], keywords: [], replaces: [], message: '1' } }
  const verdict = { respond: false, reason: 'none', confidence: 1, delaySeconds: null }
  if (schema)
    return {
      value: {
        ...{ summary: notes, memory: notes, mood: '', topics: [], profiles: [], remark: notes, ...verdict },
        facts: [{ ...kept, confidence: 0.9, shareable: true }],
      },
    }
  if (role !== 'judge') return 'I see.'
  if (prompt.includes('ENDING')) return 'CONFLICT'
  return prompt.includes('DIFFERENT') ? 'DIFFERENT' : 'YES'
}

async function requests(kind: string, locale: Locale): Promise<readonly GenerateRequest[]> {
  const { plugins = [], called } = KINDS[kind] ?? {}
  const talk = TALK[locale] ?? []
  const model = scriptedModel(request => answerTo(request, talk.join('\n')))
  await using scope = new AsyncDisposableStack()
  const time = movedClock(new Date('2026-01-05T10:00:00Z'))
  const db = scope.adopt(await openDatabase('memory', { log: benchLog, clock: time.clock }), opened => opened.close())
  const config = { persona: { name: 'kiki' }, locale, models: { chat: model }, plugins: [...plugins] }
  const platform = deafPlatform()
  const parts = {
    ...{ db, clock: time.clock, jobClock: time.jobClock, random: seededRandom(1), log: benchLog },
    platforms: [platform],
  }
  const bot = scope.use(await startBot(config, { ...parts, supervise: false, env: {} }))
  const steps = stepsOf(time, db, () => bot.jobs)
  const pass = (ms: number) => time.clock.advance(time.clock.now() + ms, steps)

  let count = 0
  async function say(name: string, text: string, mentions: readonly Person[] = []): Promise<void> {
    const message = said(count++, 'general', { text, at: new Date(time.clock.now()), author: { id: name, name }, mentions })
    await bot.receive(platform, message)
  }

  for (let turn = 0; turn < TURNS; turn++) {
    for (const [at, text] of talk.entries()) await say(at % 2 ? 'alice' : 'bob', text)
    if (called) await say('alice', CALL[locale] ?? '', [platform.me])
    // The channel falls silent, and wakes up with the next turn.
    await pass(kind === 'reflection' ? 2 * HOUR : HOUR / 20)
  }
  return model.asked
}

/** The start that all texts have in common. */
function sharedStart(texts: readonly string[]): string {
  const [first = '', ...others] = texts
  let length = first.length
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length--
  return first.slice(0, length)
}

const rows: unknown[] = []
for (const locale of ['en', 'ja', 'ko'] as const) {
  for (const kind of Object.keys(KINDS)) {
    const asked = await requests(kind, locale)
    // The prompts of one plugin differ in their first words.
    const prompts = Map.groupBy(asked, ({ role, system }) => `${role}: ${system.slice(0, 70).replaceAll('\n', ' ')}`)
    for (const [prompt, same] of prompts) {
      const last = same.at(-1)
      if (!last) continue
      const system = estimateTokens(last.system)
      const user = estimateTokens(last.messages.map(({ text }) => text).join('\n'))
      const constant = same.length > 1 ? estimateTokens(sharedStart(same.map(one => one.system))) / system : undefined
      const row = { kind, locale, prompt, system, user, all: system + user, requests: same.length }
      rows.push({ ...row, ...(constant !== undefined && { constantPercent: Math.round(constant * 100) }) })
    }
  }
}
process.stdout.write(`${JSON.stringify({ prompts: rows }, null, 2)}\n`)
