'use strict'

// The requests in flight, the oldest first. A Set would do, but for its cost: the tables that V8
// leaves behind when entries come and go keep what was in them until the next full collection.

/** One request, from when it is due to its end. */
class Flight {
  /**
   * @param {object} test that is told of its end
   * @param {number} ticket the recorder's
   */
  constructor(test, ticket) {
    this.test = test
    this.ticket = ticket
    this.startMs = performance.now()
    this.request = null
    this.response = null
    this.socket = null
    this.bytes = 0
    this.chunks = null
    this.over = false
    this.older = null
    this.newer = null
  }
}

class FlightList {
  constructor() {
    this.size = 0
    /** @type {Flight | null} the others are `newer` */
    this.oldest = null
    this._newest = null
  }

  /** @param {Flight} flight */
  add(flight) {
    flight.older = this._newest
    if (this._newest) this._newest.newer = flight
    else this.oldest = flight
    this._newest = flight
    this.size += 1
  }

  /** @param {Flight} flight that is in it */
  remove(flight) {
    const { newer, older } = flight
    if (older) older.newer = newer
    else this.oldest = newer
    if (newer) newer.older = older
    else this._newest = older
    flight.older = flight.newer = null
    this.size -= 1
  }
}

module.exports = { Flight, FlightList }
