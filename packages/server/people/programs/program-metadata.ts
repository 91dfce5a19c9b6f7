// What a program says of itself, in its registration or its document.
import { operations } from '@parley/protocol';
import { ServiceError } from '../../core/errors.ts';
import { isObject, isTextList } from '../../rules/json-values.ts';
import { isReservedName } from '../../rules/reserved-names.ts';
import { isRedirect, placeOf } from './redirects.ts';

export interface Program {
  name: string;
  redirects: readonly string[];
}

/** Maximum number of addresses to which one program may be sent back. */
const MAX_REDIRECTS = 20;

/** Why a program is refused, in the words of RFC 7591. */
export class BadProgram extends ServiceError {
  readonly error: 'invalid_redirect_uri' | 'invalid_client_metadata';

  constructor(error: BadProgram['error'], message: string) {
    super('invalid_argument', message, { error });
    this.error = error;
  }
}

/** The program that a document describes; throws BadProgram if it is none that could be let in. */
export function programIn(document: unknown): Program {
  if (!isObject(document)) throw new BadProgram('invalid_client_metadata', 'must be a JSON object');
  const { redirect_uris: redirects, token_endpoint_auth_method: method = 'none', client_name: given } = document;
  if (!isTextList(redirects) || redirects.length === 0 || redirects.length > MAX_REDIRECTS)
    throw new BadProgram('invalid_redirect_uri', `redirect_uris must name 1 to ${MAX_REDIRECTS} addresses`);
  const wrong = redirects.find((one) => !isRedirect(one));
  if (wrong !== undefined)
    throw new BadProgram(
      'invalid_redirect_uri',
      'redirect_uris may be https, http on this computer, or a scheme of an app',
    );
  // A program on a person's computer cannot keep a secret.
  if (method !== 'none') throw new BadProgram('invalid_client_metadata', 'token_endpoint_auth_method must be none');
  const name = operations.createAccessToken.input.shape.name.safeParse(given ?? placeOf(redirects[0] ?? '') ?? 'App');
  if (!name.success || isReservedName(name.data))
    throw new BadProgram('invalid_client_metadata', 'client_name is too long, or no name that a program may have');
  return { name: name.data, redirects };
}
