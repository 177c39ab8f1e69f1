import type { Language } from '../unfinished.ts'

const language: Language = {
  goesOn: /(?:는데|은데|인데|지만|니까|그리고|그런데|근데|그래서|하지만|그러면)$/u,
}

export default language
