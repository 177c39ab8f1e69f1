/**
 * How a loan word sounds, roughly: its consonants. ピクニック, 피크닉 and "picnic" have the same, so a question finds a line in another
 * language. No dictionary is needed.
 */

/** Katakana by consonant. Signs that are missing here are vowels, or change only the vowel. */
const KANA: Readonly<Record<string, string>> = {
  ...{ k: 'カキクケコ', g: 'ガギグゲゴ', s: 'サシスセソ', z: 'ザジズゼゾ', t: 'タチツテト', d: 'ダヂヅデド', n: 'ナニヌネノン' },
  ...{ h: 'ハヒフヘホ', b: 'バビブベボヴ', p: 'パピプペポ', m: 'マミムメモ', y: 'ヤユヨ', r: 'ラリルレロ', w: 'ワ' },
}
const BY_KANA = new Map(Object.entries(KANA).flatMap(([consonant, signs]) => [...signs].map(sign => [sign, consonant] as const)))

/** Hangul syllables are composed of an initial, a vowel and a final, in this order. */
const INITIALS = ['k', 'k', 'n', 't', 't', 'r', 'm', 'p', 'p', 's', 's', '', 'z', 'z', 't', 'k', 't', 'p', 'h']
const FINALS = ['', ...'k k k n n n t r k m p r t p r m p p t t ng t t k t p t'.split(' ')]
const [FIRST_SYLLABLE, LAST_SYLLABLE, VOWELS] = [0xac00, 0xd7a3, 21]

/** Shortest word, and fewest consonants, that are compared. */
const [LETTERS, CONSONANTS] = [4, 2]
const LONGEST = 30

/** The consonants of a word, in each way that it may be heard; none for a word that is too short or has another script. */
export function soundsOf(word: string): readonly string[] {
  if (word.length > LONGEST) return []
  const heard = /^[\p{sc=Katakana}ー]+$/u.test(word)
    ? [kana(word)]
    : /^\p{sc=Hangul}+$/u.test(word)
      ? [hangul(word)]
      : latin(word)
  return heard.filter(sound => sound.length >= CONSONANTS).map(sound => plain(sound))
}

function kana(word: string): string {
  const sound = [...word].map(sign => BY_KANA.get(sign) ?? '').join('')
  // A short word is heard if each of its signs has a consonant: ホテル.
  return word.length < LETTERS && sound.length < LETTERS - 1 ? '' : sound
}

function hangul(word: string): string {
  return [...word]
    .map(syllable => {
      const code = syllable.charCodeAt(0)
      if (code < FIRST_SYLLABLE || code > LAST_SYLLABLE) return ''
      const at = code - FIRST_SYLLABLE
      return `${INITIALS[Math.floor(at / (VOWELS * FINALS.length))]}${FINALS[at % FINALS.length]}`
    })
    .join('')
}

function latin(word: string): string[] {
  if (word.length < LETTERS || !/^[a-z]+$/i.test(word)) return []
  const sound = word
    .toLowerCase()
    .replace(/tion/g, 'son')
    .replace(/c(?=[eiy])/g, 's')
    .replace(/ch/g, 't')
    .replace(/([szpt])h/g, '$1')
    .replace(/ck|c|q/g, 'k')
    .replace(/x/g, 'ks')
    .replace(/([a-z])\1/g, '$1')
    .replace(/(?<=.)y/g, '')
  // An r after a vowel is heard as a long vowel: "concert", コンサート. A stem has lost the e that makes its c an s: "offic".
  // A stem has lost its ending, too: "meet", ミーティング.
  const forms = [
    sound,
    `${sound}ing`,
    sound.replace(/r(?![aeiou])/g, ''),
    ...(/c$/i.test(word) ? [sound.replace(/k$/, 's')] : []),
  ]
  return [...new Set(forms)].map(one => one.replace(/[aeiou]/g, ''))
}

/** Sounds that a script does not tell apart are one. */
function plain(sound: string): string {
  return sound.replace(/l/g, 'r').replace(/v/g, 'b').replace(/f/g, 'h').replace(/[jz]/g, 's')
}
