/** Background work that keeps the update log fast and small. */
export interface LogUpkeep {
  /** Called about once a second; never runs the same work twice at once. */
  tend(): Promise<void>;
  /** Indexes the newest events by scope. */
  index(): Promise<void>;
  /** Deletes events up to and including this number. */
  trim(through: number): Promise<void>;
}
