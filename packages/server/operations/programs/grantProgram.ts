import { requirePerson } from '../../access/person.ts';
import { account } from '../../commits/lock-names.ts';
import { invalid } from '../../core/errors.ts';
import { idText } from '../../core/ids.ts';
import { CODE_MS, type CodeTerms } from '../../people/programs/grant-terms.ts';
import { requireNewToken } from '../../people/programs/new-token-limits.ts';
import { answerUrl, readRequest } from '../../people/programs/program-requests.ts';
import { askPassword } from '../../people/prove-password.ts';
import { newToken } from '../../secrets/tokens.ts';
import { insertGrant } from '../../store/access-tokens.ts';
import { preparedUnitThen } from '../handler.ts';
import type { Needs } from '../rooms.ts';

interface Granted {
  /** What the audit says of it. */
  about: { id: string; client: string };
  url: string;
}

/** Makes an access token that the program gets for its code (MCPS-14). */
export default preparedUnitThen(
  'grantProgram',
  {
    withheld: ['password'],
    async prepare(call, input, rooms: Needs<'read' | 'clock' | 'passwordTries' | 'programs'>) {
      requirePerson(call.caller);
      const { program, place, scopes: asked } = await readRequest(rooms.programs, input);
      if (input.scopes.some((scope) => !asked.includes(scope)))
        throw invalid('scopes', 'are more than the program asks for');
      await askPassword(rooms, call, input.password);
      const code = newToken('pg_');
      return { name: program.name, place, code, url: answerUrl(input, rooms.programs, { code: code.token }) };
    },
    // Locks the caller, because its tokens are counted.
    locks: ({ caller }) => [account(caller.key)],
    audit: ({ scopes, chat_ids, expires_in }, granted: Granted, { username: target }) => ({
      target,
      details: {
        ...granted.about,
        scopes,
        ...(chat_ids && { chats: chat_ids.length }),
        ...(expires_in && { expires_in }),
      },
    }),
    async handle(call, input, { name, place, code, url }): Promise<Granted> {
      const { tx, caller, now } = call;
      const chatIds = await requireNewToken(call, 'scopes', input.chat_ids);
      const id = call.newId();
      const { client_id, redirect_uri, code_challenge, expires_in = null } = input;
      const terms: CodeTerms = { redirect_uri, code_challenge, expires_in };
      await tx.run(
        insertGrant,
        id,
        caller.key,
        // Nothing bears it: the bearer is made when the code is exchanged.
        newToken('at_').hash,
        name,
        [...new Set(input.scopes)].join(' '),
        chatIds ? JSON.stringify(chatIds) : null,
        now,
        now + CODE_MS,
        client_id,
        place,
        code.hash,
        JSON.stringify(terms),
      );
      return { about: { id: idText(id), client: place ?? 'localhost' }, url };
    },
  },
  (_call, { url }: Granted) => ({ url }),
);
