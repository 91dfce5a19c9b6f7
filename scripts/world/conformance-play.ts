import type { World } from '@parley/testing';
import type { FieldSpec } from '@parley/protocol';
import { agentWith, given, toolsOf } from '../../packages/server/test/tools/tool-stage.ts';

/** What a scenario tells its client. */
export interface Scenario {
  scenario: string;
  server: string;
  context: { toolCalls?: { name: string; arguments: object }[] };
}

/** The address of the service for browsers, which nothing asks here. */
export const PUBLIC = 'https://chat.example';
/** How often a person signs in to a server before they give up. */
const MAX_LOGINS = 3;

/**
 * Plays a client of a scenario: an agent with its server, whose tools are listed and called one after another by a person
 * who signs in when asked to, and fills in what a tool asks. Resolves to what was done.
 */
export async function play(world: World, { scenario, server, context }: Scenario): Promise<string[]> {
  const person = await world.person(`p_${crypto.randomUUID().slice(0, 8)}`);
  const auth = scenario.startsWith('auth/') ? ({ identity: 'asker', auth: 'oauth' } as const) : {};
  const username = await agentWith(person, given({ url: server }, auth));
  const { offered, call } = await toolsOf(world, username, person.username);
  const did: string[] = [];
  let logins = 0;

  /** Does what a person's browser does: to the page of the authorization server, and back with its code. */
  async function signIn(): Promise<boolean> {
    if (logins >= MAX_LOGINS) return false;
    logins += 1;
    const { url } = await person.api.startToolLogin({ username, server: 'bank' });
    const back = (await fetch(url, { redirect: 'manual' })).headers.get('location') ?? '';
    if (!back.startsWith(PUBLIC)) throw new Error(`the browser was sent to ${back}`);
    const asked = await (await fetch(back.replace(PUBLIC, world.url))).text();
    const link = /href="([^"]+)"/.exec(asked)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const { status } = await fetch(new URL(link, world.url));
    did.push(`login: ${status}`);
    return status === 200;
  }

  async function offers() {
    for (;;) {
      const { tools, faults } = await offered();
      did.push(`offered: ${tools.map(({ tool }) => tool).join(', ')} ${faults.map(({ why }) => why).join()}`);
      if (!tools.some(({ needsLogin }) => needsLogin)) return tools;
      if (!(await signIn())) return [];
    }
  }

  const tools = await offers();
  for (const { tool, inputSchema } of tools) {
    const given = context.toolCalls?.filter(({ name: wanted }) => wanted === tool).map((one) => one.arguments);
    for (const args of given ?? [argumentsFor(inputSchema, tools[0]?.inputSchema)]) {
      let sent = { tool, arguments: args, callId: crypto.randomUUID() };
      for (;;) {
        const outcome = await call(sent);
        did.push(`${tool}: ${JSON.stringify(outcome)}`);
        if (outcome.status === 'input') {
          const fields = Object.fromEntries(outcome.form.map((field) => [field.key, valueOf(field)]));
          sent = { ...sent, answer: { requestState: outcome.requestState, action: 'accept', fields } } as typeof sent;
        } else if (outcome.status !== 'login' || !(await signIn())) break;
      }
    }
  }
  return did;
}

/** Something of the right type for each parameter; for one that is an object, the schema of a tool as it was listed. */
function argumentsFor(schema: object, listed: object | undefined): object {
  const { properties = {} } = schema as { properties?: Record<string, { type?: string }> };
  const values: Record<string, unknown> = { number: 2, integer: 2, boolean: true, object: listed, array: [] };
  return Object.fromEntries(Object.entries(properties).map(([key, { type = 'string' }]) => [key, values[type] ?? 'x']));
}

const valueOf = ({ type, options }: FieldSpec): unknown =>
  type === 'boolean' ? true : type === 'number' ? 2 : (options?.[0] ?? 'x');
