/** What a measured bot gets in the environment, as JSON. */
export interface Settings {
  readonly database: string
  /** `host:port` */
  readonly http: string
  readonly slack: {
    readonly signingSecret: string
    readonly clientId: string
    readonly clientSecret: string
    readonly tokenKey: string
    readonly apiUrl: string
  }
}
