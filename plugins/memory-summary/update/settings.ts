/** The options for updates of memories. Times are in milliseconds unless the name says otherwise. */
export interface UpdateSettings {
  readonly everyMessages: number
  readonly everyMinutes: number
  readonly foldAfter: number
  readonly workspaceEvery: number
  readonly recentTokens: number
  readonly historyTokens: number
}
