/** The packages that people name: a short name of kikimimi's own plugins, or a package with a version. */
import { KikimimiError, nearest } from 'kikimimi'
import { PLUGIN_PACKAGES } from './plugin-packages.ts'

export interface Named {
  readonly name: string
  /** The name, with the version that was asked for. */
  readonly spec: string
}

/** `telegram`, `@kikimimi/telegram`, `kikimimi-weather@1.2`. @throws USAGE for what is no name of a package */
export function namedPackage(given: string): Named {
  const [, typed, version = ''] = /^((?:@[a-z\d][\w.~-]*\/)?[a-z\d][\w.~-]*)(@[\w.^~+-]+)?$/i.exec(given) ?? []
  if (typed === undefined) throw new KikimimiError('USAGE', `"${given}" is no name of a package. Try: kikimimi add telegram`)
  const own = `@kikimimi/${typed}`
  const name = PLUGIN_PACKAGES.includes(own) ? own : typed
  return { name, spec: `${name}${version}` }
}

/** As one types it: `telegram` for `@kikimimi/telegram`. */
export function shortName(name: string): string {
  return PLUGIN_PACKAGES.includes(name) ? name.replace('@kikimimi/', '') : name
}

/** ` Did you mean "telegram"?` */
export function meantBy(given: string): string {
  const meant = nearest(given, PLUGIN_PACKAGES.map(shortName))
  return meant === undefined || meant === given ? '' : ` Did you mean "${meant}"?`
}
