/** Results of the offline model other than replies: verdicts, summaries, facts. */
import {
  claimIn,
  factsOf,
  inAnyLanguage,
  isQuestion,
  languageOf,
  localeOf,
  statedIn,
  type Told,
  withoutCall,
} from '@kikimimi/speech-acts/rules'
import type { TranscriptLine } from 'kikimimi/model'
import { smallTalk, topicsOf } from './chat.ts'
import { evidence, isOwn, nameOfBot } from './heard.ts'
import { factsIn, recall } from './recall.ts'
import { texts } from './texts.ts'

export interface Verdict {
  readonly respond: boolean
  readonly reason: string
  readonly confidence: number
  readonly delaySeconds: number | null
  readonly state: 'ENDING' | 'CONFLICT' | 'ACTIVE'
  readonly verdict: 'YES' | 'NO'
}

/** Whether to speak: only if an earlier message has the answer. */
export function judge(system: string, prompt: string, lines: readonly TranscriptLine[]): Verdict {
  const last = lines.at(-1)
  const bot = nameOfBot(system)
  const quiet = (reason: string, confidence: number, state: Verdict['state'] = 'ACTIVE'): Verdict => {
    return { respond: false, reason, confidence, delaySeconds: null, state, verdict: state === 'CONFLICT' ? 'YES' : 'NO' }
  }
  if (!last) return quiet('nothing was said', 1)
  if (lines.slice(-6).filter(({ text }) => HEATED.test(text)).length >= 2) return quiet('people are heated', 0.6, 'CONFLICT')
  if (isOwn(last, bot)) return quiet('the bot spoke last', 0.9)
  if (!isQuestion(last.text)) {
    const small = smallTalk(last.text)
    if (small === 'thanks' || small === 'bye') return quiet('the conversation has ended', 0.9, 'ENDING')
    return quiet('nobody asks for anything', 0.7)
  }
  if (/^(?:<@|[@＠])/.test(last.text.trim())) return quiet('somebody else is asked', 0.8)
  const text = withoutCall(last.text)
  const known = recall({ text, asker: last.name }, [...factsIn(prompt), ...evidence(lines, last.text, bot)])
  if (!known) return quiet('nothing is known about it', 0.6)
  return { respond: true, reason: 'it was said here before', confidence: 0.8, delaySeconds: 30, state: 'ACTIVE', verdict: 'YES' }
}

const HEATED = inAnyLanguage('heated')
const LAUGHS = inAnyLanguage('laughs')

/** Values by the names that prompts usually ask for. `notes` come first: they are the previous memory. */
export function digest(
  system: string,
  prompt: string,
  lines: readonly TranscriptLine[],
  notes: readonly string[] = [],
): Record<string, unknown> {
  const bot = nameOfBot(system)
  const talk = lines.filter(line => line.text !== '' && !isOwn(line, bot))
  const say = texts(talk.map(({ text }) => localeOf(text)).find(locale => locale !== 'en') ?? 'en')
  const people = [...new Set(talk.map(({ name }) => name))]
  const topics = frequent(talk.map(({ text }) => text))
  const told = talk
    .slice(-5)
    .map(({ name, text }) => say('quoted', { name, text: short(text) }))
    .join(say('between'))
  const summary = [...notes, told].filter(text => text !== '').join('\n')
  const lively = talk.filter(({ text }) => /[!！]/.test(text) || LAUGHS.test(text)).length * 3 > talk.length
  const mood = say(lively ? 'mood.lively' : 'mood.calm')
  const facts = withVerdicts(
    talk.flatMap(line => factsOf(line.text).map(told => fact(line, told, people))),
    prompt,
  )
  const memory = summary
  return {
    summary,
    text: summary,
    memory,
    topics,
    keywords: topics,
    mood,
    people,
    participants: people,
    activeUsers: people,
    facts,
    profiles: people.map(name => profile(name, talk, facts)),
  }
}

/** The same value under each name that a prompt may use. */
function fact({ name, id, at }: TranscriptLine, { text, kind, about }: Told, people: readonly string[]): Record<string, unknown> {
  const ids = id === undefined ? [] : [id]
  const person = about === undefined ? name : people.find(one => one === about)
  const claim = claimIn(text)
  const content = claim === undefined ? text.replace(/\s+/g, ' ') : languageOf(text).state(person ?? about ?? name, claim)
  return {
    ...(claim && { ...claim, single: true }),
    ...{
      content,
      text: content,
      fact: content,
      kind,
      quote: text,
      subject: person ?? about,
      speaker: name,
      person,
      people: person === undefined ? [] : [person],
      keywords: claim ? languageOf(text).claimWords[claim.relation].split(' ') : topicsOf(text).slice(0, KEYWORDS),
    },
    ...{
      id,
      messageId: id,
      message: id,
      ids,
      messageIds: ids,
      messages: ids,
      sources: ids,
      at,
      confidence: 0.5,
      shareable: kind === 'preference' || kind === 'event',
    },
  }
}

const KEYWORDS = 5

/** A known fact with its parts, as the prompt shows it: `- [k1] alice: “alice lives in Osaka” (alice · lives_in)`. */
const KNOWN = /^- \[(k\d+)\] .*“(.{0,2000})” \((.{0,200}) · (\w+)\)$/gm

/**
 * Each fact with the facts of the same subject and relation that it replaces. A statement that repeats the old value replaces
 * nothing: "I live in Tennoji, in Osaka" is more exact.
 */
function withVerdicts(facts: readonly Record<string, unknown>[], prompt: string): Record<string, unknown>[] {
  const known = [...prompt.matchAll(KNOWN)].map(([, label, content, subject, relation]) => ({
    label,
    content,
    subject,
    relation,
  }))
  const all = [...known, ...facts.map((one, at) => ({ ...one, label: `f${at + 1}` }) as (typeof known)[number])]
  return facts.map((one, at) => {
    const { subject, relation, content, quote } = one
    const repeats = (old: string | undefined) => {
      const value = statedIn(old ?? '')?.value
      return value !== undefined && String(quote).includes(value)
    }
    const replaces = all
      .slice(0, known.length + at)
      .filter(old => relation !== undefined && old.subject === subject && old.relation === relation)
      .filter(old => old.content !== content && !repeats(old.content))
    return { ...one, replaces: replaces.map(({ label }) => label) }
  })
}

/** What a person said about themselves, without an opinion of the model. */
function profile(
  name: string,
  talk: readonly TranscriptLine[],
  facts: readonly Record<string, unknown>[],
): Record<string, unknown> {
  const own = facts.filter(({ person, kind }) => person === name && kind === 'preference')
  const topics = frequent(talk.filter(line => line.name === name).map(({ text }) => text)).slice(0, 3)
  const locale = topics.map(localeOf).find(one => one !== 'en') ?? 'en'
  return {
    name,
    tags: frequent(own.map(({ content }) => String(content))),
    personality: '',
    lastConversation: topics.join(texts(locale)('and')),
  }
}

function frequent(texts: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const topic of texts.flatMap(text => topicsOf(withoutCall(text)))) counts.set(topic, (counts.get(topic) ?? 0) + 1)
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .slice(0, 5)
    .map(([topic]) => topic)
}

function short(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  return line.length > 80 ? `${line.slice(0, 79)}…` : line
}
