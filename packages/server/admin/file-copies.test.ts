import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Installation } from '@parley/testing/servers/installation.ts';
import { expect, test } from 'vitest';
import { photo } from '../test/helpers/file-stage.ts';

test('ADMIN-13: a backup contains the bytes of the files that its rows name, and restore brings them back', async () => {
  await using installation = new Installation();
  await installation.start();
  const ann = await installation.member('ann');
  const { id: chat_id } = await ann.api.startChat({ usernames: [], title: 'a group' });
  const send = async (text: string) => {
    const { id } = await ann.api.uploadFile({ file: new File([text], 'a.txt') });
    return ann.api.sendMessage({ chat_id, text, attachments: [{ id }] });
  };
  const { id: message_id } = await send('kept in the backup');
  const file = installation.file('backup.db');
  const { code, out } = await installation.admin(`backup ${file}`);
  expect([code, out]).toEqual([0, expect.stringContaining('holds the bytes of 1 uploaded files')]);
  expect(statSync(`${file}.files`).mode & 0o077).toBe(0);
  // An existing folder prevents a backup just as an existing file does.
  expect(await installation.admin(`backup ${file}`)).toMatchObject({
    code: 1,
    err: expect.stringMatching(/already exists/),
  });
  await ann.api.deleteMessages({ message_ids: [message_id] });
  await send('came later');
  await installation.stop();
  rmSync(join(installation.dataDir, 'files'), { recursive: true });

  expect(await installation.admin(`restore ${file}`)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/Restored 1 uploaded files/),
  });
  await installation.start();
  const { items } = await ann.api.getChatHistory({ chat_id });
  expect(items.map(({ content }) => content)).toEqual(['kept in the backup']);
  const response = await fetch(installation.url + items[0]?.attachments[0]?.url);
  expect([response.status, await response.text()]).toEqual([200, 'kept in the backup']);
  expect(await installation.admin('check')).toMatchObject({ code: 0, err: '' });
  expect(readdirSync(join(installation.dataDir, 'files')).toSorted()).toEqual(['incoming', 'stored']);
});

test('ADMIN-13, FILE-12: bytes that no row of the backup names are deleted after a week, unless the previous database is restored', async () => {
  await using installation = new Installation();
  await installation.start();
  const ann = await installation.member('ann');
  const { id: chat_id } = await ann.api.startChat({ usernames: [], title: 'a group' });
  const send = async (bytes: Uint8Array<ArrayBuffer>, name: string) => {
    const file = await ann.api.uploadFile({ file: new File([bytes], name) });
    await ann.api.sendMessage({ chat_id, text: name, attachments: [{ id: file.id }] });
    return file;
  };
  const before = await send(await photo('png'), 'before');
  await ann.api.updateProfile({ avatar_file_id: before.id });
  await ann.api.setChatAvatar({ chat_id, avatar_file_id: before.id });
  await ann.api.createEmoji({ name: 'party', file_id: before.id });
  const file = installation.file('backup.db');
  expect(await installation.admin(`backup ${file}`)).toMatchObject({ code: 0 });
  const after = await send(await photo('png'), 'after');
  await installation.stop();
  // A file that is not the service's own, which must be left alone.
  writeFileSync(join(installation.dataDir, 'files', 'stored', 'lost+found'), '');

  const began = Date.now();
  const { code, out } = await installation.admin(`restore ${file}`);
  expect(code).toBe(0);
  const planned = () => {
    const database = new DatabaseSync(join(installation.dataDir, 'parley.db'), { readOnly: true });
    const rows = database.prepare('SELECT name, due_at FROM files_to_remove ORDER BY name').all();
    database.close();
    return rows.map(({ name, due_at: dueAt }) => {
      expect(Number(dueAt)).toBeGreaterThanOrEqual(began + 7 * 86_400_000);
      return name;
    });
  };
  expect(planned()).toEqual([after.id, `${after.id}-thumbnail`]);
  // The previous database can still be restored.
  const aside = /The previous database is now (.*)\.\n/.exec(out)?.[1] ?? '';
  expect(await installation.admin(`restore ${aside}`)).toMatchObject({ code: 0 });
  expect(planned()).toEqual([]);
});
