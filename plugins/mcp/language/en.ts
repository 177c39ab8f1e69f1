import type { Language } from '../language.ts'

const language: Language = {
  yes: /^(?:yes|yes please|yep|ok|okay|confirm|confirmed|run it|do it|go ahead|✅|👍)$/,
  no: /^(?:no|no thanks|nope|cancel|stop|don't|do not|❌|👎)$/,
}

export default language
