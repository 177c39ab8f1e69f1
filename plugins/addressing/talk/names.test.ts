import { describe, expect, test } from 'vitest'
import { findsNames } from './names.ts'

const says = (name: string, text: string) => findsNames([name])(text).length > 0

describe('says the name', () => {
  test.each([
    ['kiki', 'kikiii!'],
    ['kiki', 'thanks,kiki'],
    ['kiki', 'kikiに聞いて'],
    ['kiki', 'kiki👋'],
    ['キキ', 'おやすみーキキ'],
    ['きき', 'じゃあきき教えて'],
    ['きき', 'ききちゃーん'],
    ['ききみみ', 'おーいききみみ'],
    ['陸', '今日陸いる？'],
    ['葵', '葵さんおはよう'],
    ['さくら', 'さくらが咲いた'],
    ['하늘', '하늘이는 어때'],
  ])('%s: %s', (name, text) => expect(says(name, text)).toBe(true))
})

describe('says another word, or the name in code or a quotation', () => {
  test.each([
    ['kiki', 'kiki: command not found'],
    ['kiki', '$ kiki --help'],
    ['kiki', '!kiki help'],
    ['kiki', 'docker pull kiki:latest'],
    ['kiki', '/opt/kiki/config'],
    ['kiki', 'she wrote “kiki, help”'],
    ['kiki', "'kiki' is the name"],
    ['キキ', '『キキ』っていう映画'],
    ['キキ', '＞ キキ、これ何'],
    ['きき', 'ききたいことがある'],
    ['きき', 'ききめがある'],
    ['陸', '大陸の話'],
    ['陸', '陸上部'],
    ['葵', '葵祭に行った'],
    ['そら', 'そらそうよ'],
    ['さくら', 'さくらんぼ'],
    ['키키', '키키모라'],
  ])('%s: %s', (name, text) => expect(says(name, text)).toBe(false))
})

test('the sentence around a name is what can tell whether it is called', () => {
  expect(findsNames(['kiki'])('I am late. lol KIKI are you there?! It rains.')).toEqual([
    { before: ' … ', after: ' are you there?!', isFirst: false },
  ])
  expect(findsNames(['kiki'])('Kiki Smith is here')).toEqual([{ before: '', after: ' smith is here', isFirst: true }])
})
