/** How people ask for reminders, in each language. */
import { languagesIn } from 'kikimimi'

/** Sources of patterns are for folded text: see `orderText`. A request is the words around the time and the content: "remind me", 「をリマインドして」. */
export interface Language {
  readonly request: {
    /**
     * A request before the time and the content. Group `whom`. `sure`: it is one without a time too, and the bot asks for the time; `unsure`:
     * it needs a time of the clock.
     */
    readonly before: { readonly sure: string; readonly unsure: string }
    /** A request after the time and the content. Absent: none, as with the other sources. */
    readonly after?: { readonly sure: string; readonly unsure: string }
    /** The clauses around a request that stands behind its content. Absent: it stands at the end of the text, with one clause before it. */
    readonly clauses?: Clauses
    /** After the name of the person for whom it is. */
    readonly toPerson?: string
    /** Words for the person who asks: "me". */
    readonly self: string
    /** Between two people. */
    readonly andPerson: string
    /** Of what stands between them: one of the two is meant, and the bot asks. */
    readonly orPerson?: RegExp
    /** The end of a content to which a person before it belongs: 「電話」. Behind another one the bot asks whom it is for. Absent: any. */
    readonly takesPerson?: RegExp
    /** The start of a content that can name a person whom the bot does not know. Behind a time, the bot asks. Absent: none. */
    readonly forSomebody?: RegExp
    /** Asks to tell a person something, wherever the person stands: the text before the words that ask, a line break, and these words. */
    readonly tellsPerson: RegExp
    /**
     * Asks to call a person, who is the object of the words that ask: 「健太をボス戦に呼んで」. `asks`: these words; `object`: after the name;
     * `other`: the end of a text that names somebody else. Absent: none.
     */
    readonly calls?: { readonly asks: RegExp; readonly object: string; readonly other: RegExp }
    /** Follows the name of a person when the speaker does something for that person: 「…へおめでとうって送る」. The reminder is for the speaker. */
    readonly saysItself: RegExp
    /** Requests that say what they are about: "wake me", "set a timer". `isEarly`: an hour without a half of the day is in the morning. */
    readonly says?: readonly { readonly asks: RegExp; readonly content: string; readonly isEarly?: true }[]
    /** A time before an event. Groups: `amount`, or `day`, which is the day before it, with `part`. Absent: none. */
    readonly relative?: RegExp
    /** The event behind such words, up to the content. */
    readonly event?: RegExp
    /** Between a time and the content: "to", "about". */
    readonly connective?: string
    /** After a time that says when. */
    readonly adverbial: string
    /** Before a time that belongs to the content: "my". The text before it. */
    readonly owner?: string
    /** The begin of a clause behind the content that gives a reason, such as ", we only have it till five". Absent: none. `not`: in the content before it. */
    readonly explains?: { readonly clause: RegExp; readonly not: RegExp }
    /** Words around the content that join it to the rest. */
    readonly contentStart: string
    readonly contentEnd: string
    /** Before the clause of a request that begins with its time: "so every day at nine". Global. Absent: the request has no other clause. */
    readonly clauseStart?: RegExp
    /** Between a request and the next one, which asks in words of its own. Group `sure`: it can be no content of the first. Global. Absent: none. */
    readonly next?: RegExp
    /** Stands for people who are named before the request: "him". The whole word. Absent: none. */
    readonly pronoun?: RegExp
    /**
     * The text before a request that only tells something. `not`: it is no such text. `lead`: the begin of one that says what to do, "I must
     * not forget to". Absent: none.
     */
    readonly context?: { readonly not: RegExp; readonly lead: RegExp }
    /** Announces times and what they are about, without words that ask: "two things:". At the start. */
    readonly announces?: RegExp
    /** In a content: words of a repeat that no time has, so that the bot asks: 「四半期ごとの」. Absent: none. */
    readonly unread?: RegExp
    /** In a content: a time that no clock tells, so that the bot asks when it has no other one: 「寝る前に」. Absent: none. */
    readonly untimed?: RegExp
    /** Words before a request that say nothing. The whole text. */
    readonly noise: string
  }
  /** A letter of the language. A text without one is a note of another language. Absent: any. */
  readonly letter?: RegExp
  /** Whom a request is for when it is for nobody else. */
  readonly everyone: RegExp
  /** Words after "remind" that name no person. */
  readonly stopsName: RegExp
  /** Takes back what the same text has said: "no, wait". */
  readonly corrects: RegExp
  /** A request that means the time before it: "remind me then". The whole request. */
  readonly refersBack: RegExp
  /** A request that a length follows: "timer 5 minutes". */
  readonly length?: RegExp
  /** A request with a length in it: "a 45 minute timer". Group `amount`. */
  readonly timer?: RegExp
  /** Between two requests. Global. */
  readonly joins?: RegExp
  /** How many times a reminder is told in total: "5 times in total". Group `n`. `unsure`: it can be a part of the content too. */
  readonly count: { readonly sure: RegExp; readonly unsure: RegExp }
  /** In the content of a repeat: days without it, which the bot does not keep. */
  readonly exception: RegExp
  /** The number of such words. */
  numberOf(words: string): number
  /** Begins a clause, so that a time behind it belongs to the content. */
  readonly clause: RegExp
  /** Before a time that tells when something is, not when to say it: "is due". The text before it. */
  readonly due: RegExp
  /** A content that is a question: 「何があるか」. */
  readonly question: RegExp
  /** A note that begins with how long it takes until then: "20 min laundry". */
  readonly amount?: RegExp
  /** A content that makes a text with a time, and without a request, no note for a reminder: "tomorrow at nine I am away". */
  readonly talks: RegExp
  /** A content that makes a text with one time an order. The bot asks about the others. Absent: about all. */
  readonly note?: RegExp
  /** A content that makes a request without a time a question about what was said: "remind me what the password is". */
  readonly asksInstead: RegExp
  /** The person takes no reminders from others, or takes them again. The whole text. */
  readonly refuses: RegExp
  readonly accepts: RegExp
  /** Agrees to what the bot has asked, or declines it. Plain words, the whole text. */
  readonly yes: RegExp
  readonly no: RegExp
  /** Words before and after the time of an answer: "no, friday". */
  readonly beforeTime: RegExp
  /** The number of one of several: "the second one". Plain words, the whole text. */
  ordinal(words: string): number | undefined
  /** Orders about reminders that are there. All patterns are looked for anywhere in a folded text. */
  readonly changes: {
    /** Names reminders. */
    readonly reminder: RegExp
    /** Names one of several things: "the one about". */
    readonly one: RegExp
    readonly lists: RegExp
    /** Group `verb`: words that name no reminder. */
    readonly cancels: RegExp
    readonly moves: RegExp
    /** The text only looks like an order: "how do I cancel a reminder?" */
    readonly never: RegExp
    /** Names the last one, in an order that does not say "reminder". */
    readonly it: RegExp
    /** Names the last one, in an order that says "reminder": "that reminder". */
    readonly last: RegExp
    /** Between two orders of one text. Global. */
    readonly divides: RegExp
    /** Between two clauses. */
    readonly clauses: RegExp
    /** A clause that tells something: why, or what has happened. It names nothing if it has no verb that asks. */
    readonly tells: RegExp
    /** The start of a clause that tells something, up to the words that name a reminder. Group `names`. Absent: none. */
    readonly topic?: RegExp
    /** What does not count, up to its end: "not all of them, just". */
    readonly corrects: RegExp
    /** Between the old time and the new one, in words that only tell the change: 「9時から10時に変わった」. Absent: none. */
    readonly swaps?: RegExp
    readonly all: RegExp
    /** Those that the text names. */
    readonly both: RegExp
    /** Before or after the words that name what stays: "all except". */
    readonly others: RegExp
    /** Between two names. */
    readonly and: RegExp
    /** By how much a reminder is moved. Group `amount`. */
    readonly by: RegExp
    /** Words that say that it is moved to an earlier time, or a later one. With both or neither of them the bot asks. */
    readonly earlier: RegExp
    readonly later: RegExp
    /** The number of a reminder: group 1 or 2. Global. */
    readonly number: RegExp
    /** A word. Global. */
    readonly word: RegExp
    /** What is no word of a reminder, in a script without spaces. Global. */
    readonly verbs: RegExp
    /** Before an hour that stands alone, such as "to". */
    readonly bareHour: RegExp
    /** Words that name no reminder. The whole word. */
    readonly stops: RegExp
  }
  /** "When somebody mentions `words`, tell them `content`." */
  readonly watches: RegExp
  /** What the bot promises in its own words. Group `when`: a time, or vague words. */
  readonly promises: readonly RegExp[]
  /** A vague time in a promise: later. */
  readonly vague: RegExp
}

export interface Clauses {
  /** Behind a clause. Global. */
  readonly pause: RegExp
  /** The end of a clause that belongs to the request only as its reason: 「…ので、」. Global. */
  readonly divides: RegExp
  /** A clause that tells a time: 「夜勤の前、」. */
  readonly adverb: RegExp
  /** A clause behind the request that says why. */
  readonly reason: RegExp
  /** A clause behind the request that asks for something itself. */
  readonly other: RegExp
  /** A request that is a noun alone. */
  readonly noun: RegExp
  /** Goes on with the request as with a word: 「…してという書き方」. It asks for nothing then. The start of what follows. */
  readonly continues: RegExp
  /** The end of what shall be said, before a request that rarely asks: 「…って」. With a day alone, the bot asks. */
  readonly quotes: RegExp
  /** The subject of a clause, at the end of the text before a time: the time can be that of the clause. */
  readonly subject: RegExp
  /** Words in front of the first day of what repeats, and in front of a time: 「初回は」, 「時間は」. */
  readonly first: RegExp
  readonly timeOf: RegExp
  /** A clause that says only that the speaker may forget it. */
  readonly filler: RegExp
  /** Between what a reminder is about and its time: 「歯医者。リマインドは前日21時で」. */
  readonly inverted: RegExp
  /** A content that means the clause before it: 「それ」. */
  readonly points: RegExp
  /** The end of a clause that tells an event: 「…があるので、」. */
  readonly contextEnd: RegExp
  /** What joins the day of an event to it. At the start. */
  readonly dayEnd: RegExp
}

export const BY_LOCALE = await languagesIn<Language>(new URL('./language/', import.meta.url))

export const LANGUAGES: readonly Language[] = [...BY_LOCALE.values()]
