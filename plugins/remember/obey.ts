/** Carries out an order about the memory, and returns the answer. */
import { type FactStore, isInstruction, type NewFact } from '@kikimimi/facts'
import { orderText } from '@kikimimi/orders'
import { Profiles } from '@kikimimi/profiles'
import { ownClaim } from '@kikimimi/speech-acts/rules'
import {
  type Locale,
  languageOf,
  type Message,
  type OptOuts,
  type PersonKey,
  type PluginContext,
  safeName,
  type Turn,
} from 'kikimimi'
import type { Finish } from './finish.ts'
import { type Entry, type Erased, erase, findEntries, placeIn } from './forgetting/forgetting.ts'
import type { Question, Questions } from './forgetting/questions.ts'
import { decided } from './free/decide.ts'
import { readFree } from './free/model.ts'
import { creditOf } from './hearsay.ts'
import { LANGUAGES } from './language.ts'
import type { LeavingOut } from './leave-out.ts'
import { type Choice, type Means, type Order, readOrder } from './orders.ts'
import { beginning, short } from './short.ts'
import { tellWhatIsKnown } from './telling.ts'
import { texts, type Words } from './texts.ts'

/** An order, or the answer to a question of the bot about one. */
export type Told = Order | { readonly kind: 'choose'; readonly question: Question; readonly choice: Choice }

export interface Obeyed {
  readonly text: string
  /** Follow-up work after the answer is sent. */
  readonly finish?: Finish
}

export interface ObeyDeps {
  readonly ctx: PluginContext
  readonly facts: FactStore
  readonly optOuts: Pick<OptOuts, 'begin' | 'end'>
  readonly questions: Questions
  readonly leavingOut: Pick<LeavingOut, 'carryOut'>
  /** All accounts of a person, the given one first. */
  accounts(person: PersonKey): Promise<readonly PersonKey[]>
}

/** @param locale the language if neither the order nor the conversation shows one */
export type Obey = (turn: Seen, message: Message, told: Told, locale?: Locale) => Promise<Obeyed>

/** The part of its turn that an order needs. */
export type Seen = Pick<Turn, 'conversation' | 'me' | 'history'>

/** Maximum length of a fact. */
const LONGEST = 2_000

/** Number of messages in which the message that the order replies to and the names of other people are searched. */
const LOOKED_THROUGH = 200

/** Number of facts about a person that are compared with a new one. */
const KNOWN = 200

/** Number of messages among which a person chooses. */
const MOST = 5

/** Time in which the bot answers a message, in milliseconds. */
const ANSWERED = 2 * 60_000

/** How old a message can be that a person means without naming it, in milliseconds. */
const NEAR = 30 * 60_000

/** Each action may run twice, because a crash can interrupt a turn. */
export function createObeying({ ctx, facts, optOuts, questions, leavingOut, accounts }: ObeyDeps): Obey {
  return async (turn, message, told, locale = ctx.bot.locale) => {
    const { conversation, me } = turn
    const say = wordsFor(turn, message, locale)
    const names = [...ctx.bot.personaIn(conversation).names, me.name]
    const people = await accounts({ platform: conversation.platform, id: message.author.id })
    const mine = people.filter(({ platform }) => platform === conversation.platform).map(({ id }) => id)
    const forgetting = { ctx, facts }
    const where = { conversation, people, except: [message.id] }

    switch (told.kind) {
      case 'remember':
        return { text: told.isUnsure ? say('whatToRemember') : await remember(told) }
      case 'forget':
        if (told.topic !== undefined) return forgetTopic(told.topic, told.isUnsure)
        return told.isUnsure ? askWhich() : forgetMessage()
      case 'choose':
        return choose(told)
      case 'leave-out':
        if (told.isUnsure && (told.means === 'this' || told.means === 'near'))
          return ask([{ text: message.text, facts: [], messages: [] }])
        return told.isUnsure ? askWhich() : leaveOut(told.means)
      case 'know':
        return { text: await tellWhatIsKnown({ facts, profiles: ctx.use(Profiles, 'optional'), conversation, people, say }) }
      case 'forget-me':
        if (told.isUnsure) return askWhether('forget-me')
        return { text: say('forgetsYou'), finish: { kind: 'forget', people } }
      case 'opt-out':
        return told.isUnsure ? askWhether('opt-out') : optOut()
      case 'opt-in':
        await optOuts.end(people, message.at)
        return { text: say('optedIn') }
    }

    // ------------------------------------------------------------ remember

    async function remember({ content, about }: Extract<Order, { kind: 'remember' }>): Promise<string> {
      if (content !== undefined) return (await keep(message, content)) ?? say('remembered')
      if (message.replyTo === undefined) {
        const said = (await before()).findLast(one => !one.own && !one.author.bot && contentOf(one) !== '' && !isOrder(one))
        if (!said || (about !== undefined && !isAbout(said, about))) return say('whatToRemember')
        // A guess, so the answer quotes it and the person can correct it.
        const text = contentOf(said)
        return (await keep(said, text)) ?? say('rememberedThat', { name: safeName(said.author.name), text: short(text) })
      }
      const answered = await messageWith(message.replyTo)
      if (!answered) return say('gone')
      if (answered.own) return say('notMyWords')
      const text = contentOf(answered)
      return text === '' ? say('whatToRemember') : ((await keep(answered, text)) ?? say('remembered'))
    }

    /** Whether a message names what the person means, or is of that person. A pronoun can mean anything. */
    function isAbout({ text, author }: Message, about: string): boolean {
      const plain = (given: string) => orderText(given, names).text.replace(/^(?:the|my|our|his|her|their|your|@)\s?/u, '')
      const isPronoun = LANGUAGES.some(({ pronoun }) => pronoun.test(plain(about)))
      return isPronoun || plain(text).includes(plain(about)) || plain(author.name) === plain(about)
    }

    /** Stores the fact. Returns the text of a refusal. */
    async function keep(said: Message, content: string): Promise<string | undefined> {
      const { id, author, text } = said
      if (content.length > LONGEST) return say('tooLong')
      if (!/[\p{L}\p{N}]/u.test(content)) return say('whatToRemember')
      if (LANGUAGES.some(({ onlyNamed }) => onlyNamed.test(content))) return say('whatAbout', { text: short(content) })
      if (isInstruction(content, names)) return say('noInstruction')
      const credit = creditOf(content, said, [...turn.history, ...(await ctx.history(conversation, LOOKED_THROUGH))], me.id)
      const claim = credit.pinned ? ownClaim(content) : undefined
      const fact: NewFact = {
        conversation,
        content,
        ...credit,
        ...(claim && { ...claim, subject: author.id, single: true, kind: 'durable' }),
        sources: [{ message: id, author: author.id, ...(text.includes(content) && { quote: content }) }],
      }
      // The store replaces only those of them that the new fact contradicts.
      const known = claim ? await facts.list({ conversation, person: author.id, limit: KNOWN }) : []
      const old = known.filter(({ relation, value }) => relation === claim?.relation && !(value && content.includes(value)))
      await facts.supersede(
        old.map(one => one.id),
        fact,
      )
      return undefined
    }

    // ------------------------------------------------------------ forget

    async function forgetTopic(topic: string, isUnsure = false): Promise<Obeyed> {
      const { entries, isClear, byOthers } = await findEntries(forgetting, { ...where, topic })
      const [first, ...more] = entries
      if (!first) return { text: say(byOthers ? 'ofOthers' : 'nothingFound'), finish: clear([message.id]) }
      if (more.length > 0 || !isClear || isUnsure) return ask(entries)
      const erased = await erase(forgetting, where, [first])
      const text = short(first.text)
      const told = erased.count > 1 ? say('forgottenAll', { count: erased.count, text }) : say('forgotten', { text })
      const rest = byOthers && !erased.byOthers ? `\n${say('othersAbout')}` : ''
      return { text: withOthers(told, erased) + rest, finish: clear([message.id]) }
    }

    async function optOut(): Promise<Obeyed> {
      await optOuts.begin(people, message.at)
      return { text: say('optedOut'), finish: { kind: 'silence', people, before: new Date(ctx.clock.now()).toISOString() } }
    }

    /** What cannot be undone needs a "yes". */
    async function askWhether(order: 'forget-me' | 'opt-out'): Promise<Obeyed> {
      const choices = [{ facts: [], messages: [], order }]
      await questions.ask(conversation.id, message.author.id, { order: message.id, choices })
      const text = say(order === 'forget-me' ? 'shallForgetYou' : 'shallOptOut')
      return { text, finish: { kind: 'asked', conversation, order: message.id } }
    }

    /** Asks which of several is meant. */
    async function ask(entries: readonly Entry[], lead: readonly string[] = []): Promise<Obeyed> {
      const choices = entries.map(({ facts, messages }) => ({ facts, messages }))
      await questions.ask(conversation.id, message.author.id, { order: message.id, choices })
      const lines = entries.map(({ text }, at) => `${at + 1}. ${short(text)}`)
      return {
        text: [...lead, say(entries.length > 1 ? 'which' : 'isItThis'), ...lines].join('\n'),
        finish: { kind: 'asked', conversation, order: message.id },
      }
    }

    /** Asks which of the person's last messages is meant. */
    async function askWhich(lead: readonly string[] = []): Promise<Obeyed> {
      const last = (await before()).at(-1)
      if ('isUnsure' in told && last?.own && (await isKnown(last.text))) return forgetTopic(last.text, true)
      const recent = await ctx.history(conversation, LOOKED_THROUGH)
      const said = recent.filter(
        one => one.id !== message.id && isMine(one) && !one.leftOut && contentOf(one) !== '' && !isOrder(one),
      )
      const entries = said
        .slice(-MOST)
        .toReversed()
        .map(one => ({ text: one.text, facts: [], messages: [placeIn(conversation, one.id)] }))
      if (entries.length > 0) return ask(entries, lead)
      return { text: [...(lead.length > 0 ? lead : [say('leftOutNothing')]), say('replyToIt')].join('\n') }
    }

    async function isKnown(topic: string): Promise<boolean> {
      return (await findEntries(forgetting, { ...where, topic })).entries.length > 0
    }

    /** The previous message, or the one that the order replies to. */
    async function forgetMessage(): Promise<Obeyed> {
      if (message.replyTo === undefined) {
        const recent = await before()
        const [earlier, last] = recent.slice(-2)
        // The bot has just said something that the person did not ask for: its words can be meant.
        const isAnswer = earlier && last && isMine(earlier) && last.at.getTime() - earlier.at.getTime() < ANSWERED
        if (last?.own && !isAnswer && (await isKnown(last.text))) return forgetTopic(last.text, true)
        const said = recent.findLast(one => isMine(one) && !isOrder(one))
        if (!said) return { text: say('nothingSaid') }
        return { text: say('forgottenMessage', { text: beginning(said.text) }), finish: drop(await withAnswers(said)) }
      }
      const answered = await messageWith(message.replyTo)
      if (!answered) return { text: say('gone') }
      if (answered.own) return (await isKnown(answered.text)) ? forgetTopic(answered.text) : askWhich()
      if (!isMine(answered)) return { text: say('notYours') }
      return { text: say('forgottenMessage', { text: beginning(answered.text) }), finish: drop(await withAnswers(answered)) }
    }

    /** What has been left out, and nothing else. */
    async function leaveOut(means: Means): Promise<Obeyed> {
      const left = await leavingOut.carryOut(conversation, message, means)
      if (means === 'over') return { text: say('remembersAgain') }
      if (means === 'after') return { text: say('leftOutAhead') }
      // One that was left out before has no words.
      const quoted = left.filter(text => text !== '').join(' / ')
      if (quoted !== '')
        return { text: say('leftOut', { count: left.length, name: safeName(message.author.name), text: quoted }) }
      if (left.length > 0 || means === 'this' || means === 'near') return { text: say('leftOutThis') }
      return askWhich([say(means === 'around' ? 'leftOutSoon' : 'nothingBefore')])
    }

    /** The message and the answers of the bot, which may repeat it. */
    async function withAnswers({ id }: Message): Promise<readonly string[]> {
      const said = await before()
      const after = said.slice(said.findIndex(one => one.id === id) + 1)
      const next = after.findIndex(one => !one.own)
      const answers = after.filter(({ own, replyTo }, at) => own && (replyTo === id || next < 0 || at < next))
      return [id, ...answers.map(answer => answer.id)]
    }

    async function choose({ question, choice }: Extract<Told, { kind: 'choose' }>): Promise<Obeyed> {
      const chosen = question.choices.filter((_, at) => choice === 'all' || (choice !== 'none' && choice.includes(at + 1)))
      const [order] = chosen.flatMap(one => one.order ?? [])
      if (order !== undefined) {
        const obeyed =
          order === 'opt-out' ? await optOut() : ({ text: say('forgetsYou'), finish: { kind: 'forget', people } } as const)
        await questions.close(conversation.id, message.author.id)
        return obeyed
      }
      const erased = await erase(forgetting, { ...where, except: [...where.except, question.order] }, chosen)
      // Closed last: after a crash the same message must still find its question.
      await questions.close(conversation.id, message.author.id)
      // The order names what was not in the list.
      if (choice === 'none') return { text: say('keptAll'), finish: clear([question.order, ...question.listed]) }
      const count = Math.max(chosen.length, erased.count)
      const text = count === 1 ? say('forgottenOne') : say('forgottenMany', { count })
      return { text: withOthers(text, erased), finish: clear([question.order, ...question.listed]) }
    }

    function withOthers(text: string, { byOthers }: Erased): string {
      return byOthers ? `${text}\n${say('othersToo')}` : text
    }

    /** Deletes the order that names the topic, and the answer that quotes it. Both would keep the content. */
    function clear(messages: readonly string[]): Finish {
      return { kind: 'clear', conversation, messages }
    }

    /** Deletes after the answer. Earlier, a turn that runs again would find the message before it. */
    function drop(messages: readonly string[]): Finish {
      return { kind: 'drop', conversation, messages }
    }

    // ------------------------------------------------------------ what they mean

    /** The messages before the order. One that was left out has no words, and can be meant. */
    async function before(): Promise<readonly Message[]> {
      const recent = await ctx.history(conversation, LOOKED_THROUGH)
      const said = recent.slice(
        0,
        Math.max(
          0,
          recent.findIndex(({ id }) => id === message.id),
        ),
      )
      const shown = new Set(turn.history.map(({ id }) => id))
      return said.filter(({ id, leftOut, at }) => shown.has(id) || (leftOut && message.at.getTime() - at.getTime() < NEAR))
    }

    async function messageWith(id: string): Promise<Message | undefined> {
      const isIt = (one: Message) => one.id === id
      return turn.history.find(isIt) ?? (await ctx.history(conversation, LOOKED_THROUGH)).find(isIt)
    }

    function contentOf({ text }: Message): string {
      return orderText(text, names).original
    }

    function isMine({ author }: Message): boolean {
      return mine.includes(author.id)
    }

    /** Whether the message is only an order. */
    function isOrder({ text, addressed }: Message): boolean {
      if (!addressed) return false
      const order = readOrder(text, names)
      if (order === undefined) return decided(readFree(text, names), false).kind !== 'none'
      return !(order.kind === 'remember' && order.content !== undefined)
    }
  }
}

/** In the language of the order, or of the conversation if the order does not show one. */
export function wordsFor({ history }: Pick<Turn, 'history'>, message: Message, locale: Locale): Words {
  return texts(languageOf([message], languageOf(history, locale)))
}

/** The reason in the trace. */
export const WHY: Readonly<Record<Told['kind'], string>> = {
  remember: 'is told to remember',
  forget: 'is told to forget',
  choose: 'is told what to forget',
  'leave-out': 'is told not to remember',
  know: 'is asked what it knows about somebody',
  'forget-me': 'is told to forget somebody',
  'opt-out': 'is told not to listen to somebody',
  'opt-in': 'is told to listen to somebody again',
}
