/** Finds secrets in texts: those of the environment, and what looks like one of a known service. */
import { conceal } from './log.ts'

/** Keys of services that are known by their form, private keys, and the user with the password in an address. */
const KEYS = [
  String.raw`\bxox[a-z]-[\w-]{10,}`,
  String.raw`\bxapp-[\w-]{10,}`,
  String.raw`\bAIza[\w-]{30,}`,
  String.raw`\bsk-[\w-]{20,}`,
  String.raw`\bgh[pousr]_\w{30,}`,
  String.raw`[\w-]{0,100}\.[\w-]{6}\.[\w-]{27,}`,
  String.raw`-----BEGIN [A-Z ]{0,20}PRIVATE KEY(?:[\s\S]{0,10000}?-----END [A-Z ]{0,20}PRIVATE KEY-----)?`,
  String.raw`(?<=:\/\/)[^\s/@:]{0,100}:[^\s/@]{1,200}(?=@)`,
].join('|')

const ONE_KEY = new RegExp(KEYS)
const ALL_KEYS = new RegExp(KEYS, 'g')

/** @param secrets those of the environment: see `secretsOf` */
export function hasSecret(text: string, secrets: readonly string[]): boolean {
  return ONE_KEY.test(text) || secrets.some(secret => text.includes(secret))
}

/** The text with `[secret]` instead of each secret. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return conceal(text, secrets).replace(ALL_KEYS, '[secret]')
}
