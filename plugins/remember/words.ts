/** What the bot says to orders, in the language of the talk. */
import { type Locale, safeText } from 'kikimimi'

/** Characters of what is quoted. */
const LONGEST = 100

export interface Words {
  readonly remembered: string
  rememberedThat(name: string, text: string): string
  readonly whatToRemember: string
  readonly tooLong: string
  readonly notMyWords: string
  readonly gone: string
  forgotten(text: string): string
  forgottenMany(count: number): string
  readonly forgottenMessage: string
  readonly forgottenOfThis: string
  readonly nothingFound: string
  readonly ofOthers: string
  readonly notYours: string
  readonly nothingSaid: string
  readonly which: string
  readonly isItThis: string
  readonly keptAll: string
  readonly forgetsYou: string
  readonly optedOut: string
  readonly optedIn: string
  readonly known: string
  readonly knownAlone: string
  readonly nothingKnown: string
  readonly nothingKnownAlone: string
  readonly askAlone: string
  more(count: number): string
  readonly before: string
  heard(messages: number, channels: readonly string[]): string
  likes(tags: readonly string[]): string
  impression(text: string): string
  lastTalk(text: string): string
  readonly failed: string
}

const EN: Words = {
  remembered: 'I’ll remember that.',
  rememberedThat: (name, text) => `I’ll remember what ${name} said: “${text}”`,
  whatToRemember: 'What shall I remember? Say it in one message, or answer the one that you mean.',
  tooLong: 'That is too long for me to keep. What is the gist of it?',
  notMyWords: 'Those are my own words, and I only keep what people say. Tell me in yours.',
  gone: 'I do not have that message any more.',
  forgotten: text => `Forgotten: “${text}”`,
  forgottenMany: count => (count === 1 ? 'Forgotten.' : `Forgotten, all ${count}.`),
  forgottenMessage: 'Forgotten: your last message is out of my memory.',
  forgottenOfThis: 'Forgotten: that message is out of my memory.',
  nothingFound: 'I find nothing about that in my memory.',
  ofOthers: 'What I know about that comes from others, and is theirs to take back. They can tell me to forget it.',
  notYours: 'That was said by somebody else, and is theirs to take back. They can tell me to forget it.',
  nothingSaid: 'I remember nothing that you said here a moment ago.',
  which: 'Which of these shall I forget? A number, “all” or “none”.',
  isItThis: 'Do you mean this? “Yes” or “no”.',
  keptAll: 'All right, I keep it in mind.',
  forgetsYou:
    'I am forgetting you: what you said, what I know about you, and your name. It takes a few minutes, and nobody can undo it. ' +
    'What you say from now on I hear as before, unless you tell me: “don’t listen to me”.',
  optedOut:
    'From now on I do not listen to you, anywhere here: I keep nothing of what you say, and do not answer it. What I know from before stays, ' +
    'unless you tell me: “forget me”. If you change your mind: “listen to me again”.',
  optedIn: 'I listen to you again.',
  known: 'What I know about you:',
  knownAlone: 'All that I know about you:',
  nothingKnown: 'I know nothing about you that I could say here.',
  nothingKnownAlone: 'I know nothing about you.',
  askAlone: 'If you ask me in a direct message, I tell you everything.',
  more: count => `… and ${count} more.`,
  before: ' (not any more)',
  heard: (messages, channels) =>
    `I have heard ${messages === 1 ? 'one message' : `${messages} messages`} from you${channels.length > 0 ? `, mostly in ${channels.join(', ')}` : ''}.`,
  likes: tags => `What I associate with you: ${tags.join(', ')}`,
  impression: text => `My impression: ${text}`,
  lastTalk: text => `We last talked about: ${text}`,
  failed: 'Sorry, that did not work, and nothing has changed. Please tell me again later.',
}

const JA: Words = {
  remembered: '覚えておくね。',
  rememberedThat: (name, text) => `${name}の言ったこと、覚えておくね：「${text}」`,
  whatToRemember: '何を覚えておけばいい？ひとつのメッセージで言うか、覚えてほしいメッセージに返信してね。',
  tooLong: '長すぎて覚えきれない。要点を教えて。',
  notMyWords: 'それは私の言葉。覚えるのは人が言ったことだけだから、自分の言葉で教えて。',
  gone: 'そのメッセージは、もう手元にないよ。',
  forgotten: text => `忘れたよ：「${text}」`,
  forgottenMany: count => (count === 1 ? '忘れたよ。' : `${count}件とも忘れたよ。`),
  forgottenMessage: '忘れたよ。さっきのあなたの発言は、もう覚えていない。',
  forgottenOfThis: '忘れたよ。そのメッセージは、もう覚えていない。',
  nothingFound: 'それについては何も覚えていないよ。',
  ofOthers: 'それはほかの人から聞いたことだから、その人に任せるね。本人が「忘れて」と言えば忘れるよ。',
  notYours: 'それはほかの人が言ったことだから、その人に任せるね。本人が「忘れて」と言えば忘れるよ。',
  nothingSaid: 'さっきあなたがここで言ったことは、何も覚えていないよ。',
  which: 'どれを忘れる？番号か「全部」「なし」で教えて。',
  isItThis: 'これのこと？「はい」か「いいえ」で教えて。',
  keptAll: 'わかった、そのままにしておくね。',
  forgetsYou:
    'あなたのことを忘れるね。話してくれたことも、知っていることも、名前も。数分かかって、元には戻せない。' +
    'これからの発言は今までどおり聞くから、聞いてほしくなければ「私の発言は記録しないで」と言ってね。',
  optedOut:
    'これからは、ここのどこでもあなたの発言を聞かないね。何も残さないし、返事もしない。これまでに知ったことはそのまま残るから、' +
    '消したければ「私のことは忘れて」、気が変わったら「また聞いていいよ」と言ってね。',
  optedIn: 'また聞くようにするね。',
  known: 'あなたについて知っていること：',
  knownAlone: 'あなたについて知っていることの全部：',
  nothingKnown: 'ここで言えることは、何も知らないよ。',
  nothingKnownAlone: 'あなたのことは何も知らないよ。',
  askAlone: 'ダイレクトメッセージで聞いてくれれば、全部教えるよ。',
  more: count => `…ほか${count}件。`,
  before: '（今は違う）',
  heard: (messages, channels) =>
    `これまでに${messages}件の発言を聞いたよ${channels.length > 0 ? `（主に${channels.join('、')}）` : ''}。`,
  likes: tags => `あなたといえば：${tags.join('、')}`,
  impression: text => `印象：${text}`,
  lastTalk: text => `前に話したこと：${text}`,
  failed: 'ごめん、うまくいかなくて何も変わっていない。あとでもう一度言ってみて。',
}

export const WORDS: Readonly<Record<Locale, Words>> = { en: EN, ja: JA }

/** On one line, and no longer than one reads in passing. */
export function short(text: string): string {
  const line = [...safeText(text).replace(/\s+/g, ' ').trim()]
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1).join('')}…` : line.join('')
}
