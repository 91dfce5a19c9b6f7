// Errors as servers send them, in answers and inside streams (PROVIDER-22). Nothing in them is certain: what is known here
// is where servers put the words, the name and the status.
import { isObject, listIn, textIn } from '../../rules/json-values.ts';

/** What an error says. */
interface SaidError {
  /** '' without words. */
  message: string;
  /** Names of the error, such as its type and code; the outermost last. */
  names: readonly string[];
  /** The HTTP status that it names. */
  status?: number | undefined;
  /** The field of the request that it is about; '' if it names none. */
  field: string;
}

/** Fields with the words of an error, the more telling ones first. */
const wordFields = [
  'message',
  'msg',
  'error_message',
  'errorMessage',
  'error_msg',
  'error_description',
  'status_msg',
  'detail',
  'description',
  'reason',
  'text',
  'title',
  'Message',
];
const nameFields = ['code', 'type', 'error_code', 'error_type', 'errorCode', 'status', 'name', '__type'];
const statusFields = ['status', 'status_code', 'statusCode', 'code', 'error_code', 'http_status'];
/** Fields that contain an error, or a list of them. */
const nestedFields = ['error', 'errors', 'detail', 'details', 'message', 'fault', 'exception', 'base_resp'];
/** Maximum depth of nested errors, and items of a list, that are read. */
const MAX_DEPTH = 4;
const MAX_ITEMS = 8;
/** Maximum characters of one error's words. */
const MAX_WORDS = 2_000;

const nothing: SaidError = { message: '', names: [], field: '' };

/** Reads an error of any known shape; of an unknown one nothing. */
export function readError(value: unknown, depth = 0): SaidError {
  if (typeof value === 'string') return { ...nothing, message: value.slice(0, MAX_WORDS) };
  if (depth > MAX_DEPTH) return nothing;
  if (Array.isArray(value)) return joined(value.slice(0, MAX_ITEMS).map((item) => readError(item, depth + 1)));
  if (!isObject(value)) return nothing;
  const own = wordFields.map((field) => textIn(value[field])).find((words) => words.trim() !== '');
  const inner = joined(nestedFields.flatMap((field) => innerOf(value[field], own, depth)));
  const { metadata } = value;
  // OpenRouter: the words of the server behind it.
  const raw = isObject(metadata) ? textIn(metadata['raw']) : '';
  const words = [own ?? inner.message, raw].filter((text) => text !== '').join(': ');
  const place = placeOf(value);
  const message = place !== '' && !words.includes(place) ? `${place}: ${words}` : words;
  const names = nameFields.map((field) => textIn(value[field])).filter((name) => name !== '');
  const status = statusFields.map((field) => statusIn(value[field])).find((one) => one !== undefined);
  return {
    message: message.slice(0, MAX_WORDS),
    names: [...inner.names, ...names],
    status: inner.status ?? status,
    field: inner.field || place,
  };
}

/** What stands in a nested field: words only if they are not the error's own. */
function innerOf(value: unknown, own: string | undefined, depth: number): SaidError[] {
  if (value === undefined || value === null || value === own) return [];
  return [readError(value, depth + 1)];
}

function joined(errors: readonly SaidError[]): SaidError {
  return {
    message: errors
      .map(({ message }) => message)
      .filter((message) => message !== '')
      .join('; '),
    names: errors.flatMap(({ names }) => names),
    status: errors.find(({ status }) => status !== undefined)?.status,
    field: errors.find(({ field }) => field !== '')?.field ?? '',
  };
}

/** The field of the request that an error is about, as OpenAI (`param`) and FastAPI (`loc`) say it. */
function placeOf({ param, loc }: Readonly<Record<string, unknown>>): string {
  const path = listIn(loc).filter((step) => typeof step === 'string' || typeof step === 'number');
  return path.length > 0 ? path.slice(-MAX_ITEMS).join('.').slice(0, 200) : textIn(param).slice(0, 200);
}

function statusIn(value: unknown): number | undefined {
  const status = typeof value === 'string' && /^\d{3}$/.test(value) ? Number(value) : value;
  return typeof status === 'number' && Number.isInteger(status) && status >= 400 && status <= 599 ? status : undefined;
}

/** Whether a value says that there is an error. */
const isSaid = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== false && value !== '' && value !== 0 && value !== '0';

const namesError = /error|exception|fail|invalid|denied|overload/i;

/**
 * The error in the data of an event, whatever its form; undefined if it is none. `name` is that of the event. A choice with
 * an error counts too. Events of other types are no errors because they have a `message` or a `detail`.
 */
export function errorIn(data: unknown, name: string): unknown {
  if (name === 'error') return data;
  if (!isObject(data)) return undefined;
  const { choices, type, object } = data;
  if (isSaid(data['error']) || type === 'error' || object === 'error') return data;
  const base = data['base_resp'];
  if (isObject(base) && isSaid(base['status_code'])) return base;
  const [choice] = listIn(choices);
  if (isObject(choice) && isSaid(choice['error'])) return choice['error'];
  if (isObject(choice) || isObject(data['usage'])) return undefined;
  const isOther = typeof type === 'string' && !namesError.test(type);
  if (data['success'] === false || listIn(data['errors']).length > 0) return data;
  const isCoded = ['error_code', 'errorCode', 'error_msg', 'error_message', 'errorMessage', 'fault', 'exception'].some(
    (field) => isSaid(data[field]),
  );
  if (isCoded) return data;
  const { message } = data;
  // The message of a reply is none of an error.
  const hasWords =
    (isSaid(message) && !(isObject(message) && 'content' in message)) ||
    ['msg', 'detail', 'Message'].some((field) => isSaid(data[field]));
  return hasWords && (!isOther || statusIn(data['code']) !== undefined) ? data : undefined;
}
