/** A language of the bot: a BCP 47 tag such as `en` or `ja`. */
export type Locale = 'en' | 'ja'
