import { FieldSpec } from '@parley/protocol';
import { isObject, listIn, textIn } from '../rules/json-values.ts';
import type { ToolAnswer, ToolOutcome } from './outcomes.ts';

/** Maximum fields that one call may ask for, and bytes of what goes back to the server with them. */
const MAX_FIELDS = 20;
/** Maximum questions of one call, and UTF-16 units of their texts together. */
const MAX_QUESTIONS = 20;
const MAX_TEXT_UNITS = 4_096;
const MAX_STATE_BYTES = 64 * 1024;
const MAX_FORM_BYTES = 32 * 1024;

/** What has to go back to the server: its own state, and where each field's value belongs. */
interface State {
  state: string | undefined;
  /** The questions by the server's ids; in each, the property that a field of the form is. */
  questions: Record<string, Record<string, string>>;
}

/** Parameters of a call that is sent again with its answers. */
export interface AnswerParams {
  inputResponses?: Record<string, object>;
  requestState?: string;
}

/** The form of what a tool asks before it runs. `failed` if people cannot answer it here (TOOL-19). */
export function questionsOf(result: Readonly<Record<string, unknown>>): ToolOutcome {
  const requests = isObject(result['inputRequests']) ? result['inputRequests'] : {};
  if (Object.keys(requests).length > MAX_QUESTIONS) return unanswerable();
  const questions: State['questions'] = {};
  const form: FieldSpec[] = [];
  const texts: string[] = [];
  for (const [id, request] of Object.entries(requests)) {
    const params = isObject(request) && request['method'] === 'elicitation/create' ? request['params'] : undefined;
    if (!isObject(params) || !isObject(params['requestedSchema'])) return unanswerable();
    texts.push(textIn(params['message']).slice(0, MAX_TEXT_UNITS));
    const { properties, required } = params['requestedSchema'];
    const places: Record<string, string> = {};
    for (const [property, schema] of Object.entries(isObject(properties) ? properties : {})) {
      const key = keyOf(property, form);
      const field = fieldOf(key, property, schema, listIn(required).includes(property));
      if (!field || form.length >= MAX_FIELDS) return unanswerable();
      form.push(field);
      places[key] = property;
    }
    questions[id] = places;
  }
  const state: State = {
    state: typeof result['requestState'] === 'string' ? result['requestState'] : undefined,
    questions,
  };
  const requestState = JSON.stringify(state);
  if (texts.length === 0 || Buffer.byteLength(requestState) > MAX_STATE_BYTES) return unanswerable();
  if (Buffer.byteLength(JSON.stringify(form)) > MAX_FORM_BYTES) return unanswerable();
  return { status: 'input', form, text: texts.join('\n\n').slice(0, MAX_TEXT_UNITS), requestState };
}

const unanswerable = (): ToolOutcome => ({
  status: 'failed',
  text: 'The tool asks for something that people cannot give it here. It has not run.',
});

/** What goes with the call again. Throws if the state is not one that `questionsOf` made. */
export function answersOf({ requestState, action, fields = {} }: ToolAnswer): AnswerParams {
  const { state, questions } = JSON.parse(requestState) as State; // made by `questionsOf`, stored by the service
  const responses = Object.entries(questions).map(([id, places]): [string, object] => {
    const given = Object.entries(places).filter(([key]) => fields[key] !== undefined);
    const content = Object.fromEntries(given.map(([key, property]) => [property, fields[key]]));
    return [id, { action, ...(action === 'accept' && { content }) }];
  });
  return {
    ...(responses.length > 0 && { inputResponses: Object.fromEntries(responses) }),
    ...(state !== undefined && { requestState: state }),
  };
}

/** A key of a form for a property, whose own name may have other letters; different from those of `form`. */
function keyOf(property: string, form: readonly FieldSpec[]): string {
  const plain = property
    .replaceAll(/(?<=[a-z0-9])([A-Z])/g, '_$1')
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]/g, '_');
  const base = (/^[a-z]/.test(plain) ? plain : `f_${plain}`).slice(0, 60);
  let key = base;
  for (let again = 2; form.some((field) => field.key === key); again += 1) key = `${base}_${again}`;
  return key;
}

/** Undefined for a schema that no field of a form can show. */
function fieldOf(key: string, property: string, schema: unknown, required: boolean): FieldSpec | undefined {
  if (!isObject(schema)) return undefined;
  const options = optionsOf(schema);
  const type = options ? 'select' : typeOf(schema);
  if (type === undefined) return undefined;
  const description = textIn(schema['description']).slice(0, 250);
  const read = FieldSpec.safeParse({
    key,
    label: (textIn(schema['title']).trim() || property).replaceAll(/\p{Cc}+/gu, ' ').slice(0, 60),
    type,
    required,
    ...(description !== '' && { description }),
    ...(options && { options }),
    ...(isPlainValue(schema['default']) && { default: String(schema['default']).slice(0, 1_000) }),
  });
  return read.success ? read.data : undefined;
}

const isPlainValue = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);

function typeOf({ type }: Readonly<Record<string, unknown>>): FieldSpec['type'] | undefined {
  if (type === 'number' || type === 'integer') return 'number';
  return type === 'string' || type === 'boolean' ? type : undefined;
}

function optionsOf({ enum: values, oneOf }: Readonly<Record<string, unknown>>): string[] | undefined {
  const options = Array.isArray(values)
    ? values
    : listIn(oneOf).map((one) => (isObject(one) ? one['const'] : undefined));
  return options.length > 0 && options.every((option) => typeof option === 'string') ? options : undefined;
}
