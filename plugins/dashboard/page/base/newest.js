/** Repeated requests: a late response does not replace a newer one. */
import { useRef } from './html.js'

/**
 * `hear` calls one of the two functions, unless a newer response has arrived. After `outdate`, pending responses are
 * ignored.
 */
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
