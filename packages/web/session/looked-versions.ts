import { rowOf, shownIn, type StoredMessage } from '@parley/client/store';

interface Look {
  readonly id: string;
  /** The version that is current meanwhile: the look ends when another one is. Null until the choice of `id` is stored. */
  readonly current: string | null;
}

/** The versions of replies that this page shows although they are not current, by the ids of their rows. */
export class LookedVersions {
  readonly #looks = new Map<string, Look>();
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** The id of the message that a row shows. */
  shownIn(row: StoredMessage): string {
    const look = this.#looks.get(rowOf(row));
    const { ids = [], current = null } = row.versions ?? {};
    const isValid = look && ids.includes(look.id) && (look.current === null || look.current === current);
    return isValid ? look.id : shownIn(row);
  }

  /** Shows a version until another one is current, or, if it is being chosen, until `end`. */
  look(version: StoredMessage, isChoice = false): void {
    const { id, versions } = version;
    if (!versions) return;
    // One look per reply: an earlier one may be under the version that was the newest then.
    for (const former of versions.ids) this.#looks.delete(former);
    this.#looks.set(rowOf(version), { id, current: isChoice ? null : versions.current });
    this.#notify();
  }

  /** Whether a version is shown because it is being chosen. */
  isChoosing(version: StoredMessage): boolean {
    const look = this.#looks.get(rowOf(version));
    return look?.id === version.id && look.current === null;
  }

  /** Ends the look at a version, unless another one is looked at by now. */
  end(version: StoredMessage): void {
    const row = rowOf(version);
    if (this.#looks.get(row)?.id === version.id) this.#looks.delete(row);
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}
