/** The section of a release in CHANGELOG.md, from the subjects of its commits: `area: what changed`. */

/** Changes that users of the packages do not see. */
const INTERNAL = new Set(['bench', 'ci', 'lint', 'scripts', 'test', 'tests'])

/**
 * @param subjects newest first
 * @param date `2026-11-30`
 */
export function changelogSection(version: string, date: string, subjects: readonly string[]): string {
  const areas = new Map<string, string[]>()
  for (const subject of subjects.toReversed()) {
    const [, names, change] = /^([a-z][\w, -]*): (.+)$/.exec(subject) ?? [undefined, 'other', subject]
    const visible = names.split(', ').filter(name => !INTERNAL.has(name))
    if (visible.length === 0) continue
    const area = visible.join(', ')
    areas.set(area, [...(areas.get(area) ?? []), change])
  }
  const sections = [...areas].sort(([a], [b]) => a.localeCompare(b, 'en'))
  const lines = sections.map(([area, changes]) => `### ${area}\n\n${changes.map(change => `- ${change}\n`).join('')}`)
  return `## ${version} (${date})\n\n${lines.join('\n') || 'No change that users see.\n'}`
}

/** Puts a section above those of earlier releases. */
export function withSection(changelog: string, section: string): string {
  const head = '# Changelog\n'
  const rest = changelog.replace(head, '').trim()
  return `${[head.trim(), section.trim(), rest].filter(Boolean).join('\n\n')}\n`
}
