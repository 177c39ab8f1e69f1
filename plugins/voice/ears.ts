/** Listens to the people in a voice channel who have allowed it. Sound is never stored. */
import { EndBehaviorType, type VoiceReceiver } from '@discordjs/voice'
import { type Conversation, KikimimiError, type Person, type PluginContext } from 'kikimimi'
import { createDecoder } from './audio/opus.ts'
import { type Pcm, powerOf, wavOf } from './audio/pcm.ts'
import { utteranceIn } from './words.ts'

/** Milliseconds of silence that end an utterance. */
const SILENCE = 800
/** Packets of 20 ms. A longer utterance is passed on in parts. */
const LONGEST = 30 * 50
/** A shorter one is a click or a cough. */
const SHORTEST = 15
/** −50 dB. Models write words for silence, too. */
const QUIETEST = 1e-5
/** Utterances that wait for their transcript. */
const WAITING = 8

export interface EarsOptions {
  readonly ctx: Pick<PluginContext, 'log' | 'models'>
  readonly receiver: VoiceReceiver
  readonly conversation: Conversation
  /** A person in the voice channel. `undefined`: the account is a bot, or has left. */
  personOf(id: string): Person | undefined
  /** Somebody begins to speak. */
  began(): void
  /** Resolves with whether it is recorded. */
  heard(person: Person, text: string): Promise<boolean>
}

export interface Ears {
  /** Listens to these people, by id, and to no others. What others are saying now is dropped. */
  listenTo(people: ReadonlySet<string>): void
  /** Ends it. What has been said is dropped. */
  close(): void
}

/** One utterance, until it is recorded. */
interface Utterance {
  readonly person: string
  readonly stop: AbortController
}

export function createEars({ ctx, receiver, conversation, personOf, began, heard }: EarsOptions): Ears {
  const { log, models } = ctx
  const utterances = new Set<Utterance>()
  let listened: ReadonlySet<string> = new Set()
  /** Utterances are recorded in their order. */
  let last = Promise.resolve()

  function started(id: string): void {
    if (!personOf(id)) return
    began()
    if (listened.has(id) && !receiver.subscriptions.has(id)) receive(id)
  }

  function receive(person: string): void {
    const utterance = { person, stop: new AbortController() }
    const decoder = createDecoder()
    const stream = receiver.subscribe(person, { end: { behavior: EndBehaviorType.AfterSilence, duration: SILENCE } })
    utterances.add(utterance)
    utterance.stop.signal.addEventListener('abort', () => stream.destroy())
    stream.on('data', (packet: Buffer) => {
      decoder.add(packet)
      if (decoder.length >= LONGEST) stream.destroy()
    })
    stream.on('error', error => log.debug(`sound could not be read: ${error.message}`))
    stream.once('close', () => {
      const { length } = decoder
      const sound = decoder.sound()
      decoder[Symbol.dispose]()
      if (utterance.stop.signal.aborted) return
      if (length >= LONGEST) receive(person)
      understand(utterance, length, sound)
    })
  }

  function understand(utterance: Utterance, length: number, sound: Pcm): void {
    const { person, stop } = utterance
    const isHeard = length >= SHORTEST && powerOf(sound) >= QUIETEST
    if (isHeard && utterances.size > WAITING)
      log.warn('People say more than models.transcribe can write down: an utterance is left out.')
    if (!isHeard || utterances.size > WAITING) {
      utterances.delete(utterance)
      return
    }
    const recording = { data: wavOf(sound), type: 'audio/wav' }
    const transcript = models.transcribe(recording, { conversation, signal: stop.signal })
    transcript.catch(() => {})
    last = last
      .then(() => record(person, transcript, stop.signal))
      .finally(() => {
        utterances.delete(utterance)
      })
  }

  async function record(person: string, transcript: Promise<string>, signal: AbortSignal): Promise<void> {
    try {
      const text = utteranceIn(await transcript)
      const who = personOf(person)
      if (text === undefined || !who || signal.aborted) return
      if (await heard(who, text)) return
      // The person has opted out, or the bot does not listen here.
      log.info('what a person said was not recorded, so the person is not listened to any more')
      listened = new Set([...listened].filter(id => id !== person))
    } catch (error) {
      const isSilence = error instanceof KikimimiError && error.code === 'MODEL_EMPTY'
      if (isSilence || signal.aborted) return
      log.warn(`what a person said could not be written down: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  function listenTo(people: ReadonlySet<string>): void {
    listened = people
    for (const utterance of utterances) {
      if (people.has(utterance.person)) continue
      utterance.stop.abort()
      utterances.delete(utterance)
    }
  }

  receiver.speaking.on('start', started)
  return {
    listenTo,
    close() {
      receiver.speaking.off('start', started)
      listenTo(new Set())
    },
  }
}
