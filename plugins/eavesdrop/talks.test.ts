import type { Message } from 'kikimimi'
import { describe, expect, test } from 'vitest'
import { talksIn } from './talks.ts'

/** `a1: text` is a message of a; `b2>a1` replies to it; `b2@a` mentions a; `kiki` is the bot. */
function said(lines: string): Message[] {
  return lines
    .split(' ')
    .filter(line => line !== '')
    .map(line => {
      const [, author = '', number = '', link = '', to = ''] = /^([a-z]+)(\d+)(?:([>@])(\w+))?$/.exec(line) ?? []
      return {
        id: `${author}${number}`,
        author: { id: author, name: author },
        text: line,
        at: new Date(0),
        mentions: link === '@' ? [{ id: to, name: to }] : [],
        ...(link === '>' && { replyTo: to }),
        attachments: [],
        own: author === 'kiki',
      }
    })
}

const talks = (lines: string) => talksIn(said(lines)).map(talk => talk.map(({ id }) => id).join(' '))

describe('parallel conversations', () => {
  test.each([
    ['nobody links anything: one talk', 'a1 b1 c1 a2 d1', ['a1 b1 c1 a2 d1']],
    ['one speaks alone', 'a1 a2', ['a1 a2']],
    ['two pairs that reply to each other', 'a1 c1 b1>a1 d1>c1 a2 c2', ['a1 b1 a2', 'c1 d1 c2']],
    ['a pair that replies beside people who talk plainly', 'a1 c1 b1 d1>c1 a2 c2>d1', ['a1 b1 a2', 'c1 d1 c2']],
    ['mentions link too', 'a1 c1 b1@a d1@c a2', ['a1 b1 a2', 'c1 d1']],
    ['a link between two talks makes them one', 'a1 c1 b1>a1 d1>c1 a2>d1', ['a1 c1 b1 d1 a2']],
    ['a lone voice belongs to those who spoke before', 'a1 b1>a1 e1 c1 d1>c1', ['a1 b1 e1', 'c1 d1']],
    ['or to those who speak next', 'e1 a1 b1>a1', ['e1 a1 b1']],
    [
      'the bot speaks where it replies, or else where it was last spoken',
      'a1 c1 b1>a1 d1>c1 kiki1>a1 kiki2 c2',
      ['a1 b1 kiki1 kiki2', 'c1 d1 c2'],
    ],
    ['a link to what nobody remembers is none', 'a1 b1>z9 c1@z', ['a1 b1 c1']],
    ['a reply to oneself is no link', 'a1 a2>a1 b1', ['a1 a2 b1']],
    ['nothing said', '', []],
  ])('%s', (_, lines, expected) => {
    expect(talks(lines)).toEqual(expected)
  })
})
