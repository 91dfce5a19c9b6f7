import { expect, test } from 'vitest';
import { ApiError } from '../api.ts';
import { PartQueue } from './part-queue.ts';

const refusal = new ApiError(400, { error_code: 'invalid_argument', description: 'bad part' });

test.each([
  ['the service refuses the part', refusal, true],
  ['the whole reply fails', new Error('the service does not answer'), false],
])('BOTSDK-25: a part that is waited for rejects if %s', async (_what, error, goesOn) => {
  const parts = new PartQueue();
  const part = parts.put({ id: 'a', type: 'source', url: 'https://sky.example/' }, 0);
  const sent = parts.send(() => Promise.reject(error));
  await expect(part).rejects.toBe(error);
  if (goesOn) await sent;
  else await expect(sent).rejects.toBe(error);
});
