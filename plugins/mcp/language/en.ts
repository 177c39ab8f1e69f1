import type { Language } from '../language.ts'

const language: Language = {
  yes: /^(?:(?:yes|yep|yeah|sure|ok|okay|please|confirm|confirmed|run it|do it|go ahead|✅|👍)(?: |$))+$/,
  no: /^(?:no|no thanks|nope|cancel|stop|don't|do not|❌|👎)$/,
}

export default language
