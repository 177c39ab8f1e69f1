/** Weights for a channel: learned from its messages, and measured on its last part. */
import type { Model } from '../model.ts'
import type { Example } from './example.ts'
import { type Learned, learn } from './learn.ts'
import { leastGain, type Reading, read } from './read.ts'
import { type Said, seatExamples } from './seats.ts'

/** The last part of the channel, which is not learned from. */
const HELD_OUT = 0.3
/** Gain in F1 from which new weights are better, and largest loss of coverage and of interruption accuracy. */
const MARGIN = 0.01
const LARGEST_LOSS = 0.01

export interface Proposal extends Learned {
  /** The results on the last part, with the weights that the channel has now, and with the new ones. */
  readonly replay: { readonly before: Reading; readonly after: Reading; readonly leastGain: number; readonly messages: number }
  /** The new weights are better by a margin, also without any one person. */
  readonly isBetter: boolean
}

export interface Data {
  readonly said: readonly Said[]
  /** Examples from outcomes of the bot's own decisions. */
  readonly outcomes: readonly Example[]
  readonly shared: Model
  /** The weights that the channel has now. */
  readonly current: Model
}

/** Nothing: too little data, or nothing to learn. */
export async function propose({ said, outcomes, shared, current }: Data, signal?: AbortSignal): Promise<Proposal | undefined> {
  const times = said.map(({ message }) => message.at.getTime()).sort((a, b) => a - b)
  const cut = times[Math.floor(times.length * (1 - HELD_OUT))] ?? 0
  const seats = await seatExamples(said, signal)
  const isBefore = ({ at }: Example) => at.getTime() < cut
  const learned = learn([...seats.filter(one => !one.isCall), ...outcomes].filter(isBefore), shared)
  if (!learned) return undefined
  const heldOut = seats.filter(one => !isBefore(one))
  const replay = {
    before: read(heldOut, current),
    after: read(heldOut, learned.model),
    leastGain: leastGain(heldOut, current, learned.model),
    messages: heldOut.length,
  }
  const { before, after } = replay
  const loss = Math.max(before.coverage - after.coverage, before.interruptionAccuracy - after.interruptionAccuracy)
  return { ...learned, replay, isBetter: replay.leastGain >= MARGIN && loss <= LARGEST_LOSS }
}
