/** The plugins that come with kikimimi, by package. A test compares the list with the folders. */
export const PLUGIN_PACKAGES: readonly string[] = [
  ...['addressing', 'attention', 'backup', 'chroma', 'dashboard', 'digest', 'discord', 'eavesdrop', 'facts', 'irc', 'judge-llm'],
  ...['judge-rules', 'knowledge', 'matrix', 'mcp', 'memory-summary', 'proactive', 'profiles', 'promises', 'quiet', 'reflection'],
  ...['remember', 'replay', 'reply'],
  ...['satori', 'slack', 'telegram', 'terminal', 'voice', 'words'],
].map(name => `@kikimimi/${name}`)

/** Whether a package is released together with kikimimi. */
export function isOurs(name: string): boolean {
  return name === 'kikimimi' || name === 'create-kikimimi' || name.startsWith('@kikimimi/')
}

/** The name that bot.config.ts gives to a plugin: `judgeRules` for `@kikimimi/judge-rules`. */
export function variableOf(name: string): string {
  const [last = name] = name.split('/').slice(-1)
  return last.replace(/^kikimimi-(?:plugin-)?/, '').replace(/[-._](\w)/g, (_, letter: string) => letter.toUpperCase())
}
