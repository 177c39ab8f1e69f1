/** The functions that read texts of people or of models, each as one call with a text. */

import { show } from '../../core/api/checks/option-errors.ts'
import { sanitizeMessage, sanitizeText } from '../../core/api/checks/sanitize.ts'
import type { Message } from '../../core/api/index.ts'
import { reason } from '../../core/base/errors.ts'
import { conceal } from '../../core/base/log.ts'
import { redactError } from '../../core/base/redact-error.ts'
import { languageOf } from '../../core/base/text/language.ts'
import { nameMatcher } from '../../core/base/text/names.ts'
import { nearest } from '../../core/base/text/nearest.ts'
import { openFence, splitText } from '../../core/base/text/split.ts'
import { estimateTokens } from '../../core/base/text/tokens.ts'
import { visible } from '../../core/features/delivery/visible.ts'
import { createQuotes, quotesOf, runsOf } from '../../core/features/erasure/words.ts'
import { isWebPage } from '../../core/features/files/kinds.ts'
import { isUnfinished } from '../../core/features/pacing/unfinished.ts'
import { stopCommandIn } from '../../core/features/stop/stop-command.ts'
import { wantsEarlier } from '../../core/features/surroundings/language.ts'
import { jsonIn } from '../../core/models/structured.ts'
import { readTranscript, safeLine, safeName, safeText, transcript } from '../../core/prompt/transcript.ts'
import { speechActOf } from '../../packages/speech-acts/index.ts'
import { claimIn, statedIn } from '../../packages/speech-acts/rules/claims.ts'
import { factsOf, ownClaim } from '../../packages/speech-acts/rules/facts.ts'
import { localeOf } from '../../packages/speech-acts/rules/language.ts'
import { kindOf, states, withoutAnswers, withoutAsking } from '../../packages/speech-acts/rules/reader/kinds.ts'
import { prepared } from '../../packages/speech-acts/rules/reader/lines.ts'
import { topicsIn as offlineTopics } from '../../packages/speech-acts/rules/reader/topic.ts'
import { isQuestion, sentencesIn, withoutMentions, withoutCall as withoutNames } from '../../packages/speech-acts/rules/said.ts'
import { cut, contentWords as offlineWords } from '../../packages/speech-acts/rules/words.ts'
import { actOf, sayingOf } from '../../plugins/addressing/talk/acts.ts'
import { calledFirst, callsOneOf, withoutCall as withoutFirstName } from '../../plugins/addressing/talk/called.ts'
import { needsNoWords, takesLeave } from '../../plugins/addressing/talk/closing.ts'
import { findsNames } from '../../plugins/addressing/talk/names.ts'
import { addressees, addressesAll } from '../../plugins/addressing/talk/partners.ts'
import { answersPlainly, saysEnough } from '../../plugins/addressing/talk/plain-answer.ts'
import { asksWhoeverIsThere, endsWithQuestion, refersBack } from '../../plugins/addressing/talk/question.ts'
import { fold, spoken } from '../../plugins/addressing/talk/spoken.ts'
import { retractionIn, thanksIn } from '../../plugins/addressing/talk/withdraw.ts'
import { saysOneOf } from '../../plugins/addressing/talk/words.ts'
import { corrects } from '../../plugins/attention/language.ts'
import { saidIn as saidOnDiscord } from '../../plugins/discord/messages/messages.ts'
import { ASKS, ASTRAY, FRICTION, HEAT, LAUGHS, MIXED_UP } from '../../plugins/eavesdrop/signs/words.ts'
import { samenessIn, stateIn, verdictIn } from '../../plugins/eavesdrop/verdicts.ts'
import { limitFor } from '../../plugins/facts/chosen.ts'
import { whenAsked } from '../../plugins/facts/search/when.ts'
import { marksOf, wantedBy } from '../../plugins/facts/text/answers.ts'
import { isSameSubject, saysChange } from '../../plugins/facts/text/change.ts'
import { contentWords, isCopy } from '../../plugins/facts/text/copies.ts'
import { foldLookalikes, namesOneOf } from '../../plugins/facts/text/hearsay.ts'
import { hasInstruction, isInstruction } from '../../plugins/facts/text/instruction.ts'
import { orderScore } from '../../plugins/facts/text/order-model.ts'
import { ownPassages } from '../../plugins/facts/text/own-words.ts'
import { thingsIn } from '../../plugins/facts/text/things.ts'
import { findingIds, sameText, tokenId, tokensOf, wordsOf } from '../../plugins/facts/text/tokens.ts'
import { limit } from '../../plugins/memory-summary/update/limit.ts'
import { smallTalk, topicsOf } from '../../plugins/offline/chat.ts'
import { topicsIn } from '../../plugins/proactive/topic.ts'
import { topicsOf as topicsOfPerson } from '../../plugins/profiles/counting/topics.ts'
import { namesAny } from '../../plugins/profiles/naming.ts'
import { quoted } from '../../plugins/profiles/section.ts'
import { lastOrder } from '../../plugins/quiet/orders.ts'
import { takeEnd } from '../../plugins/quiet/spoken-end.ts'
import { findQuote } from '../../plugins/reflection/quote.ts'
import { givesOrders, isSensitive, isUnsure } from '../../plugins/reflection/sensitive.ts'
import { creditOf } from '../../plugins/remember/hearsay.ts'
import { readChoice, readOrder } from '../../plugins/remember/orders.ts'
import { short } from '../../plugins/remember/short.ts'
import { beginningOf, cleanReply } from '../../plugins/reply/clean.ts'
import { chooseReaction } from '../../plugins/reply/reactions.ts'
import { emojiNamed } from '../../plugins/slack/messages/emoji.ts'
import { fromMrkdwn, idsIn, toMrkdwn } from '../../plugins/slack/messages/mrkdwn.ts'
import { partsOf as partsOnSlack } from '../../plugins/slack/messages/parts.ts'
import { richText } from '../../plugins/slack/messages/rich-text.ts'
import { commandIn, mentionsIn, parseJson, parseText, printable, speech } from '../../plugins/terminal/lines.ts'

export type Reader = (text: string) => unknown

const KIKI = ['kiki', 'キキ', 'きき', '키키']
const PEOPLE = ['bob', 'Ann Lee', '花子']
const calls = callsOneOf(KIKI)
const finds = findsNames(KIKI)
const says = saysOneOf(KIKI)
const names = nameMatcher([...KIKI, ...PEOPLE])
const slackNames = { user: (id: string) => id, channel: (id: string) => id }
const quotes = createQuotes()
quotes.add('an earlier message of somebody', 1)
const namesBob = namesAny(PEOPLE)
const commands = ['status', 'forget', 'remember', 'quiet', 'options']
const me = { id: 'U1', name: 'kiki' }
const bob = { id: 'U2', name: 'bob' }
const channel = { platform: 'text', workspace: 'team', channel: 'c', name: 'c', visibility: 'public' } as const
const discordNames = { user: () => 'bob', role: () => 'team', channel: () => 'general', isMe: () => false, me, locale: 'en' }
const signs = [...HEAT, ...FRICTION, ...MIXED_UP, LAUGHS, ASTRAY, ASKS]

/** A message of bob. */
function messageOf(text: string): Message {
  return { id: '1', author: bob, text, at: new Date(0), mentions: [], attachments: [], own: false, addressed: 'name' }
}

/** By area and name. Each text is new to the caches of these functions. */
export const READERS: Readonly<Record<string, Reader>> = {
  'core: sanitizeText': text => sanitizeText(text),
  'core: sanitizeMessage': text =>
    sanitizeMessage({
      id: '1',
      conversation: channel,
      author: { id: 'U2', name: text },
      text,
      at: new Date(0),
      parts: [{ kind: 'card', title: text, text }],
    }),
  'core: show': text => show({ option: text }, 'options'),
  'core: nearest': text => nearest(text, commands),
  'core: stopCommandIn': text => stopCommandIn({ id: '1', conversation: channel, author: bob, text, at: new Date(0) }, me, KIKI),
  'core: transcript': text =>
    transcript([messageOf(text), { ...messageOf('why?'), id: '2', replyTo: '1' }], { locale: 'en', timeZone: 'UTC' }),
  'core: readTranscript': readTranscript,
  'core: safeName': safeName,
  'core: reason': text => reason(new Error(text)),
  'core: conceal': text => conceal(text, ['a-secret-of-the-bot']),
  'core: redactError': text => redactError(new Error(`cannot read ${text}`), [text]),
  'core: languageOf': text => languageOf([{ text, own: false }], 'en'),
  'core: nameMatcher': text => names.replace(text),
  'core: splitText': text => splitText(text, 2_000),
  'core: openFence': openFence,
  'core: estimateTokens': estimateTokens,
  'core: visible': text => visible(text, 2_000),
  'core: runsOf': runsOf,
  'core: quotesOf': text => quotes.in(quotesOf(text).join('\n')),
  'core: isWebPage': isWebPage,
  'core: isUnfinished': isUnfinished,
  'core: wantsEarlier': wantsEarlier,
  'core: jsonIn': jsonIn,
  'core: safeLine': safeLine,
  'core: safeText': safeText,
  'speech-acts: speechActOf': text => speechActOf(text, { names: KIKI, people: PEOPLE, before: { text, by: 'bot' } }),
  'addressing: actOf': text => actOf(text),
  'addressing: sayingOf': sayingOf,
  'addressing: calledFirst': calledFirst,
  'addressing: withoutCall': withoutFirstName,
  'addressing: callsOneOf': calls,
  'addressing: findsNames': finds,
  'addressing: needsNoWords': text => needsNoWords(text, { before: { text: 'It rains.', by: 'bot' }, names: KIKI }),
  'addressing: takesLeave': takesLeave,
  'addressing: addressesAll': addressesAll,
  'addressing: addressees': text => addressees(messageOf(text), [messageOf('hello')]),
  'addressing: saysEnough': saysEnough,
  'addressing: answersPlainly': text => answersPlainly(text, text),
  'addressing: endsWithQuestion': endsWithQuestion,
  'addressing: refersBack': refersBack,
  'addressing: asksWhoeverIsThere': asksWhoeverIsThere,
  'addressing: spoken': text => fold(spoken(text)),
  'addressing: retractionIn': text => retractionIn(text, text),
  'addressing: thanksIn': thanksIn,
  'addressing: saysOneOf': says,
  'attention: corrects': corrects,
  'discord: saidIn': text => saidOnDiscord(discordMessage(text), discordNames),
  'eavesdrop: signs': text => signs.map(({ test }) => test(text)),
  'eavesdrop: verdicts': text => [stateIn(text), verdictIn(text), samenessIn(text)],
  'facts: limitFor': text => limitFor(text, 5),
  'facts: whenAsked': text => whenAsked(text, new Date('2026-01-05T10:00:00Z')),
  'facts: marksOf': text => [...marksOf(text), ...wantedBy(text)],
  'facts: saysChange': saysChange,
  'facts: contentWords': contentWords,
  'facts: isCopy': text => isCopy(text, `${text}?`),
  'facts: isSameSubject': text => isSameSubject(text, `${text}?`),
  'facts: findingIds': text => findingIds(tokensOf(text).map(tokenId)),
  'facts: foldLookalikes': foldLookalikes,
  'facts: namesOneOf': text => namesOneOf(text, PEOPLE),
  'facts: isInstruction': text => isInstruction(text, KIKI),
  'facts: hasInstruction': text => hasInstruction(text, KIKI),
  'facts: orderScore': orderScore,
  'facts: ownPassages': text => ownPassages(text, PEOPLE),
  'facts: thingsIn': thingsIn,
  'facts: tokensOf': text => [...tokensOf(text), ...wordsOf(text)],
  'facts: sameText': sameText,
  'memory-summary: limit': text => limit(text, 500),
  'offline: topicsOf': topicsOf,
  'offline: smallTalk': smallTalk,
  'offline: claimIn': claimIn,
  'offline: statedIn': statedIn,
  'offline: localeOf': localeOf,
  'offline: factsOf': factsOf,
  'offline: ownClaim': ownClaim,
  'offline: withoutCall': withoutNames,
  'offline: withoutMentions': withoutMentions,
  'offline: isQuestion': isQuestion,
  'offline: kindOf': kindOf,
  'offline: states': text => states('place', text),
  'offline: withoutAnswers': withoutAnswers,
  'offline: withoutAsking': withoutAsking,
  'offline: prepared': text => prepared({ name: 'alice', text }),
  'offline: topicsIn': offlineTopics,
  'offline: sentencesIn': sentencesIn,
  'offline: contentWords': offlineWords,
  'offline: cut': cut,
  'proactive: topicsIn': text => topicsIn(text, KIKI),
  'profiles: topicsOf': text => topicsOfPerson([text], { limit: 5, except: PEOPLE }),
  'profiles: namesAny': text => namesBob(text),
  'profiles: quoted': text => quoted(text, 'en'),
  'quiet: lastOrder': text => lastOrder({ messages: [messageOf(text)], me }, KIKI),
  'quiet: takeEnd': takeEnd,
  'reflection: findQuote': text => findQuote(text.slice(-100), text),
  'reflection: isSensitive': isSensitive,
  'reflection: givesOrders': givesOrders,
  'reflection: isUnsure': isUnsure,
  'remember: creditOf': text => creditOf(text.slice(0, 2_000), messageOf(text), [messageOf('hello')], 'kiki'),
  'remember: readOrder': text => readOrder(text, KIKI),
  'remember: readChoice': text => readChoice(text, KIKI, 3),
  'remember: short': short,
  'reply: cleanReply': text => cleanReply(text, KIKI),
  'reply: beginningOf': text => beginningOf(text, KIKI),
  'reply: chooseReaction': text => chooseReaction(text, ['👍']),
  'slack: emojiNamed': emojiNamed,
  'slack: partsOf': text => partsOnSlack({ attachments: [{ title: text, text, fields: [{ title: text, value: text }] }] }),
  'slack: richText': text =>
    richText([{ type: 'rich_text', elements: [{ type: 'rich_text_quote', elements: [{ type: 'text', text }] }] }]),
  'slack: toMrkdwn': toMrkdwn,
  'slack: fromMrkdwn': text => [fromMrkdwn(text, slackNames), idsIn(text)],
  'terminal: parseText': text => parseText(text, 'bob'),
  'terminal: mentionsIn': text => mentionsIn(text, { id: 'bot', name: 'kiki' }, KIKI),
  'terminal: printable': printable,
  'terminal: speech': text => speech('kiki', text),
  'terminal: commandIn': text => commandIn(`/${text}`, 'kiki'),
  'terminal: parseJson': text => parseJson(JSON.stringify({ author: 'bob', text })),
}

/** A message of Discord with the fields that are read. */
function discordMessage(content: string): Parameters<typeof saidOnDiscord>[0] {
  const author = { id: '2', username: 'bob', discriminator: '0', global_name: 'Bob', avatar: null }
  const empty = { mentions: [author], mention_roles: [], mention_everyone: false, attachments: [], pinned: false, tts: false }
  const embeds = [{ title: content, description: content, fields: [{ name: content, value: content }] }]
  return {
    id: '1',
    channel_id: '3',
    author,
    content,
    timestamp: '2026-01-05T10:00:00Z',
    edited_timestamp: null,
    type: 0,
    embeds,
    ...empty,
  }
}
