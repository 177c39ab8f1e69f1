/** Writes a sentence as people write in chats: typing errors, no apostrophes, capitals, stretched words, full width, emoji. */

type Change = (text: string, random: () => number) => string

const ENDS = ['!', '!!', '...', ' :)', ' lol', ' 😊', ' 😂', '~', '.', ' haha', ' xd', ' 🙂', ' ❤️', '‼️']
const ENDS_JA = [
  '！',
  '！！',
  '…',
  '〜',
  '笑',
  'w',
  'ww',
  '😊',
  '😂',
  '✨',
  '。',
  'ー',
  '♪',
  '💦',
  '(笑)',
  'です',
  'ね',
  'っす',
  'よ',
]

const SPACED: readonly Change[] = [
  text => text.replaceAll("'", ''),
  text => text.toUpperCase(),
  text => text.charAt(0).toUpperCase() + text.slice(1),
  (text, random) => text + pick(ENDS, random),
  (text, random) => text + pick(ENDS, random),
  text => text.replace(/[,.!?]/g, ''),
  swapped,
  dropped,
  doubled,
  text =>
    text
      .replace(/\byou\b/g, 'u')
      .replace(/\byour\b/g, 'ur')
      .replace(/\bare\b/g, 'r')
      .replace(/\bplease\b/g, 'plz'),
  text => text.replace(/([aeiouy])(?=\W*$)/, '$1$1$1$1'),
  text => text.replace(/[!-~]/g, letter => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)),
]

const UNSPACED: readonly Change[] = [
  (text, random) => text + pick(ENDS_JA, random),
  (text, random) => text + pick(ENDS_JA, random),
  text => text.replace(/[。、！]/g, ''),
  text => text.replace(/[ぁ-ん]/g, letter => String.fromCharCode(letter.charCodeAt(0) + 0x60)),
  text => text.replace(/([あかさたなはまやらわがざだばぱいきしちにりうくすつぬふむゆる])(?=[。！!？?]*$)/, '$1ーー'),
  text => text.replace(/、/g, ' '),
  text =>
    text
      .replace(/ください/g, '下さい')
      .replace(/ありがとう/g, '有難う')
      .replace(/いい/g, '良い'),
  text => text.replace(/です(?=[。！!]*$)/, 'でーす').replace(/ます(?=[。！!]*$)/, 'まーす'),
  dropped,
  (text, random) => `${pick(['あ、', 'えっと、', 'うーん、', 'いや、', 'あー', 'まあ、', 'おっ、', 'てか'], random)}${text}`,
]

export function rough(text: string, language: string, random: () => number): string {
  const changes = language === 'ja' ? UNSPACED : SPACED
  const changed = pick(changes, random)(text, random)
  return random() < 0.3 ? pick(changes, random)(changed, random) : changed
}

function pick<T>(list: readonly T[], random: () => number): T {
  const one = list[Math.floor(random() * list.length)]
  if (one === undefined) throw new Error('An empty list has no element.')
  return one
}

function swapped(text: string, random: () => number): string {
  const at = letterIn(text, random)
  return at < 0 ? text : `${text.slice(0, at)}${text.charAt(at + 1)}${text.charAt(at)}${text.slice(at + 2)}`
}

function dropped(text: string, random: () => number): string {
  const at = letterIn(text, random)
  return at < 0 ? text : text.slice(0, at) + text.slice(at + 1)
}

function doubled(text: string, random: () => number): string {
  const at = letterIn(text, random)
  return at < 0 ? text : text.slice(0, at) + text.charAt(at) + text.slice(at)
}

/** A letter that another one follows. Short texts stay as they are. */
function letterIn(text: string, random: () => number): number {
  const places = [...text.matchAll(/\p{L}(?=\p{L})/gu)].map(({ index }) => index)
  return places.length < 5 ? -1 : (places[Math.floor(random() * places.length)] ?? -1)
}
