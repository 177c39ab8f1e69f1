/** Searches by a part of a name. */

/** Part of a query: whether a name has a part, in any case. An index finds it by its characters. */
export function isNamed(name: string, part: string): string {
  return `(kikimimi_v1.grams(${name}) @> kikimimi_v1.grams(${part}) and position(lower(${part}) in lower(${name})) > 0)`
}
