export type Locale = 'en' | 'ja'
