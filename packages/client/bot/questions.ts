import type { Decision, FormValues, Message, Params } from '@parley/protocol';

type Asked = Params<'askDecision'>;

/** What can be chosen. `decline` takes no values of a form. */
export interface QuestionOption<Id extends string = string> {
  /** 1 to 64 of letters, digits, `_`, `.`, `:` and `-`. */
  id: Id;
  /** The option's name for people. */
  label: string;
  style?: 'primary' | 'danger';
}

/** A field of a form, as in the settings of a bot. */
export type QuestionField = NonNullable<Asked['form']>[number];

/** What a bot asks people: options, a form, or both. */
export interface Question<
  Option extends string = string,
  Form extends readonly QuestionField[] = readonly QuestionField[],
> {
  /** The question, as Markdown. */
  text: string;
  /** 1 to 8 options; a form without options has `submit` and `decline`. */
  options?: readonly QuestionOption<Option>[];
  /** Up to 20 fields, whose values come with every option but `decline`. */
  form?: Form;
  /**
   * `anyone` (default): every person of the conversation; `admins`: owner and admins of the group; otherwise usernames of
   * people who take part.
   */
  deciders?: 'anyone' | 'admins' | string[];
  /** Whether only the deciders see the question; needs a list of usernames. */
  private?: boolean;
  /** Seconds until the question expires, 10 to 2,592,000; without it, it does not. */
  expires_in?: number;
  /**
   * A name of the question among those of this handler: a letter, and up to 63 of letters, digits, `_`, `.` and `-`. By
   * default questions are numbered in the order in which the handler asks them.
   */
  key?: string;
}

/** The values of a form, of the types of its fields. */
export type FieldValues<Form extends readonly QuestionField[]> = {
  readonly [Field in Form[number] as Field['key']]?: Field['type'] extends 'number'
    ? number
    : Field['type'] extends 'boolean'
      ? boolean
      : string;
};

/**
 * What became of a question. `option` is null unless somebody has decided, so that comparing it with an option's id is
 * enough to be safe.
 */
export type Outcome<Option extends string = string, Fields = Readonly<FormValues>> =
  | {
      readonly state: 'decided';
      /** The id of the option that was chosen. */
      readonly option: Option;
      /** The values of the form; none with `decline`. */
      readonly fields: Fields;
      /** The username of who decided. */
      readonly by: string;
      /** The decision with its outcome; its id is that of its message. */
      readonly decision: Decision;
    }
  | {
      readonly state: 'expired' | 'withdrawn';
      readonly option: null;
      readonly fields: Partial<Fields>;
      readonly by: null;
      readonly decision: Decision;
    };

/** The decision of a question; one that was deleted has none any more, and counts as withdrawn. */
export const decisionOf = ({ id, decision }: Message): Decision =>
  decision ?? { id, kind: 'question', state: 'withdrawn', options: [], deciders: 'anyone' };

export function outcomeOf(decision: Decision): Outcome {
  const { state, option, fields = {}, decided_by } = decision;
  if (state === 'decided' && option !== undefined && decided_by !== undefined)
    return { state, option, fields, by: decided_by, decision };
  return { state: state === 'expired' ? state : 'withdrawn', option: null, fields: {}, by: null, decision };
}

/** Where a question came from: the id of the message, or `press:` and that of the press, whose handler asked it. */
export interface AskedBy {
  origin: string;
  isPress: boolean;
}

const NAME = /^ask:((press:)?[0-9a-f-]{36}):/;

/** The client_msg_id of a question: derived from what fired the handler, so that no daemon asks the same one twice. */
export const questionName = (origin: string, key: string | number): string => `ask:${origin}:${key}`;

/** Which handler asked a question of this bot; null for other messages. */
export function askedBy({ client_msg_id = '' }: Pick<Message, 'client_msg_id'>): AskedBy | null {
  const [, origin, press] = NAME.exec(client_msg_id) ?? [];
  return origin === undefined ? null : { origin, isPress: press !== undefined };
}

/** The names of the questions that one run of a handler asks. */
export class QuestionNames {
  readonly #origin: string;
  readonly #keys = new Set<string>();
  #count = 0;

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** Throws for a key that is not one, or was used before: its answer would be taken for that to another question. */
  next(key: string | undefined): string {
    if (key === undefined) {
      this.#count += 1;
      return questionName(this.#origin, this.#count);
    }
    if (!/^[A-Za-z][\w.-]{0,63}$/.test(key))
      throw new TypeError(
        `the key of a question is a letter and up to 63 of letters, digits, _, . and -, not "${key}"`,
      );
    if (this.#keys.has(key)) throw new Error(`this handler has already asked a question with the key "${key}"`);
    this.#keys.add(key);
    return questionName(this.#origin, key);
  }
}
