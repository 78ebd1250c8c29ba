/**
 * The requests of a connection in the order of their answers. They are their own links, so that a call needs no other
 * object.
 */
export class RequestQueue<R extends { next: R | null }> {
  /** The oldest request; null: there is none. */
  first: R | null = null;
  #last: R | null = null;

  /** Adds a request that is in no queue. */
  add(request: R): void {
    if (this.#last === null) this.first = request;
    else this.#last.next = request;
    this.#last = request;
  }

  /** Takes out the oldest request; there has to be one. */
  remove(): R {
    const request = this.first!;
    this.first = request.next;
    if (request.next === null) this.#last = null;
    request.next = null;
    return request;
  }
}
