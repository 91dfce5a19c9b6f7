// What a refusal says in fields of its own, which are more certain than its words: the part of the request that is refused
// (`param` of OpenAI, `loc` of FastAPI), and why, by its code or type. Servers without them have only words.

/** A part of a request that servers refuse. */
export type RequestPart =
  | 'temperature'
  | 'thinking'
  | 'stream_options'
  | 'token limit'
  | 'name'
  | 'role'
  | 'content'
  | 'thoughts'
  | 'tools'
  | 'description';

export interface Refusal {
  /** Undefined if the refusal names none that is known. */
  readonly part?: RequestPart | undefined;
  /**
   * 'unsupported': the server takes no such part; 'value': not this value of it; 'file': it cannot use one of the files.
   * Undefined if no code or type says so.
   */
  readonly reason?: 'unsupported' | 'value' | 'file' | undefined;
}

const partOfField: Readonly<Record<string, RequestPart>> = {
  temperature: 'temperature',
  thinking: 'thinking',
  reasoning: 'thinking',
  reasoning_effort: 'thinking',
  output_config: 'thinking',
  stream_options: 'stream_options',
  max_tokens: 'token limit',
  max_completion_tokens: 'token limit',
  tool_choice: 'tools',
};
const partOfMessage: Readonly<Record<string, RequestPart>> = {
  name: 'name',
  role: 'role',
  content: 'content',
  reasoning_content: 'thoughts',
  reasoning: 'thoughts',
  reasoning_details: 'thoughts',
};

/** Codes of OpenAI and types of Pydantic. */
const reasonOfName: Readonly<Record<string, Refusal['reason']>> = {
  unsupported_parameter: 'unsupported',
  unknown_parameter: 'unsupported',
  unsupported_value: 'unsupported',
  extra_forbidden: 'unsupported',
  invalid_value: 'value',
  integer_above_max_value: 'value',
  integer_below_min_value: 'value',
  decimal_above_max_value: 'value',
  decimal_below_min_value: 'value',
  less_than: 'value',
  less_than_equal: 'value',
  greater_than: 'value',
  greater_than_equal: 'value',
  invalid_image: 'file',
  invalid_image_format: 'file',
  invalid_image_url: 'file',
  invalid_base64_image: 'file',
  image_parse_error: 'file',
  image_too_large: 'file',
  image_too_small: 'file',
  image_file_too_large: 'file',
  image_content_policy_violation: 'file',
  unsupported_image_media_type: 'file',
  empty_image_file: 'file',
};

/** `field`: the path of the refused field, such as `messages[0].role` or `body.temperature`. */
export function refusalOf(field: string, names: readonly string[]): Refusal {
  const reason = names.map((name) => own(reasonOfName, name)).find((one) => one !== undefined);
  return { part: partOf(field), reason };
}

function partOf(field: string): RequestPart | undefined {
  const [first = '', ...rest] = field.split(/[.[\]]+/).filter((step) => step !== '' && step !== 'body');
  if (first === 'tools') return rest.includes('description') ? 'description' : 'tools';
  if (first !== 'messages') return own(partOfField, first);
  return rest.map((step) => own(partOfMessage, step)).find((part) => part !== undefined);
}

const own = <Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;
