import type { Language } from '../unfinished.ts'

const language: Language = {
  goesOn: /(?:けど|けれども?|(?:です|ます|した)が|ので|それで|つまり)$/u,
}

export default language
