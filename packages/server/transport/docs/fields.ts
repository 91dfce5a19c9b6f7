import { type JsonSchema, withoutNull } from '../wire-schemas.ts';
import { Html, html, prose } from './html.ts';

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const schemasIn = (value: unknown): JsonSchema[] => (Array.isArray(value) ? value.filter(isSchema) : []);
const isNull = ({ type }: JsonSchema): boolean => type === 'null';
const joined = (parts: readonly Html[]): Html => new Html(parts.map(({ text }) => text).join(' | '));

/** A type in the words of the API documents; resources are links. */
export function typeOf(schema: JsonSchema): Html {
  const { $ref: ref, enum: values, type, items, format, additionalProperties } = schema;
  if (typeof ref === 'string') {
    const name = ref.slice(ref.lastIndexOf('/') + 1);
    return html`<a href="#${name}">${name}</a>`;
  }
  if (Array.isArray(values)) return joined(values.map((value) => html`<code>${JSON.stringify(value)}</code>`));
  if ('const' in schema) return html`<code>${JSON.stringify(schema['const'])}</code>`;
  if (Array.isArray(type) && type.length > 1)
    return joined(type.map((one: unknown) => typeOf({ ...schema, type: one })));
  const either = schemasIn(schema['anyOf'] ?? schema['oneOf']);
  if (either.length > 0) return joined(either.map(typeOf));
  if (type === 'array') return html`${isSchema(items) ? typeOf(items) : 'any'}[]`;
  if (type === 'null') return html`null`;
  if (format === 'uuid') return html`UUID`;
  if (format === 'date-time') return html`time`;
  if (isSchema(additionalProperties) && !('properties' in schema)) return html`map of ${typeOf(additionalProperties)}`;
  return html`${typeof type === 'string' ? type : 'any JSON'}`;
}

const size = (bytes: number): string =>
  bytes >= 1024 && bytes % 1024 === 0 ? `${bytes / 1024} KiB` : `${bytes} bytes`;

/** The description, bounds and default of a field. */
function notesOf(schema: JsonSchema): Html {
  const {
    minLength,
    'x-max-bytes': maxBytes,
    minimum,
    maximum,
    minItems,
    maxItems,
    pattern,
    default: fallback,
  } = schema;
  const notes: string[] = [];
  if (typeof schema['description'] === 'string') notes.push(schema['description']);
  if (minLength === 1) notes.push('not empty');
  else if (typeof minLength === 'number') notes.push(`at least ${minLength} characters`);
  if (typeof maxBytes === 'number') notes.push(`at most ${size(maxBytes)}`);
  if (typeof minimum === 'number') notes.push(`at least ${minimum}`);
  if (typeof maximum === 'number' && maximum !== Number.MAX_SAFE_INTEGER) notes.push(`at most ${maximum}`);
  if (typeof minItems === 'number') notes.push(`at least ${minItems}`);
  if (typeof maxItems === 'number') notes.push(`at most ${maxItems} items`);
  if (typeof pattern === 'string') notes.push(`\`${pattern}\``);
  if (fallback !== undefined) notes.push(`\`${JSON.stringify(fallback)}\` when absent`);
  return prose(notes.join('; '));
}

/** Whether clients send the field or receive it, which decides how its presence is described. */
export type Side = 'sent' | 'received';

const presence = {
  sent: (isRequired: boolean) => (isRequired ? 'required' : ''),
  received: (isRequired: boolean) => (isRequired ? '' : 'optional'),
} as const satisfies Record<Side, unknown>;

/** One row per field. The fields of a nested unnamed object follow it, with dotted names. */
function rowsOf(schema: JsonSchema, side: Side, prefix = ''): Html[] {
  const properties = isSchema(schema['properties']) ? Object.entries(schema['properties']) : [];
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : []);
  return properties.flatMap(([name, value]) => {
    if (!isSchema(value)) return [];
    // The introduction explains once that null means absence.
    const field = withoutNull(value);
    const inner = insideOf(field);
    const row = html`<tr>
      <td><code>${prefix}${name}</code></td>
      <td>${typeOf(field)}</td>
      <td>${presence[side](required.has(name))}</td>
      <td>${notesOf(field)}</td>
    </tr>`;
    return [row, ...(inner ? rowsOf(inner.schema, side, `${prefix}${name}${inner.suffix}`) : [])];
  });
}

function insideOf(field: JsonSchema): { schema: JsonSchema; suffix: string } | undefined {
  if ('properties' in field) return { schema: field, suffix: '.' };
  const { items } = field;
  if (isSchema(items) && 'properties' in items) return { schema: items, suffix: '[].' };
  const [only, ...others] = schemasIn(field['anyOf']).filter((one) => !isNull(one));
  return only && others.length === 0 && 'properties' in only ? { schema: only, suffix: '.' } : undefined;
}

/** An object's fields as a table; the type alone for any other schema. */
export function fieldsTable(schema: JsonSchema, side: Side): Html {
  const rows = rowsOf(schema, side);
  if (rows.length === 0) return html`<p>${'properties' in schema ? 'No fields.' : typeOf(schema)}</p>`;
  return html`<div class="table">
    <table>
      <thead>
        <tr>
          <th>Field</th>
          <th>Type</th>
          <th></th>
          <th>Notes</th>
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}
