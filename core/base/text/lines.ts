import { StringDecoder } from 'node:string_decoder'

/**
 * Reads the lines of a text, one at a time. Only a line feed ends a line, with or without a carriage return before it.
 * Node's own readline also ends a line at U+2028, which appears in messages and in JSON.
 */
export async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string, void> {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  for await (const chunk of chunks) {
    // What was read before has no end of a line: in a long line it is not looked through again.
    const [first = '', ...others] = decoder.write(chunk).split('\n')
    rest += first
    for (const next of others) {
      yield rest.replace(/\r$/, '')
      rest = next
    }
  }
  rest += decoder.end()
  if (rest !== '') yield rest
}
