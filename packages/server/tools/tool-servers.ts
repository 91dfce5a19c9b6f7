import { ownTools } from '@parley/protocol/built-in-tools';
import type { UnitCallers } from '../commits/unit-callers.ts';
import type { Clock, Timer } from '../core/clock.ts';
import type { Settings } from '../core/settings.ts';
import { EndpointRefused } from '../outbound/endpoint-guard.ts';
import type { GuardedFetch } from '../outbound/guarded-fetch.ts';
import { isObject } from '../rules/json-values.ts';
import { modelNames } from '../rules/tool-names.ts';
import { textOfResult } from '../rules/tool-results.ts';
import type { KeyRing } from '../secrets/seal.ts';
import type { AccountRow } from '../store/accounts.ts';
import type { Sql } from '../store/sql.ts';
import {
  type ToolDefinitionRow,
  toolDefinitionNamed,
  toolDefinitionsOf,
  type ToolServerRow,
  toolServersOf,
} from '../store/tool-servers.ts';
import type { Watch } from './bounded-requests.ts';
import { ToolConnections } from './connections.ts';
import { type Credential, credentialFor, holderOf } from './credentials.ts';
import { type Listed, MAX_TOOLS, type PinnedTool, readListing } from './definitions.ts';
import { type CallResult, library, type McpConnection } from './mcp-connection.ts';
import { readChallenge } from './login/oauth-client.ts';
import type { ToolLogins } from './login/tool-logins.ts';
import type { Offer, OfferedTool, ToolCall, ToolOutcome } from './outcomes.ts';
import { listedTools, writesOf } from './owner-word.ts';
import { ToolFault } from './tool-fault.ts';
import { answersOf, questionsOf } from './tool-questions.ts';
import type { toolUnits } from './tool-units.ts';

export interface ToolServerNeeds {
  clock: Clock;
  read: Sql;
  keys: KeyRing;
  settings: Pick<Settings, 'toolCallMs' | 'toolListMs'>;
  units: UnitCallers<typeof toolUnits>;
  guarded: Pick<GuardedFetch, 'check' | 'fetch'>;
  logins: ToolLogins;
  onFault: (error: unknown) => void;
}

/** What a server is like for an asker at this moment. */
export interface Look {
  server: ToolServerRow;
  credential: Credential;
  state: 'ok' | 'changed' | 'unreachable' | 'login' | 'off';
  /** Why its tools are not offered, in words for people. */
  why?: string;
  /** What it lists now, by name; empty if it does not. */
  listed: ReadonlyMap<string, Listed>;
  /** What it said first, by name. */
  pins: ReadonlyMap<string, ToolDefinitionRow>;
}

/** Maximum definitions of one server that are pinned: a server could list other names each time. */
const MAX_PINS = 512;
/** Maximum bytes of the descriptions and parameters of all tools that a model is offered at once. */
const MAX_OFFERED_BYTES = 512 * 1024;
/** How long a call waits for its result after the server has ended its answer: the answer is still being read. */
const READ_MS = 1_000;
/** The tool that stands for a server whose tools are not known before someone signs in. */
export const SIGN_IN = 'sign_in';

/** The MCP servers of agents: what they offer, and the calls of their tools. */
export class ToolServers {
  readonly #needs: ToolServerNeeds;
  readonly #connections: ToolConnections;

  constructor(needs: ToolServerNeeds) {
    this.#needs = needs;
    this.#connections = new ToolConnections(needs.clock, needs.guarded.fetch);
  }

  close(): void {
    this.#connections.close();
  }

  /**
   * The tools that a turn of an agent may use now. Every server is asked at once, for at most `toolListMs`; what cannot
   * be listed is a fault, and the tools of the others are offered all the same (TOOL-8).
   */
  async offered(agent: Pick<AccountRow, 'key' | 'parent_key'>, askerKey: number, signal: AbortSignal): Promise<Offer> {
    const servers = await this.#needs.read.all(toolServersOf, agent.key);
    const looks = await Promise.all(servers.map((server) => this.look(server, askerKey, signal)));
    const { kept: tools, tooMuch } = withinRoom(looks.flatMap((look) => this.#toolsOf(look, askerKey)));
    const names = modelNames(
      tools.map(({ server, tool }) => ({ server: server.name, tool })),
      ownTools,
    );
    const faults = looks.flatMap(({ server, why }) => (why === undefined ? [] : [{ server: server.name, why }]));
    faults.push(
      ...Array.from(tooMuch, (server) => ({ server, why: 'the tools of the agent are too many or too long' })),
    );
    return { tools: tools.map((tool, at) => ({ ...tool, modelName: names[at] ?? tool.modelName })), faults };
  }

  /** Asks a server what it offers, and pins what it says for the first time (TOOL-9). Never rejects for what a server does. */
  async look(server: ToolServerRow, askerKey: number, signal: AbortSignal): Promise<Look> {
    const off = this.#refusal(server);
    const [holderKey, pins] = await Promise.all([holderOf(this.#needs.read, server, askerKey), this.#pins(server)]);
    const nobody: Credential = { holderKey, token: undefined, generation: null };
    const look: Look = { server, credential: nobody, state: 'ok', listed: new Map(), pins };
    if (off !== undefined) return { ...look, state: 'off', why: off };
    await library();
    try {
      return await this.#bounded(this.#needs.settings.toolListMs, signal, (stop) => this.#look(look, askerKey, stop));
    } catch (error) {
      const fault = this.#ownFault(error);
      return { ...look, state: fault.kind === 'off' ? 'off' : 'unreachable', why: fault.message };
    }
  }

  /** Also of what the service itself could not do with a server: it costs a turn the tools of that one only. */
  #ownFault(error: unknown): ToolFault {
    if (error instanceof ToolFault) return error;
    this.#needs.onFault(error);
    return new ToolFault('unreachable', 'this service cannot use it at the moment');
  }

  /** `refused`: a token that the server no longer accepts. */
  async #look(look: Look, askerKey: number, stop: AbortController, refused?: string): Promise<Look> {
    const { server } = look;
    const credential = await credentialFor(this.#needs, server, askerKey, stop.signal, refused);
    const known = { ...look, credential };
    if (server.auth !== 'none' && credential.token === undefined) return withoutLogin(known, askerKey);
    try {
      const listing = await this.#list(server, credential, askerKey, stop);
      const listed = readListing(listing, new Set(listedTools(server)?.keys()));
      const pins = await this.#pin(server, listed, look.pins);
      const isChanged = [...listed.keys()].some((name) => isOffered(server, name) && pins.get(name)?.is_changed === 1);
      return { ...known, listed, pins, state: isChanged ? 'changed' : 'ok' };
    } catch (error) {
      const fault = asFault(error);
      if (await this.#isTooLittle(server, credential, fault, stop.signal)) return withoutLogin(known, askerKey);
      if (fault.kind !== 'login' || server.auth === 'none') throw error;
      if (server.auth === 'oauth' && refused === undefined) return this.#look(look, askerKey, stop, credential.token);
      return withoutLogin(known, askerKey);
    }
  }

  /** Runs one call. Never rejects for what a server does (TOOL-15). */
  async call(given: ToolCall, signal: AbortSignal): Promise<ToolOutcome> {
    const { server, tool, askerKey } = given;
    const off = this.#refusal(server);
    if (off !== undefined) return failed(`The server cannot be called: ${off}.`);
    const pin = await this.#needs.read.get(toolDefinitionNamed, server.key, tool);
    const shown = given.definitionHash ?? '';
    if (shown === '' && tool === SIGN_IN) return this.#signedIn(server, askerKey, signal);
    if (!isOffered(server, tool)) return failed('The owner of the agent no longer offers this tool. It has not run.');
    // Without a definition nobody knows what it is now.
    if (pin ? pin.is_changed === 1 || (shown !== '' && shown !== pin.hash) : shown !== '')
      return failed('The tool has changed since it was offered. It has not run.');
    await library();
    let refused: string | undefined;
    for (;;) {
      const credential = await this.#credential(server, askerKey, signal, refused);
      if ('status' in credential) return credential;
      if (given.credentialGeneration !== undefined && given.credentialGeneration !== credential.generation)
        return failed('The credential for the server has changed since the call was made. It has not run.');
      const outcome = await this.#send(given, { server, credential, pin }, signal);
      if (outcome !== 'refused') return outcome;
      // The server has executed nothing. A login may have fresh tokens.
      if (server.auth !== 'oauth' || refused !== undefined) return loginFor(credential, askerKey);
      refused = credential.token;
    }
  }

  /** Whether a login has to be made again because it was not given what the server wants, which is noted (TOOL-24). */
  async #isTooLittle(
    { key, auth }: ToolServerRow,
    { holderKey }: Credential,
    { kind, challenge }: ToolFault,
    signal: AbortSignal,
  ): Promise<boolean> {
    if (kind !== 'scope' || auth !== 'oauth' || holderKey === null) return false;
    return this.#needs.logins.want(key, holderKey, (await readChallenge(challenge)).scope, signal);
  }

  /** The credential for a call, or why it cannot be made. */
  async #credential(server: ToolServerRow, askerKey: number, signal: AbortSignal, refused: string | undefined) {
    try {
      const credential = await this.#bounded(this.#needs.settings.toolListMs, signal, (stop) =>
        credentialFor(this.#needs, server, askerKey, stop.signal, refused),
      );
      return server.auth !== 'none' && credential.token === undefined ? loginFor(credential, askerKey) : credential;
    } catch (error) {
      return failed(`The server could not be called: ${asFault(error).message}. The tool has not run.`);
    }
  }

  async #send(
    given: ToolCall,
    { server, credential, pin }: { server: ToolServerRow; credential: Credential; pin: ToolDefinitionRow | undefined },
    signal: AbortSignal,
  ): Promise<ToolOutcome | 'refused'> {
    const { tool, arguments: args, writes, callId, askerKey, answer } = given;
    const { toolListMs, toolCallMs } = this.#needs.settings;
    const place = placeOf(server, credential, askerKey);
    const target = { url: server.url, token: credential.token };
    let connection: McpConnection;
    try {
      connection = await this.#bounded(toolListMs, signal, (stop) => this.#connections.take(place, target, stop));
    } catch (error) {
      const fault = asFault(error);
      if (await this.#isTooLittle(server, credential, fault, signal)) return loginFor(credential, askerKey);
      return outcomeOfFault(fault, { isConnected: false, status: undefined }, server);
    }
    const inputSchema = pin ? pinned(pin).inputSchema : { type: 'object' };
    const answers = answer ? answersOf(answer) : {};
    const stop = new AbortController();
    const noResult = (): void => stop.abort(new ToolFault('protocol', 'it ended its answer without a result'));
    let reading: Timer | undefined;
    const ended = (): void => void (reading ??= this.#needs.clock.setTimer(noResult, READ_MS));
    const watch: Watch = { stop, onlyReads: !writes, isConnected: false, status: undefined, ended };
    try {
      const work = () => connection.call({ tool, arguments: args, callId, inputSchema, answers }, watch);
      const result = await this.#bounded(toolCallMs, signal, work, stop);
      this.#connections.give(place, connection);
      return outcomeOf(result);
    } catch (error) {
      const fault = asFault(error);
      if (isForgotten(connection, watch)) {
        connection.abandon();
        return await this.#send(given, { server, credential, pin }, signal);
      }
      // A connection that still has to send the cancellation, or that works, is kept; one that broke is not.
      if (['answered', 'timeout', 'stopped'].includes(fault.kind)) this.#connections.give(place, connection);
      else connection.abandon();
      if (await this.#isTooLittle(server, credential, fault, signal)) return loginFor(credential, askerKey);
      return outcomeOfFault(fault, watch, server);
    } finally {
      reading?.cancel();
    }
  }

  /** Lists over a connection of its own, which is kept for the calls that follow. */
  async #list(server: ToolServerRow, credential: Credential, askerKey: number, stop: AbortController) {
    const place = placeOf(server, credential, askerKey);
    const target = { url: server.url, token: credential.token };
    for (;;) {
      const connection = await this.#connections.take(place, target, stop);
      try {
        const listing = await connection.list(stop);
        this.#connections.give(place, connection);
        return listing;
      } catch (error) {
        connection.abandon();
        // The session may be forgotten, or the connection broken, since it was used: another one says.
        const isFinal = error instanceof ToolFault && ['login', 'scope'].includes(error.kind);
        if (!connection.isKept || stop.signal.aborted || isFinal) throw error;
      }
    }
  }

  async #signedIn(server: ToolServerRow, askerKey: number, signal: AbortSignal): Promise<ToolOutcome> {
    const { state, listed, credential } = await this.look(server, askerKey, signal);
    if (state === 'login') return loginFor(credential, askerKey);
    const names = [...listed.keys()].filter((name) => isOffered(server, name)).join(', ');
    return { status: 'done', text: `Signed in. These tools can be used now: ${names || 'none'}.` };
  }

  async #pins(server: ToolServerRow): Promise<ReadonlyMap<string, ToolDefinitionRow>> {
    return new Map((await this.#needs.read.all(toolDefinitionsOf, server.key)).map((row) => [row.name, row]));
  }

  async #pin(server: ToolServerRow, listed: ReadonlyMap<string, Listed>, pins: ReadonlyMap<string, ToolDefinitionRow>) {
    const added = Array.from(listed)
      .filter(([name]) => !pins.has(name))
      .slice(0, Math.max(0, MAX_PINS - pins.size))
      .map(([name, { hash, tool }]) => ({ name, hash, definition: JSON.stringify(tool) }));
    const changed = Array.from(listed)
      .filter(([name, { hash }]) => pins.get(name)?.is_changed === 0 && pins.get(name)?.hash !== hash)
      .map(([name]) => name);
    if (added.length === 0 && changed.length === 0) return pins;
    await this.#needs.units.pinTools({ serverKey: server.key, revision: server.revision, added, changed });
    return this.#pins(server);
  }

  /** Why the operator's rule admits no request to the server; undefined if it admits them. */
  #refusal({ url }: ToolServerRow): string | undefined {
    try {
      this.#needs.guarded.check(new URL(url));
      return undefined;
    } catch (error) {
      if (error instanceof EndpointRefused) return 'the operator of this service does not allow its address';
      throw error;
    }
  }

  /** Runs work for at most `ms`, and until the caller stops it. */
  async #bounded<Value>(
    ms: number,
    signal: AbortSignal,
    work: (stop: AbortController) => Promise<Value>,
    stop = new AbortController(),
  ): Promise<Value> {
    const late = (): void => stop.abort(new ToolFault('timeout', `it did not answer within ${ms / 1_000} s`));
    const stopped = (): void => stop.abort(new ToolFault('stopped', 'it was stopped'));
    const timer = this.#needs.clock.setTimer(late, ms);
    signal.addEventListener('abort', stopped, { once: true });
    try {
      if (signal.aborted) throw new ToolFault('stopped', 'it was stopped');
      return await work(stop);
    } finally {
      timer.cancel();
      signal.removeEventListener('abort', stopped);
    }
  }

  #toolsOf({ server, credential, state, listed, pins, why }: Look, askerKey: number): OfferedTool[] {
    if (why !== undefined) return [];
    const needsLogin = state === 'login';
    const basis = { server, modelName: '', needsLogin, credentialGeneration: credential.generation };
    const known = Array.from(pins.values()).filter(
      (pin) =>
        pin.is_changed === 0 && isOffered(server, pin.name) && (needsLogin || listed.get(pin.name)?.hash === pin.hash),
    );
    if (needsLogin && known.length === 0 && credential.holderKey === askerKey)
      return unknownTools(server).map((tool) => ({ ...basis, ...tool }));
    return known.map((pin) => {
      const { name: tool, inputSchema, description, title, isOpenWorld } = pinned(pin);
      const isConfirmed = listedTools(server)?.has(tool) === true;
      return {
        ...basis,
        tool,
        ...(title !== undefined && { title }),
        description,
        inputSchema,
        writes: writesOf(server, tool),
        definitionHash: pin.hash,
        isOpenWorld: isOpenWorld || !isConfirmed,
      };
    });
  }
}

/** The first tools that a request to a model may carry, and the servers of the others (TOOL-8). */
function withinRoom(tools: readonly OfferedTool[]): { kept: OfferedTool[]; tooMuch: Set<string> } {
  const kept: OfferedTool[] = [];
  const tooMuch = new Set<string>();
  let room = MAX_OFFERED_BYTES;
  for (const tool of tools) {
    const { description, inputSchema, server } = tool;
    const bytes = Buffer.byteLength(description) + Buffer.byteLength(JSON.stringify(inputSchema));
    if (kept.length === MAX_TOOLS || bytes > room) tooMuch.add(server.name);
    else {
      kept.push(tool);
      room -= bytes;
    }
  }
  return { kept, tooMuch };
}

const pinned = (pin: ToolDefinitionRow): PinnedTool => JSON.parse(pin.definition);

const isOffered = (server: ToolServerRow, tool: string): boolean => listedTools(server)?.has(tool) ?? true;

/** What a model is offered of a server whose tools nobody has seen yet: a call of it asks the asker to sign in. */
function unknownTools(server: ToolServerRow) {
  const names = [...(listedTools(server)?.keys() ?? [SIGN_IN])];
  return names.map((tool) => ({
    tool,
    description: `A tool of ${server.name}. What it takes is known once the person has signed in: call it without arguments to ask them.`,
    inputSchema: { type: 'object' },
    writes: tool === SIGN_IN ? false : writesOf(server, tool),
    definitionHash: '',
    // What it says of the tools is offered anyway.
    isOpenWorld: tool !== SIGN_IN,
  }));
}

/** The asker can sign in; of the owner's credential others only learn that it is missing. */
function withoutLogin(look: Look, askerKey: number): Look {
  const isAskers = look.credential.holderKey === askerKey;
  return { ...look, state: 'login', ...(!isAskers && { why: 'the owner of the agent has to sign in to it' }) };
}

const loginFor = ({ holderKey }: Credential, askerKey: number): ToolOutcome =>
  holderKey === askerKey
    ? { status: 'login' }
    : failed('The owner of the agent has to sign in to this server first. The tool has not run.');

const failed = (text: string): ToolOutcome => ({ status: 'failed', text });

/** Nothing that one asker does at a server is seen by another. */
const placeOf = ({ key, url }: ToolServerRow, { generation }: Credential, askerKey: number): string =>
  JSON.stringify([key, url, generation, askerKey]);

const asFault = (error: unknown): ToolFault => {
  if (error instanceof ToolFault) return error;
  throw error;
};

function outcomeOf(result: CallResult): ToolOutcome {
  const { resultType, isError, content, structuredContent } = result as CallResult & { resultType?: unknown };
  // Asked for by `allowInputRequired`, of which the library's type knows nothing.
  if (resultType === 'input_required') return questionsOf(result);
  const text = textOfResult(content, structuredContent);
  if (isError === true) return failed(text === '' ? 'The tool failed and did not say why.' : text);
  return { status: 'done', text, ...(isObject(structuredContent) && { structured: structuredContent }) };
}

/** Statuses of 4xx with which a server says that it has not begun: others may come from a proxy while the tool runs. */
const REFUSALS = new Set([400, 401, 402, 403, 404, 405, 406, 410, 411, 413, 414, 415, 421, 422, 426, 431]);

/** How servers answer a request of a session that they do not know: it has not begun. */
const FORGOTTEN = new Set([400, 404]);

/** Whether a call may have met a session that its server has forgotten since it was last used (TOOL-20). */
const isForgotten = ({ isKept, hasSession }: McpConnection, { stop, status }: Watch): boolean =>
  isKept && hasSession && !stop.signal.aborted && status !== undefined && FORGOTTEN.has(status);

/**
 * What a fault means for the ledger: `unknown` only if the request may have reached the server and no answer says
 * that the tool did not run (TOOL-15).
 */
function outcomeOfFault(
  fault: ToolFault,
  { isConnected, status }: Pick<Watch, 'isConnected' | 'status'>,
  server: ToolServerRow,
): ToolOutcome | 'refused' {
  if (fault.kind === 'login' && server.auth !== 'none') return 'refused';
  if (fault.kind === 'answered') return failed(`The server refused the call: ${fault.message}`);
  const wasRefused = status !== undefined && ((status >= 300 && status <= 399) || REFUSALS.has(status));
  if (!isConnected || wasRefused)
    return failed(`The server could not be called: ${fault.message}. The tool has not run.`);
  return { status: 'unknown', why: fault.message };
}
