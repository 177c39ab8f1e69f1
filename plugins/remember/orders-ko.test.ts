import { describe, expect, test } from 'vitest'
import { readChoice, readOrder } from './orders.ts'

const NAMES = ['kiki', '키키']

const orderIn = (text: string) => readOrder(text, NAMES)

describe('in Korean', () => {
  test.each([
    ['금요일 비행기는 10시라고 기억해 줘', '금요일 비행기는 10시'],
    ['내 생일은 3월 5일이라는 걸 기억해줘', '내 생일은 3월 5일'],
    ['기억해 줘: 내일은 쉬는 날', '내일은 쉬는 날'],
    ['키키야, 민수는 땅콩 알레르기가 있다고 기억해 줄래?', '민수는 땅콩 알레르기가 있'],
  ])('remembers the content of the order: %s', (text, content) => {
    expect(orderIn(text)).toEqual({ kind: 'remember', content })
  })

  test.each(['기억해 줘', '이거 기억해 줘', '방금 한 말 기억해 주세요', '@kiki 그거 꼭 기억해 줘 ㅋㅋ'])(
    'remembers what stands elsewhere: %s',
    text => {
      expect(orderIn(text)).toEqual({ kind: 'remember' })
    },
  )

  test.each([
    ['고양이에 대해 잊어 줘', '고양이'],
    ['키키, 다음 주 여행 이야기는 잊어 주세요', '다음 주 여행'],
  ])('forgets the topic of the order: %s', (text, topic) => {
    expect(orderIn(text)).toEqual({ kind: 'forget', topic })
  })

  test.each(['방금 한 말 잊어 줘', '그거 잊어 주세요', '아까 내가 한 말은 잊어버려'])(
    'forgets the previous message: %s',
    text => {
      expect([{ kind: 'forget' }, { kind: 'leave-out', means: 'before' }]).toContainEqual(orderIn(text))
    },
  )

  test.each([
    ['나에 대해 잊어 줘', 'forget-me'],
    ['나에 대한 정보를 전부 지워 주세요', 'forget-me'],
    ['나에 대해 뭘 알고 있어?', 'know'],
    ['저에 대해 아는 것을 알려 주세요', 'know'],
    ['내 말은 듣지 마', 'opt-out'],
    ['제 메시지를 기록하지 마세요', 'opt-out'],
    ['다시 들어도 돼', 'opt-in'],
    ['내 말 다시 들어 줘', 'opt-in'],
  ])('%s', (text, kind) => expect(orderIn(text)?.kind).toBe(kind))

  test.each(['아직 기억해?', '어제 본 영화 기억나?', '나에 대해 잊어 줘 ㅋㅋㅋ', '우산을 잊어버렸어', '내 친구를 알아?'])(
    'is no order: %s',
    text => {
      expect(orderIn(text)).toBeUndefined()
    },
  )

  test.each([
    ['1번', [1]],
    ['1번과 3번', [1, 3]],
    ['전부', 'all'],
    ['모두 지워줘', 'all'],
    ['없음', 'none'],
    ['취소', 'none'],
  ])('chooses: %s', (text, choice) => expect(readChoice(text, NAMES, 3)).toEqual(choice))

  test('repetitions take no long time', () => {
    for (const word of ['제발 ', '기억해 ', '잊어 ', '전부 ', '에 대해 ']) orderIn(`${word.repeat(40).slice(0, 119)}x`)
  })
})
