// What OpenAI's Chat Completions API refuses about tools, calls and their results.
import { type Body, isRecord } from './fake-vendor.ts';

type Fields = Readonly<Record<string, unknown>>;

const isName = (name: unknown): boolean => typeof name === 'string' && /^[a-zA-Z0-9_-]{1,64}$/.test(name);

/** Why the tools of a request are refused. */
export function refusedTools({ tools, tool_choice: choice }: Body): string | undefined {
  if (tools === undefined)
    return choice === undefined
      ? undefined
      : "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.";
  if (!Array.isArray(tools) || tools.length === 0)
    return "Invalid 'tools': empty array. Expected an array with minimum length 1.";
  if (tools.length > 128) return "Invalid 'tools': array too long. Expected an array with maximum length 128.";
  for (const [index, tool] of tools.entries()) {
    const given: unknown = isRecord(tool) && tool['type'] === 'function' ? tool['function'] : undefined;
    if (!isRecord(given)) return `Missing required parameter: 'tools[${index}].function'.`;
    const { name, description, parameters, ...others } = given;
    if (Object.keys(others).length > 0)
      return `Unknown parameter: 'tools[${index}].function.${Object.keys(others)[0]}'.`;
    if (!isName(name)) return `Invalid 'tools[${index}].function.name': string does not match pattern.`;
    if (description !== undefined && !(typeof description === 'string' && description.length <= 1_024))
      return `Invalid 'tools[${index}].function.description': string too long. Expected a string with maximum length 1024.`;
    const wrong = refusedSchema(parameters);
    if (wrong !== undefined) return `Invalid schema for function '${String(name)}': ${wrong}`;
  }
  return undefined;
}

function refusedSchema(schema: unknown): string | undefined {
  if (!isRecord(schema) || schema['type'] !== 'object') return 'schema must be a JSON Schema of \'type: "object"\'.';
  if (!isRecord(schema['properties'])) return 'In context=(), object schema missing properties.';
  return ['oneOf', 'anyOf', 'allOf', 'enum', 'not'].some((keyword) => keyword in schema)
    ? "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level."
    : undefined;
}

const callsIn = (message: Fields | undefined): readonly Fields[] =>
  Array.isArray(message?.['tool_calls']) ? message['tool_calls'].filter(isRecord) : [];

/** Why the message of an assistant that calls tools is refused. */
export function refusedAnswer(message: Fields, index: number): string | undefined {
  const { content, tool_calls: calls } = message;
  if (!Array.isArray(calls) || calls.length === 0) return `Invalid 'messages[${index}].tool_calls': empty array.`;
  if (content !== null && content !== undefined && typeof content !== 'string')
    return `Invalid type for 'messages[${index}].content'.`;
  for (const [at, call] of calls.entries()) {
    const path = `messages[${index}].tool_calls[${at}]`;
    if (!isRecord(call) || call['type'] !== 'function' || typeof call['id'] !== 'string' || call['id'] === '')
      return `Missing required parameter: '${path}.id'.`;
    const given = call['function'];
    if (!isRecord(given) || !isName(given['name']))
      return `Invalid '${path}.function.name': string does not match pattern.`;
    // OpenAI takes any text; the chat templates of other servers only an object.
    if (typeof given['arguments'] !== 'string' || !isObjectText(given['arguments']))
      return `Invalid '${path}.function.arguments': expected the JSON of an object.`;
  }
  return undefined;
}

function isObjectText(text: string): boolean {
  try {
    return isRecord(JSON.parse(text));
  } catch {
    return false;
  }
}

/** Why the order of calls and results is refused. */
export function refusedOrder(messages: readonly Fields[], { tools }: Body): string | undefined {
  const waiting: string[] = [];
  const seen = new Set<string>();
  for (const message of [...messages, {} as Fields]) {
    const { role, tool_call_id: id } = message;
    if (role === 'tool') {
      if (waiting[0] !== id)
        return waiting.includes(String(id))
          ? "Tool messages must be in the order of 'tool_calls'."
          : "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.";
      waiting.shift();
    } else if (waiting.length > 0)
      return `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${waiting.join(', ')}`;
    for (const call of callsIn(message)) {
      if (tools === undefined) return "'tool_calls' without 'tools'.";
      if (seen.has(String(call['id']))) return "Duplicate 'tool_call_id'.";
      seen.add(String(call['id']));
      waiting.push(String(call['id']));
    }
  }
  return undefined;
}
