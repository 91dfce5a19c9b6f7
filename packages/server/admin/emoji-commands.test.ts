import { Installation } from '@parley/testing/servers/installation.ts';
import { expect, test } from 'vitest';
import { photo } from '../test/helpers/file-stage.ts';

test('ADMIN-17: emoji delete removes an emoji of any person, and says who made it', async () => {
  await using installation = new Installation();
  await installation.start();
  const ann = await installation.member('ann');
  const { id: file_id } = await ann.api.uploadFile({ file: new File([await photo('png')], 'party.png') });
  const { url } = await ann.api.createEmoji({ name: 'party', file_id });
  expect(await installation.admin('emoji delete party')).toEqual({
    code: 0,
    out: 'deleted :party:, which ann had made\n',
    err: '',
  });
  expect(await ann.api.getEmoji()).toEqual({ items: [] });
  expect((await fetch(installation.url + url)).status).toBe(404);
  expect(await installation.admin('emoji delete party')).toMatchObject({ code: 1, out: '' });
  expect(await installation.admin('emoji delete No')).toMatchObject({ code: 2, out: '' });
});
