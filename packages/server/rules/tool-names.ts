import { OWN_TOOLS, type OwnTool } from '@parley/protocol/built-in-tools';
import { isObject } from './json-values.ts';

/** The service's own tools whose results are a view of conversations, or of a library, as they are at that moment. */
const views: readonly string[] = [
  'search_messages',
  'read_file',
  'list_people',
  'search_my_conversations',
  'search_library',
] satisfies OwnTool[];

type Named = Readonly<{ server: string; tool: string }>;

/** Code, which may read files of the conversation. */
export const isCode = ({ server, tool }: Named): boolean =>
  server === OWN_TOOLS && tool === ('run_code' satisfies OwnTool);

/** Whether a tool shows nothing but a view. */
export const showsView = ({ server, tool }: Named): boolean => server === OWN_TOOLS && views.includes(tool);

/**
 * Whether the result of a call is kept nowhere, but read again where it is needed: it would outlive what was deleted or
 * edited since, and the asker's taking part (OWN-9). Code whose `arguments`, as JSON, name files is such a view too.
 */
export const isView = (call: Named & { arguments: string }): boolean =>
  showsView(call) || (isCode(call) && namesFiles(JSON.parse(call.arguments)));

const namesFiles = (given: unknown): boolean =>
  isObject(given) && Array.isArray(given['files']) && given['files'].length > 0;

/** Maximum characters of a name that models accept. */
const MAX_NAME = 64;
/** Characters of a mark that tells names apart which would otherwise be equal. */
const MARK = 7;

/**
 * The names under which a model is offered the tools of an agent's servers: `<server>_<tool>`, made of the characters
 * that all models accept, and all different, also from the names `own` of the service's own tools (TOOL-13). A name that
 * had to be changed ends in a mark of the tool's own name, so it stays the same when other tools come and go. In the
 * order of `tools`.
 */
export function modelNames(tools: readonly { server: string; tool: string }[], own: readonly string[]): string[] {
  const used = new Set<string>(own);
  return tools.map(({ server, tool }) => {
    if (server === OWN_TOOLS) return tool;
    const whole = `${server}_${tool}`;
    const plain = whole.replaceAll(/[^A-Za-z0-9_-]/g, '_');
    let name = plain === whole && plain.length <= MAX_NAME ? plain : marked(plain, markOf(whole));
    for (let again = 2; used.has(name); again += 1) name = marked(plain, `${markOf(whole)}_${again}`);
    used.add(name);
    return name;
  });
}

const marked = (plain: string, mark: string): string => `${plain.slice(0, MAX_NAME - mark.length - 1)}_${mark}`;

/** FNV-1a in base 36: it only has to differ between the names of one agent's tools. */
function markOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(36).padStart(MARK, '0');
}
