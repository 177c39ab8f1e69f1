/** What is read again and again: an answer that comes late does not undo a newer one. */
import { useRef } from './html.js'

/** `hear` runs one of the two, unless something newer was heard already; after `outdate` nothing that is under way is heard. */
export function useNewest() {
  const { current: count } = useRef({ asked: 0, heard: 0 })
  return {
    /**
     * @template T
     * @param {Promise<T>} asking
     * @param {(answer: T) => void} heard
     * @param {(error: Error) => void} failed
     */
    hear(asking, heard, failed) {
      const number = ++count.asked
      return asking.then(
        answer => {
          if (number < count.heard) return
          count.heard = number
          heard(answer)
        },
        error => {
          if (number >= count.heard) failed(error)
        },
      )
    },
    outdate() {
      count.heard = ++count.asked
    },
  }
}
