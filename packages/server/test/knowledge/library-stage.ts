import type { AgentSource, Conversation, Message, PartOf } from '@parley/protocol';
import { type Actor, createWorld, ManualClock, type World } from '@parley/testing';
import { turnOfLoop } from '@parley/testing/clocks/turn-of-loop.ts';
import type { FakeBlock } from '@parley/testing/providers/fake-reply.ts';
import { type PageServer, startPageServer } from '@parley/testing/providers/page-server.ts';
import { type FileContent, upload } from '../helpers/file-stage.ts';
import { ownScene, type OwnScene } from '../hands/own-tools-stage.ts';

/** Reads all sources that wait. */
export async function readSources(world: World): Promise<void> {
  for (;;) {
    await world.service.library.tend();
    const [row] = await world.sql<{ count: number }>(
      'SELECT count(*) AS count FROM agent_sources WHERE is_waiting = 1 AND claimed_until = 0',
    );
    if (!row?.count) return;
    await turnOfLoop();
  }
}

/** A world in which nothing but the tests reads sources, with a site whose pages the service may read. */
export async function quietWorld(env: Record<string, string> = {}) {
  const pages = await startPageServer();
  const clock = new ManualClock();
  const world = await createWorld({ clock, env: { LINK_PREVIEWS: pages.origin, ...env } });
  return {
    world,
    pages,
    clock,
    async [Symbol.asyncDispose]() {
      await world.close();
      await pages[Symbol.asyncDispose]();
    },
  } satisfies AsyncDisposable & { world: World; pages: PageServer; clock: ManualClock };
}

export interface Library {
  owner: Actor;
  username: string;
}

/** Adds a file, and reads it. */
export async function addFile(
  world: World,
  { owner, username }: Library,
  content: FileContent,
  { name = 'Handbook.md', open = false }: { name?: string; open?: boolean } = {},
): Promise<AgentSource> {
  const { id: file_id } = await upload(owner, content, name);
  const { id } = await owner.api.addAgentSource({ username, file_id, open });
  await readSources(world);
  return sourceOf(owner, username, id);
}

export const sourcesOf = async (actor: Actor, username: string): Promise<AgentSource[]> =>
  (await actor.api.getAgentSources({ username })).items;

export async function sourceOf(actor: Actor, username: string, id: string): Promise<AgentSource> {
  const found = (await sourcesOf(actor, username)).find((source) => source.id === id);
  if (!found) throw new Error('there is no such source');
  return found;
}

/** A call of the model. */
export const search = (query: string, more: object = {}): FakeBlock => ({
  call: 'search_library',
  input: { query, ...more },
});

export interface Passages {
  passages: { number?: number; source: string; page?: number; heading?: string; text: string }[];
  note: string;
}

/** What the model is told of a search. */
export async function searched(scene: OwnScene, query: string, more: object = {}): Promise<Passages> {
  const [result = '{}'] = await scene.told(search(query, more));
  return JSON.parse(result) as Passages;
}

/** Ann's agent, without chosen tools, and her library. */
export async function libraryScene(
  world: World,
  options: Parameters<typeof ownScene>[1] = {},
): Promise<OwnScene & { library: Library; chat: Conversation }> {
  const scene = await ownScene(world, { tools: [], ...options });
  return { ...scene, library: { owner: scene.ann, username: scene.agent.username } };
}

export const citations = ({ parts = [] }: Pick<Message, 'parts'>): PartOf<'citation'>[] =>
  parts.filter((part): part is PartOf<'citation'> => part.type === 'citation');

/** What is stored of libraries. */
export async function storedCounts(world: World): Promise<{ sources: number; texts: number }> {
  const [row] = await world.sql<{ sources: number; texts: number }>(
    `SELECT (SELECT count(*) FROM agent_sources) AS sources, (SELECT count(*) FROM agent_source_texts) AS texts`,
  );
  return { sources: Number(row?.sources), texts: Number(row?.texts) };
}
