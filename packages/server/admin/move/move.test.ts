import { randomBytes } from 'node:crypto';
import { copyFileSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Installation } from '@parley/testing/servers/installation.ts';
import { expect, test } from 'vitest';
import { awkward, fillInstallation, fillTables } from '../../test/running/full-installation.ts';
import { expectUnchanged, filesIn } from '../../test/running/moved-files.ts';

test(
  'MOVE-1, MOVE-2, MOVE-3: a moved installation is unchanged: sessions, messages, files and log numbers',
  { timeout: 60_000 },
  async () => {
    await using here = new Installation();
    await using there = new Installation();
    await here.start();
    const { ann, bob, chatId: chat_id } = await fillInstallation(here);
    const before = {
      history: await ann.api.getChatHistory({ chat_id }),
      chat: await bob.api.getChat({ chat_id }),
      drafts: await bob.api.getDrafts(),
      updates: await bob.api.getUpdates({ since: 0 }),
      agents: await ann.api.getMyAgents(),
      sessions: await bob.api.getSessions(),
      me: await ann.api.getMe(),
    };
    const { head } = before.updates;
    await here.stop();
    const stored = Object.keys(filesIn(here.file('files/stored')));
    const exported = await here.admin(`export ${here.file('moving')}`);
    expect(exported).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(new RegExp(`\\nmessages: \\d+\\n.*bytes of files: ${stored.length}\\n`, 's')),
    });
    expect(exported.out).not.toContain('A service is running');
    const imported = await there.admin(`import ${here.file('moving')}`);
    expect(imported).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(/parley\.db equals the export\.\n/),
    });
    expect(await there.admin('check')).toMatchObject({ code: 0, err: '' });

    copyFileSync(here.file('secrets.key'), there.file('secrets.key'));
    await there.start();
    const [annThere, bobThere] = [ann, bob].map(({ token, username }) => there.visitor(token, username));
    if (!annThere || !bobThere) throw new Error('both must have been signed in');
    const unsigned = (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll(/\?[^"]*/g, '')) as unknown;
    const after = {
      history: await annThere.api.getChatHistory({ chat_id }),
      chat: await bobThere.api.getChat({ chat_id }),
      drafts: await bobThere.api.getDrafts(),
      updates: await bobThere.api.getUpdates({ since: 0 }),
      agents: await annThere.api.getMyAgents(),
      sessions: await bobThere.api.getSessions(),
      me: await annThere.api.getMe(),
    };
    // Ends of typing are in no row: each process keeps them for 10 minutes (LOG-19).
    const inRows = ({ frames }: typeof before.updates) => frames.filter(({ method }) => method !== 'events.typing');
    const seen = ({ sessions, updates, ...rest }: typeof before) =>
      unsigned({ ...rest, frames: inRows(updates), sessions: sessions.items.map(({ id }) => id) });
    expect(seen(after)).toEqual(seen(before));
    const [photo] = after.history.items.flatMap(({ attachments }) => attachments);
    expect((await fetch(there.url + photo?.url)).status).toBe(200);
    // A client continues where it was: its log is not truncated, and numbers continue above those it has seen.
    const next = await annThere.api.sendMessage({ chat_id, text: 'after the move' });
    const news = await bobThere.api.getUpdates({ since: head });
    expect(news.truncated).toBeUndefined();
    expect(news.head).toBeGreaterThan(head);
    expect(news.frames.flatMap(({ params }) => ('id' in params ? [params.id] : []))).toContain(next.id);
    const again = await annThere.api.sendMessage({ chat_id, text: 'root', client_msg_id: 'sent once' });
    expect(before.history.items.map(({ id }) => id)).toContain(again.id);
    const { items } = await annThere.api.searchMessages({ chat_id, query: 'thread' });
    expect(items).toHaveLength(1);
    // Secrets sealed by the old installation can be opened by the new one.
    expect(await there.admin('reseal')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^resealed: 0, already under the first key: [1-9]/),
    });
  },
);

test(
  'MOVE-1, MOVE-4: an export beside a running service is one snapshot, and clients that received later events reload',
  { timeout: 60_000 },
  async () => {
    await using here = new Installation();
    await using there = new Installation();
    await here.start();
    const ann = await here.member('ann');
    const { id: chat_id } = await ann.api.startChat({ usernames: [], title: 'a group' });
    const sending = Array.from({ length: 300 }, (_, at) => ann.api.sendMessage({ chat_id, text: `message ${at}` }));
    await sending[20];
    expect(await here.admin(`export ${here.file('live')}`)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/A service is running/),
    });
    await Promise.all(sending);
    const { head } = await ann.api.getUpdates({ since: 0 });
    copyFileSync(here.file('secrets.key'), there.file('secrets.key'));
    expect(await there.admin(`import ${here.file('live')}`)).toMatchObject({ code: 0, err: '' });
    expect(await there.admin('check')).toMatchObject({ code: 0 });
    await there.start();
    const annThere = there.visitor(ann.token, 'ann');
    expect((await annThere.api.getChatHistory({ chat_id })).items.length).toBeGreaterThan(20);
    const news = await annThere.api.getUpdates({ since: head });
    expect(news).toMatchObject({ frames: [], truncated: true });
    expect(news.head).toBeGreaterThan(head + 2 ** 39);
  },
);

test(
  'MOVE-2: every table is unchanged, whatever it contains, and nothing is readable by other users',
  { timeout: 60_000 },
  async () => {
    await using here = new Installation();
    await using there = new Installation();
    await here.start();
    await fillInstallation(here);
    await here.stop();
    fillTables(here.file('parley.db'));
    expect(await here.admin(`export ${here.file('moving')}`)).toMatchObject({ code: 0, err: '' });
    expect(filesIn(here.file('moving'))['/drafts.jsonl']).toBeDefined();
    expect(readFileSync(here.file('moving/drafts.jsonl'), 'utf8')).toContain(JSON.stringify(awkward));
    expect(statSync(here.file('moving')).mode & 0o077).toBe(0);
    copyFileSync(here.file('secrets.key'), there.file('secrets.key'));
    expect(await there.admin(`import ${here.file('moving')}`)).toMatchObject({ code: 0, err: '' });
    // It can be moved again, and is still unchanged.
    expect(await there.admin(`export ${there.file('again')}`)).toMatchObject({ code: 0, err: '' });
    expectUnchanged(here.file('moving'), there.file('again'));
  },
);

test(
  'MOVE-3: a truncated or corrupted export, another key and a non-empty target are refused, and nothing is left behind',
  { timeout: 60_000 },
  async () => {
    await using here = new Installation();
    await using there = new Installation();
    expect(await here.admin('account create ann --password-stdin', 'a good password')).toMatchObject({ code: 0 });
    const folder = here.file('moving');
    const key = { SECRETS_KEY: randomBytes(32).toString('base64') };
    expect(await here.admin(`export ${folder}`, '', key)).toMatchObject({ code: 0 });
    expect(await here.admin(`export ${folder}`)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/already exists/),
    });
    expect(await here.admin(`import ${folder}`)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/there is a database in/),
    });

    const refused = async (err: RegExp, env: Record<string, string> = {}) => {
      expect(await there.admin(`import ${folder}`, '', env)).toMatchObject({ code: 1, err });
      expect(readdirSync(there.dataDir).filter((name) => name.startsWith('parley.db'))).toEqual([]);
    };
    const spoiled = async (name: string, edit: (text: string) => string, err: RegExp) => {
      const file = join(folder, name);
      const text = readFileSync(file, 'utf8');
      writeFileSync(file, edit(text));
      await refused(err);
      writeFileSync(file, text);
    };
    await spoiled('accounts.jsonl', (text) => text.replace('ann', 'eve'), /not equal: accounts/);
    await spoiled('accounts.jsonl', (text) => text.slice(0, -20), /is truncated/);
    await spoiled('chats.jsonl', () => '', /not equal: chats/);
    await spoiled('manifest.json', (text) => text.replace(/"version": \d+/, '"version": 9999'), /of version 9999/);
    await spoiled('manifest.json', () => '{}', /is damaged/);
    await refused(/SECRETS_KEY is not the one/, { SECRETS_KEY: randomBytes(32).toString('base64') });
    rmSync(join(folder, 'manifest.json'));
    await refused(/is not a complete export/);
  },
);
