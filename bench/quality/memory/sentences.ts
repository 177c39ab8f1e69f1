/** Sentences of the grammars, and what people say to a bot that is no order about its memory. */
import { readFile } from 'node:fs/promises'
import { seededRandom } from 'kikimimi/host'
import { z } from 'zod'
import { KNOWN, SAID } from '../../../plugins/remember/free/features.ts'
import type { FreeKind } from '../../../plugins/remember/free/model.ts'
import { readGrammar } from '../../base/grammar.ts'
import { examplesOf } from '../speech-acts/examples.ts'
import { rough } from '../speech-acts/rough.ts'

export interface Sentence {
  readonly text: string
  readonly is: FreeKind
  readonly weight: number
}

const LABELS: Readonly<Record<string, FreeKind>> = {
  leaveout: 'leave-out',
  forget: 'forget',
  forgetme: 'forget-me',
  optout: 'opt-out',
  optin: 'opt-in',
  none: 'none',
}
/** Of each family of orders; twice as many of what is none. */
const DRAWN = 700
const WEIGHT = 0.12
/** How much a line of a talk counts. */
const TALK = 0.2
/** Share of the sentences that are written as in a chat. */
const ROUGH = 0.3
/** Short speech acts of each language. */
const ACTS = 800
/** Share of the lines of the talks. */
const TALKS = 0.4
/** How often a topic is remembered, and how often it was said just before. */
const MARKS: Readonly<Record<string, readonly [known: number, said: number]>> = {
  forget: [0.8, 0.1],
  leaveout: [0.1, 0.6],
}
const ELSE = [0.2, 0.2] as const

export async function sentences(): Promise<readonly Sentence[]> {
  return (await Promise.all([fromGrammar('en'), fromGrammar('ja'), fromActs('en'), fromActs('ja'), fromTalks()])).flat()
}

async function fromGrammar(language: 'en' | 'ja'): Promise<readonly Sentence[]> {
  const file = new URL(`./${language}.txt`, import.meta.url)
  const grammar = await readGrammar(file)
  const random = seededRandom(7)
  const [, list = ''] = /^\{t\} (.*)$/m.exec(await readFile(file, 'utf8')) ?? []
  const topics = list.split('|').filter(one => !one.includes('{'))
  const border = language === 'en' ? '\\b' : ''
  const topic = new RegExp(`${border}(?:${topics.toSorted((one, other) => other.length - one.length).join('|')})${border}`, 'gu')
  return grammar.families.flatMap(family => {
    const [known, said] = MARKS[family.label] ?? ELSE
    const drawn = new Set<string>()
    for (let at = 0; at < DRAWN * (family.label === 'none' ? 2 : 1); at++) drawn.add(grammar.sentence(family, random))
    return [...drawn].map((sentence): Sentence => {
      const chance = random()
      const marked = sentence.replace(topic, word => (chance < known ? KNOWN : chance < known + said ? SAID : word))
      const text = random() < ROUGH ? rough(marked, language, random) : marked
      return { text, is: LABELS[family.label] ?? 'none', weight: WEIGHT }
    })
  })
}

async function fromActs(language: 'en' | 'ja'): Promise<readonly Sentence[]> {
  const random = seededRandom(3)
  const acts = await examplesOf(language, seededRandom(7))
  return acts
    .filter(({ text }) => random() < ACTS / acts.length && !text.includes('⍟'))
    .map(({ text }): Sentence => ({ text: text.replaceAll('⌂', 'kiki'), is: 'none', weight: TALK }))
}

async function fromTalks(): Promise<readonly Sentence[]> {
  const random = seededRandom(4)
  const shape = z.object({ conversations: z.array(z.object({ turns: z.array(z.object({ text: z.string() })) })) })
  const read = (name: string) => readFile(new URL(`../../data/${name}`, import.meta.url), 'utf8')
  const talks = await Promise.all(['conversations.json', 'group-chat.ja.json'].map(read))
  const said = talks.flatMap(talk =>
    shape.parse(JSON.parse(talk)).conversations.flatMap(({ turns }) => turns.map(({ text }) => text)),
  )
  const asked = (await read('offline-scenes.txt')).split('\n').flatMap(line => /^\? \S+ (.*)$/.exec(line)?.[1] ?? [])
  return [...said.filter(text => text.length < 160 && random() < TALKS), ...asked].map(text => ({
    text,
    is: 'none',
    weight: TALK,
  }))
}
