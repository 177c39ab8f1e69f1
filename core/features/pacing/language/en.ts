import type { Language } from '../unfinished.ts'

const language: Language = {
  goesOn: /(?:^|[^\p{L}\p{N}'])(?:and|but|or|because|cuz|if|while|although|unless|the|an?|my|your)$/u,
}

export default language
