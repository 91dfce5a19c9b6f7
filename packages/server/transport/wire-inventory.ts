import {
  caps,
  errorStatus,
  type EventClass,
  eventClasses,
  type EventDeclaration,
  eventDeclarations,
  type EventKind,
  type EventName,
  eventNames,
  featureLevel,
  type Operation,
  type OperationName,
  operationNames,
  operations,
  receiversOf,
  socketMethods,
} from '@parley/protocol';
import { type JsonSchema, wireSchemas } from './wire-schemas.ts';

const schemas = wireSchemas('draft-2020-12');

/** The whole wire as text, one line for each field: what a review reads when the wire changes (VERSION-1). */
export function wireInventory(): string {
  const classNames = Object.keys(eventClasses) as EventClass[]; // keys of a constant
  const blocks = [
    block('errors', ...Object.entries(errorStatus).map(([code, status]) => `${code}: ${status}`)),
    block('caps', ...Object.keys(caps)),
    block('event classes', ...classNames.map((name) => `${name}: ${receivers(name)}`)),
    ...eventNames.map((name) => block(`events.${name}`, ...waysOf(name), ...lines('', schemas.event(name)))),
    ...operationNames.map(operationBlock),
    ...Object.entries(schemas.resources)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, schema]) => block(name, ...lines('', schema))),
  ];
  return `feature level ${featureLevel}\n\n${blocks.join('\n')}`;
}

const block = (title: string, ...inside: readonly string[]): string =>
  [title, ...inside.map((line) => `  ${line}`), ''].join('\n');

function receivers(name: EventClass): string {
  const { cap, without } = receiversOf(name);
  const whose = [...(cap === undefined ? [] : [`with ${cap}`]), ...without.map((other) => `without ${other}`)];
  return whose.length === 0 ? 'every socket' : `sockets ${whose.join(', ')}`;
}

/** How an event is sent and replayed. */
function waysOf(name: EventName): string[] {
  const declaration: EventDeclaration = eventDeclarations[name];
  const ways =
    'kinds' in declaration
      ? Object.entries(declaration.kinds).map(([kind, way]) => `kind ${kind}: ${wayOf(way)}`)
      : [`outside the log: class ${declaration.outside}, never replayed`];
  return [...ways, ...(declaration.webhook ? ['webhooks'] : [])];
}

function wayOf({ class: named, code, replay, skipsCaller, of }: EventKind): string {
  const stored = code === undefined ? 'not stored' : `stored as ${code}`;
  const replayed = typeof replay === 'object' ? `replayed for ${replay.withinMs} ms` : `replay ${replay}`;
  const more = [...(skipsCaller ? ['not to the caller'] : []), ...(of === undefined ? [] : [of])];
  return [`class ${named}`, stored, replayed, ...more].join(', ');
}

function operationBlock(name: OperationName): string {
  const { errors, policy, upload }: Operation = operations[name];
  const methods = [...socketMethods].flatMap(([method, { operation, rename, fixed }]) =>
    operation === name && method !== name ? [`method ${method}: ${JSON.stringify({ rename, fixed })}`] : [],
  );
  const result = schemas.result(name);
  return block(
    name,
    ...methods,
    ...(policy.open ? ['without a token'] : []),
    ...(upload ? ['takes a file, over HTTP only'] : []),
    ...lines('takes', schemas.input(name)),
    ...(result ? lines('answers', result) : []),
    ...errors.toSorted().map((code) => `error ${code}`),
  );
}

/** Keywords that are written in another form, or say nothing about what fits. */
const written = ['$ref', 'type', 'format', 'enum', 'const', 'anyOf', 'oneOf', 'items', 'properties', 'required', 'if'];
const silent = ['else', 'description', 'additionalProperties', 'discriminator', 'propertyNames', 'x-null-is-absent'];
const passedOver = new Set([...written, ...silent]);

/** A line for what the schema is, unless it is just an object, for each combination that it refuses, and each field. */
function lines(path: 'takes' | 'answers' | '', schema: JsonSchema): string[] {
  const type = typeOf(schema);
  const own = type === 'object' ? [] : [`${path || 'is'}: ${type}`];
  const refused = refusedBy(schema).map((combination) => `${path} no ${combination}`.trimStart());
  return [...own, ...refused, ...inside(path, path === '' ? '' : `${path} `, schema)];
}

/** The fields of an object, of the items of a list, and of the members of a union. */
function inside(path: string, before: string, { properties, required, items, anyOf, oneOf }: JsonSchema): string[] {
  const names: readonly unknown[] = Array.isArray(required) ? required : [];
  const fields = Object.entries(isSchema(properties) ? properties : {}).flatMap(([name, field]) => {
    if (!isSchema(field)) return [];
    const at = `${before}${name}`;
    return [`${at}${names.includes(name) ? '' : '?'}: ${typeOf(field)}`, ...inside(at, `${at}.`, field)];
  });
  const members = [anyOf, oneOf].flatMap((union: unknown) => (Array.isArray(union) ? union.filter(isSchema) : []));
  return [
    ...fields,
    ...(isSchema(items) ? inside(`${path}[]`, `${path}[].`, items) : []),
    ...new Set(members.flatMap((member) => inside(path, before, member))),
  ];
}

/** The type as TypeScript would write it, with the bounds behind it. */
function typeOf(schema: JsonSchema): string {
  const more = Object.entries(schema).filter(
    ([keyword]) => !passedOver.has(keyword) && !(keyword === 'maxLength' && 'x-max-bytes' in schema),
  );
  const bounds = more.map(
    ([keyword, value]) => `${keyword} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return bounds.length === 0 ? plainType(schema) : `${plainType(schema)} (${bounds.join(', ')})`;
}

function plainType({ $ref, type, format, enum: values, const: only, anyOf, oneOf, items }: JsonSchema): string {
  if (typeof $ref === 'string') return $ref.slice($ref.lastIndexOf('/') + 1);
  if (only !== undefined) return JSON.stringify(only);
  if (Array.isArray(values)) return values.map((value: unknown) => JSON.stringify(value)).join(' | ');
  const union: unknown = anyOf ?? oneOf;
  if (Array.isArray(union)) return union.map((member: unknown) => (isSchema(member) ? typeOf(member) : '')).join(' | ');
  if (isSchema(items)) return typeOf(items).includes(' ') ? `(${typeOf(items)})[]` : `${typeOf(items)}[]`;
  const types: readonly unknown[] = Array.isArray(type) ? type : [type ?? 'anything'];
  return types.map((one) => (one === 'string' && format !== undefined ? format : one)).join(' | ');
}

/** The combinations of fields that are refused (`withoutCombinations`). */
function refusedBy({ if: condition }: JsonSchema): string[] {
  if (!isSchema(condition) || !isSchema(condition['not'])) return [];
  const { anyOf = [condition['not']] } = condition['not'];
  const combinations: readonly unknown[] = Array.isArray(anyOf) ? anyOf : [];
  return combinations.filter(isSchema).map(({ properties }) =>
    Object.entries(isSchema(properties) ? properties : {})
      .map(([field, state]) => `${field} ${stateOf(JSON.stringify(state))}`)
      .join(' with '),
  );
}

const states: Readonly<Record<string, string>> = {
  '{"not":{"type":"null"}}': 'given',
  '{"type":"null"}': 'absent',
  '{"not":{}}': 'missing',
  '{"enum":[null,"",[]]}': 'empty',
  '{"not":{"enum":[null,"",[]]}}': 'filled',
};
const stateOf = (schema: string): string => states[schema] ?? schema;

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
