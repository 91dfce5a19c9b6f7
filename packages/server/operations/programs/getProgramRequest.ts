import { requirePerson } from '../../access/person.ts';
import { answerUrl, readRequest } from '../../people/programs/program-requests.ts';
import { read } from '../handler.ts';
import type { Needs } from '../rooms.ts';

/** What the consent page shows. Asking grants nothing (MCPS-10). */
export default read(
  'getProgramRequest',
  async ({ caller }, request, { programs }: Needs<'programs'>) => {
    requirePerson(caller);
    const { program, place, scopes } = await readRequest(programs, request);
    const declined_url = answerUrl(request, programs, { error: 'access_denied' });
    return { name: program.name, place, scopes, declined_url };
  },
  // It may fetch the document of the program.
  { waits: true },
);
