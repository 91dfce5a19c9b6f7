// What a program asks for on the consent page (MCPS-10, MCPS-11).
import { type Input, tokenScopes, type TokenScope } from '@parley/protocol';
import { invalid } from '../../core/errors.ts';
import { isOurs } from '../../rules/served-hosts.ts';
import { hostIfAddress, isAmong, placeOf } from './redirects.ts';
import type { Program } from './program-metadata.ts';
import type { Programs } from './programs.ts';

export type ProgramRequest = Input<'getProgramRequest'>;

export interface Asked {
  program: Program;
  /** What a person reads of where it is; null for this computer. */
  place: string | null;
  /** Those that it asks for; all if it names none. */
  scopes: TokenScope[];
}

/** The program's request; throws invalid_argument: then nobody is sent anywhere. */
export async function readRequest(programs: Programs, request: ProgramRequest): Promise<Asked> {
  const { served } = programs;
  const { client_id: id, redirect_uri: redirect, scope = '', resource, issuer } = request;
  const program = await programs.find(id);
  if (!program) throw invalid('client_id', 'is of no known program');
  if (!isAmong(program.redirects, redirect)) throw invalid('redirect_uri', 'is none of the program');
  if (resource !== undefined && !isOurs(served, resource, ['/mcp', '/']))
    throw invalid('resource', 'is not this service');
  if (issuer !== undefined && !isOurs(served, issuer, ['/'])) throw invalid('issuer', 'is not this service');
  const named = scope.split(' ').filter((one) => one !== '');
  const known = tokenScopes.filter((one) => named.includes(one));
  return {
    program,
    place: hostIfAddress(id) ?? placeOf(redirect),
    scopes: known.length > 0 ? known : [...tokenScopes],
  };
}

/** Where the program's page gets its answer. */
export function answerUrl(
  request: ProgramRequest,
  { served }: Pick<Programs, 'served'>,
  answer: { code: string } | { error: string },
): string {
  const url = new URL(request.redirect_uri);
  for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value);
  if (request.state !== undefined) url.searchParams.set('state', request.state);
  const issuer = served.publicUrl?.origin ?? request.issuer;
  if (issuer !== undefined) url.searchParams.set('iss', new URL(issuer).origin);
  return url.href;
}
