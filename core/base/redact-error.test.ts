import { describe, expect, it } from 'vitest'
import { KikimimiError } from './errors.ts'
import { redactError } from './redact-error.ts'

describe('the message of an error, without what people wrote', () => {
  const withCode = (message: string, code: string) => Object.assign(new Error(message), { code })

  it('an error without a word of the conversation is told as it is', () => {
    expect(redactError(new TypeError("cannot read 'x' of undefined"), ['good morning, kiki'])).toBe(
      "cannot read 'x' of undefined",
    )
  })

  it('a DNS error in a conversation about that host keeps its class, its code and its cause', () => {
    const error = withCode('getaddrinfo ENOTFOUND api.example.com', 'ENOTFOUND')
    expect(redactError(error, ['api.example.com is down again', 'add', 'it says not found'])).toBe(
      'Error ENOTFOUND: getaddrinfo ENOTFOUND […]',
    )
  })

  it('a whole message that an error quotes is removed', () => {
    const text = 'my pin is 4821, tell nobody'
    expect(redactError(new Error(`cannot read "${text}" as a number`), ['hello', text])).toBe(
      'Error: cannot read "[…]" as a number',
    )
  })

  it('half of a message is removed', () => {
    expect(redactError(new SyntaxError('bad value: pin is 4821'), ['I think that my pin is 4821, tell nobody'])).toBe(
      'SyntaxError: bad value: […]',
    )
  })

  it('a text without spaces is removed', () => {
    const error = new RangeError('読めません: 「来月に会社を辞めます」')
    expect(redactError(error, ['実は来月に会社を辞めますが、内緒です'])).toBe('RangeError: 読めません: 「[…]」')
  })

  it('a short message is removed where it is a word of its own', () => {
    expect(redactError(new Error('no value for 4821 at 14821'), ['4821'])).toBe('Error: no value for […] at 14821')
  })

  it('what an error escapes in a text is removed with the rest of the text', () => {
    const text = 'say "4821" to\nthe guard at "gate 7" now'
    const shown = redactError(new Error(`bad input ${JSON.stringify(text)}`), [text])
    expect(shown).toMatch(/^Error: bad inp/)
    for (const word of ['4821', 'guard', 'gate', 'now']) expect(shown).not.toContain(word)
  })

  it('a stack with a text in it keeps its files', () => {
    const text = 'my pin is 4821, tell nobody'
    const shown = redactError(`Error: cannot read ${text}\n    at parse (file:///bot/plugin.ts:12:3)`, [text])
    expect(shown).toBe('an error: Error: cannot read […] at parse (file:///bot/plugin.ts:12:3)')
  })

  it('an error of kikimimi repeats no text of people, and is told as it is', () => {
    const error = new KikimimiError('PLUGIN_DUPLICATE', 'the plugin needs the service "facts"')
    expect(redactError(error, ['the service "facts" is missing'])).toBe(error.message)
  })
})
