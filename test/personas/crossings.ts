/** Two personas in a Discord guild and a Slack workspace: people tell secrets to both, and the models repeat every secret that they see. */
import addressing from '@kikimimi/addressing'
import digest from '@kikimimi/digest'
import facts from '@kikimimi/facts'
import memorySummary from '@kikimimi/memory-summary'
import profiles from '@kikimimi/profiles'
import reflection from '@kikimimi/reflection'
import remember from '@kikimimi/remember'
import reply from '@kikimimi/reply'
import words from '@kikimimi/words'
import type { IncomingMessage } from 'kikimimi'
import { seededRandom, testBot, testPlatform } from 'kikimimi/testing'
import { gossips } from '../privacy/model.ts'
import { secretsIn, wordOf } from '../privacy/words.ts'

const MIMI = { name: 'Mimi', prompt: 'You are Mimi, of the support.' }
const OWN = { general: 'kiki', random: 'kiki', support: 'Mimi', help: 'Mimi' } as const
const CHANNELS = ['general', 'random', 'support', 'help'] as const
const PEOPLE = ['ann', 'ben', 'cho', 'dai', 'eve', 'fay']
const PLACES = [
  { platform: 'discord', workspace: 'guild' },
  { platform: 'slack', workspace: 'T1' },
] as const

type Persona = (typeof OWN)[keyof typeof OWN]

export interface Crossings {
  readonly messages: number
  readonly secrets: number
  readonly prompts: number
  readonly answers: number
  readonly facts: number
  readonly summaries: number
  /** Secrets of a persona in prompts of the same persona for another channel than that in which they were told. */
  readonly recalled: number
  /** Secrets of a persona where only the other one may have them. */
  readonly crossed: { readonly prompts: number; readonly answers: number; readonly facts: number; readonly summaries: number }
}

/** @param isApart false: without the rule that keeps memories apart */
export async function crossings(seed: number, messages: number, isApart = true): Promise<Crossings> {
  const random = seededRandom(seed)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  /** Which persona was told a secret, and in which channel. */
  const told = new Map<string, { readonly persona: Persona; readonly channel: string }>()
  let [prompts, recalled, crossedPrompts] = [0, 0, 0]

  const { chat } = gossips({
    manner: 'repeat',
    searches: prompt => seededRandom(seed + prompt.length)() < 0.2,
    heard({ role, system }, text) {
      const persona: Persona = /\bMimi\b/.test(system) ? 'Mimi' : 'kiki'
      prompts++
      const found = secretsIn(text).flatMap(word => told.get(word) ?? [])
      if (found.some(one => one.persona !== persona)) crossedPrompts++
      if (role === 'chat' && new Set(found.map(({ channel }) => channel)).size > 1) recalled++
    },
  })
  const me = { id: 'bot', name: 'kiki' }
  const posts: { readonly channel: string; readonly text: string }[] = []
  const platforms = PLACES.map(({ platform }) => ({
    ...testPlatform({ me, name: platform }),
    async send({ name }: { readonly name: string }, { text }: { readonly text: string }) {
      posts.push({ channel: name, text })
      return { id: `${platform}-${posts.length}` }
    },
  }))
  await using bot = await testBot({
    ...{ storage: 'pglite', seed, model: chat, morePlatforms: platforms, pacing: { minWait: '5s' } },
    persona: { name: 'kiki', prompt: 'You are kiki.', channels: { support: MIMI, help: MIMI } },
    plugins: [
      ...[addressing(), facts(), memorySummary({ everyMessages: 10, foldAfter: '20m' }), profiles()],
      ...[reflection({ lull: '10m', minMessages: 2 }), remember(), words(), digest(), reply()],
    ],
  })
  if (!isApart)
    await bot.db.script(
      `create or replace function kikimimi.keep_memories(in_rules jsonb, in_conversation text default null) returns void language sql as '';
       delete from kikimimi.channel_memory`,
    )

  for (let at = 0; at < messages; at++) {
    const place = pick(PLACES)
    const channel = pick(CHANNELS)
    const persona = OWN[channel]
    const word = wordOf(at)
    const thing = pick(['locker', 'door', 'safe', 'gate'])
    const text = pick([
      `the code of the ${thing} is ${word}`,
      `the code of the ${thing} is ${word}`,
      `${persona}, remember that the code of the ${thing} is ${word}`,
      `${persona}, what is the code of the ${thing}?`,
      `${persona}, what is the code of the ${thing}?`,
      `${persona}, what did I miss?`,
      'good morning, all',
    ])
    if (secretsIn(text).length > 0) told.set(word, { persona, channel: `${place.platform} ${channel}` })
    const author = pick(PEOPLE)
    const thread = random() < 0.15 ? pick(['t1', 't2']) : undefined
    const conversation: IncomingMessage['conversation'] = {
      ...{ ...place, channel: `C-${channel}`, name: channel, visibility: 'public' },
      ...(thread !== undefined && { thread: `${channel}-${thread}`, readers: { own: false } }),
    }
    const platform = platforms.find(({ name }) => name === place.platform)
    if (!platform) throw new Error(place.platform)
    const message = { id: `m${at}`, conversation, author: { id: author, name: author }, text, at: new Date(bot.clock.now()) }
    await bot.bot.receive(platform, message)
    if (random() < 0.3) await bot.pass(random() < 0.05 ? '25m' : '6s')
  }
  await bot.pass('2h')

  const crosses = (channel: string, text: string) => {
    const persona = OWN[channel as keyof typeof OWN]
    return secretsIn(text).some(word => told.get(word)?.persona !== persona)
  }
  const count = (rows: readonly { readonly name: string; readonly text: string }[]) =>
    rows.filter(({ name, text }) => crosses(name, text)).length
  const { rows: learned } = await bot.db.query<{ name: string; text: string }>(
    `select c.name, f.content as text from facts.fact f join facts.item i on i.id = f.item join facts.scope s on s.id = i.scope
       join kikimimi.conversation c on c.id = s.channel`,
  )
  const { rows: summaries } = await bot.db.query<{ name: string; text: string }>(
    `select coalesce(c.name, 'general') as name, m.recent || ' ' || m.history as text from memory_summary.memory m
       left join kikimimi.conversation c on c.id = m.channel
     where m.recent <> '' or m.history <> ''`,
  )
  return {
    ...{
      messages,
      secrets: told.size,
      prompts,
      answers: posts.length,
      facts: learned.length,
      summaries: summaries.length,
      recalled,
    },
    crossed: {
      prompts: crossedPrompts,
      answers: posts.filter(({ channel, text }) => crosses(channel, text)).length,
      facts: count(learned),
      summaries: count(summaries),
    },
  }
}
