/**
 * The `wsFocus` calls of one socket: they end in any order, but the focus of a later call is not undone by an earlier
 * one.
 */
export class FocusOrder {
  #asked = 0;
  #applied = 0;

  /** Begins a call; returns its number in the order of the calls. */
  begin(): number {
    return (this.#asked += 1);
  }

  /** Returns true if the call may set the focus, which it then does; false if a later call already has. */
  apply(place: number): boolean {
    if (place <= this.#applied) return false;
    this.#applied = place;
    return true;
  }
}
