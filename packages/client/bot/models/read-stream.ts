import { AgentsEvents } from './agents-events.ts';
import { type KnownTools, readAiEvent } from './ai-events.ts';
import { LangChainEvents } from './langchain-events.ts';
import { fieldsOf, type ModelEvent } from './model-event.ts';

/** Reads the pieces of one stream, which may be texts and events of the models' packages that the SDK knows. */
export class StreamReader {
  readonly #tools: KnownTools = new Map();
  readonly #langChain = new LangChainEvents();
  readonly #agents = new AgentsEvents();
  #hasEvents = false;
  #hasContent = false;

  /** Whether there were events, but nothing that a person could read. */
  get isSilent(): boolean {
    return this.#hasEvents && !this.#hasContent;
  }

  /** Throws a TypeError that names the type of a piece that it does not know. */
  read(piece: unknown): readonly ModelEvent[] {
    if (typeof piece === 'string') {
      this.#hasContent ||= piece !== '';
      return [{ text: piece }];
    }
    this.#hasEvents = true;
    const events = this.#readEvent(piece);
    this.#hasContent ||= events.some(
      (event) => ('part' in event && event.part.type !== 'notice') || ('text' in event && event.text !== ''),
    );
    return events;
  }

  #readEvent(piece: unknown): readonly ModelEvent[] {
    if (typeof piece === 'object' && piece !== null) {
      const fields = fieldsOf(piece);
      const read = readAiEvent(fields, this.#tools) ?? this.#agents.read(fields) ?? this.#langChain.read(fields);
      if (read) return read;
    }
    throw new TypeError(`an answer must be made of strings, not ${typeName(piece)}`);
  }
}

/** As in "not undefined", "not number", "not Promise", "not Object of type "ping"". */
export function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value !== 'object') return typeof value;
  const name = value.constructor?.name ?? 'object';
  const { type } = fieldsOf(value);
  return typeof type === 'string' ? `${name} of type ${JSON.stringify(type.slice(0, 100))}` : name;
}
