/** One event of a response in `text/event-stream`. */
export interface ServerEvent {
  /** Its `event` field; '' without one. */
  name: string;
  /** Its `data` lines, joined by line feeds. */
  data: string;
  /** The response ended before the blank line that ends an event: its data may be cut off. */
  isLast: boolean;
  /** Pictures that stood in its data, see `withoutPictures`. */
  pictures?: readonly Uint8Array[];
}

/**
 * Parses server-sent events as the HTML standard describes them: lines end with LF, CR or CRLF, and comments and unknown
 * fields are ignored. In three points it is more lenient (PROVIDER-21): the last event needs no blank line, an event
 * without data counts if it has a name, and a field `error` is an event of its own, since llama.cpp reports errors so.
 */
export class ServerEvents {
  readonly #limitChars: number;
  /** The beginning of a line whose end has not arrived. Pieces, because joining them each time would be quadratic. */
  #line: string[] = [];
  #lineChars = 0;
  /** The last line ended with CR: an LF that follows belongs to it. */
  #endedWithCr = false;
  #name = '';
  #data: string[] = [];
  #dataChars = 0;
  #found: ServerEvent[] = [];

  /** `limitChars`: maximum length of an event, and of a line. */
  constructor(limitChars: number) {
    this.#limitChars = limitChars;
  }

  /** Length of what has arrived of an event and a line. */
  get heldChars(): number {
    return this.#lineChars + this.#dataChars;
  }

  /** True once an event is longer than the limit: what follows is not parsed. */
  get isTooLong(): boolean {
    return this.heldChars > this.#limitChars;
  }

  /** The events that the next characters of the response complete. */
  feed(text: string): ServerEvent[] {
    let from = this.#endedWithCr && text.startsWith('\n') ? 1 : 0;
    if (text !== '') this.#endedWithCr = false;
    for (const end of text.matchAll(/\r\n|\n|\r/g)) {
      if (this.isTooLong) break;
      if (end.index < from) continue;
      this.#keep(text.slice(from, end.index));
      this.#endLine();
      from = end.index + end[0].length;
      this.#endedWithCr = end[0] === '\r' && from === text.length;
    }
    this.#keep(text.slice(from));
    return this.#found.splice(0);
  }

  /** The event that the end of the response completes, if any. */
  end(): ServerEvent[] {
    if (this.isTooLong) return [];
    this.#endLine();
    this.#dispatch(true);
    return this.#found.splice(0);
  }

  #keep(piece: string): void {
    if (piece === '') return;
    this.#line.push(piece);
    this.#lineChars += piece.length;
  }

  #endLine(): void {
    const line = this.#line.join('');
    this.#line = [];
    this.#lineChars = 0;
    if (line === '') this.#dispatch(false);
    else if (line.startsWith('data:')) this.#addData(valueOf(line, 5));
    else if (line.startsWith('event:')) this.#name = valueOf(line, 6);
    else if (line.startsWith('error:')) this.#found.push({ name: 'error', data: valueOf(line, 6), isLast: false });
  }

  #addData(data: string): void {
    this.#data.push(data);
    // The line feed that joins it counts too: lines without data take memory.
    this.#dataChars += data.length + 1;
  }

  #dispatch(isLast: boolean): void {
    const event = { name: this.#name, data: this.#data.join('\n'), isLast };
    this.#name = '';
    this.#data = [];
    this.#dataChars = 0;
    if (event.data !== '' || event.name !== '') this.#found.push(event);
  }
}

const valueOf = (line: string, at: number): string => line.slice(line[at] === ' ' ? at + 1 : at);
