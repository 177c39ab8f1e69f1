/** Variables in the text of a .env file. */
import { parseEnv } from 'node:util'
import { KikimimiError } from 'kikimimi'

/**
 * The text with a value for a variable: in the place of its line, or of one that is commented out, or at the end below its description.
 *
 * @throws ARGUMENT_INVALID for a value that a .env file cannot have
 */
export function withVariable(text: string, name: string, value: string, description: string): string {
  const line = `${name}=${quoted(name, value)}`
  const places = ['', '#'].map(mark => new RegExp(`^${mark}[ \\t]*${name}=.*$`, 'm'))
  const place = places.find(one => one.test(text))
  if (place) return text.replace(place, () => line)
  const gap = text === '' ? '' : text.endsWith('\n') ? '\n' : '\n\n'
  return `${text}${gap}# ${description}\n${line}\n`
}

/** As Node reads it back. */
function quoted(name: string, value: string): string {
  const isRead = (written: string) => parseEnv(`${name}=${written}\n`)[name] === value
  const written = ['', "'", '"', '`'].map(quote => `${quote}${value}${quote}`).find(isRead)
  if (written !== undefined && !/[\r\n]/.test(value)) return written
  throw new KikimimiError('ARGUMENT_INVALID', `The value of ${name} has characters that a .env file cannot have together.`)
}
