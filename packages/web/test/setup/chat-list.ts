// For tests: the list of conversations as a reader uses it.
import type { Locator } from 'playwright-core';
import type { Person } from './person.ts';
import type { Stage } from './stage.ts';

/** The conversation that everyone has. */
export const GUIDE = 'Parley guide · parley';

/** The titles of the rows, from the top. */
export const titles = async (person: Person): Promise<string[]> => {
  const rows = await person.chats.locator('[data-chat]').allInnerTexts();
  return rows.map((text) => text.split('\n')[0] ?? '');
};
/** A filter above the list; of a folder, with the number of its unread conversations. */
export const filterOf = (person: Person, name: string, unread = 0): Locator =>
  person.page
    .getByRole('toolbar', { name: 'Filter conversations' })
    .getByRole('button', { name: unread > 0 ? `${name} ${unread} unread` : name, exact: true });
export const choose = async (person: Person, ...items: string[]): Promise<void> => {
  for (const name of items) await person.page.getByRole('menuitem', { name, exact: true }).click();
};
export const row = (person: Person, title: string): Locator =>
  person.chats.locator('[data-chat]').filter({ hasText: title });
export const act = async (person: Person, title: string, ...items: string[]): Promise<void> => {
  await row(person, title).click({ button: 'right' });
  await choose(person, ...items);
};

/** Ann with three groups of Bob's: "One" is the newest. */
export async function withGroups(stage: Stage, options: object = {}) {
  const ann = await stage.person('ann', options);
  const bob = await stage.world.member('bob');
  const ids: Record<string, string> = {};
  for (const title of ['Three', 'Two', 'One']) {
    const { id } = await bob.api.startChat({ usernames: ['ann'], title });
    await bob.api.sendMessage({ chat_id: id, text: `hello from ${title}` });
    ids[title] = id;
  }
  await ann.chat('One').waitFor();
  await ann.chat('Three').waitFor();
  return { ann, bob, ids };
}
