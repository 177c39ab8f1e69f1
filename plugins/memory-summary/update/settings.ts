/** The options of the plugin by which memories are updated. Times are in milliseconds unless the name says otherwise. */
export interface UpdateSettings {
  readonly everyMessages: number
  readonly everyMinutes: number
  readonly foldAfter: number
  readonly workspaceEvery: number
  readonly recentTokens: number
  readonly historyTokens: number
}
