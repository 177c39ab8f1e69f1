/** The sections of CHANGELOG.md after one version, up to another one, the latest first. */
import { gt, lte } from 'semver'

export function changelogBetween(changelog: string, before: string, after: string): string {
  const sections = changelog.split(/^(?=## \d)/m).filter(section => {
    const [, version] = /^## (\d+\.\d+\.\d+\S*)/.exec(section) ?? []
    return version !== undefined && gt(version, before) && lte(version, after)
  })
  return sections.join('').trim()
}
