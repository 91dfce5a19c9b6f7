import { createHash } from 'node:crypto';
import { isObject, textIn } from '../rules/json-values.ts';
import { canonicalJson } from '../rules/canonical-json.ts';

/** Maximum tools of one server that are pinned and offered; those that the owner has listed come first (TOOL-8). */
export const MAX_TOOLS = 128;
/** Maximum bytes of a tool's name, and of the schema of its parameters: a tool with more is left out. */
const MAX_NAME_BYTES = 256;
const MAX_SCHEMA_BYTES = 32 * 1024;
/** Maximum bytes of all that a server says of a tool but its icons: a tool with more is left out. */
const MAX_TOOL_BYTES = 64 * 1024;
/** Maximum UTF-16 code units of what people and models read of a tool; the rest is cut. */
const MAX_TITLE = 200;
const MAX_DESCRIPTION = 4_096;

/** What is stored of a tool's description, as far as models and people are shown it. */
export interface PinnedTool {
  name: string;
  title?: string;
  description: string;
  inputSchema: object;
  /** False if the server says that the tool reaches nothing but its own data. */
  isOpenWorld: boolean;
}

export interface Listed {
  tool: PinnedTool;
  /** SHA-256 of everything that the server says of the tool. */
  hash: string;
}

/** The tools of a listing by name, bounded; of a name that comes twice the first. `first`: names that come first. */
export function readListing(listing: readonly unknown[], first: ReadonlySet<string>): Map<string, Listed> {
  const found = new Map<string, unknown>();
  for (const given of listing) {
    const name = isObject(given) ? textIn(given['name']) : '';
    if (isToolName(name) && !found.has(name)) found.set(name, given);
  }
  const names = [...found.keys()];
  const ordered = [...names.filter((name) => first.has(name)), ...names.filter((name) => !first.has(name))];
  const tools = new Map<string, Listed>();
  for (const name of ordered) {
    const listed = tools.size < MAX_TOOLS ? readTool(name, found.get(name)) : undefined;
    if (listed) tools.set(name, listed);
  }
  return tools;
}

const isToolName = (name: string): boolean =>
  name !== '' && Buffer.byteLength(name) <= MAX_NAME_BYTES && name.isWellFormed() && !/\p{Cc}/u.test(name);

/** Undefined if the schema is none of an object, or too long. */
function readTool(name: string, given: unknown): Listed | undefined {
  if (!isObject(given) || !isObject(given['inputSchema'])) return undefined;
  const { title, description, inputSchema, outputSchema, annotations, icons: _icons, _meta, ...others } = given;
  if (inputSchema['type'] !== 'object') return undefined;
  const hints = isObject(annotations) ? annotations : {};
  let hash: string;
  try {
    if (Buffer.byteLength(JSON.stringify(inputSchema)) > MAX_SCHEMA_BYTES) return undefined;
    const said = { ...others, title, description, inputSchema, outputSchema, annotations };
    if (Buffer.byteLength(JSON.stringify(said)) > MAX_TOOL_BYTES) return undefined;
    const text = canonicalJson(said);
    hash = createHash('sha256').update(text).digest('base64url');
  } catch {
    // Nested too deeply.
    return undefined;
  }
  const shown = cut(textIn(title ?? hints['title']), MAX_TITLE);
  return {
    hash,
    tool: {
      name,
      ...(shown !== '' && { title: shown }),
      description: cut(textIn(description), MAX_DESCRIPTION),
      inputSchema,
      isOpenWorld: hints['openWorldHint'] !== false,
    },
  };
}

/** Plain text of at most `max` code units. */
function cut(text: string, max: number): string {
  const plain = text.toWellFormed().replaceAll(/(?![\t\n])\p{Cc}/gu, ' ');
  return plain.length <= max ? plain : `${plain.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
