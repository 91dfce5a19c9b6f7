import type { Page } from 'playwright-core';
import type { Person } from '../setup/person.ts';
import type { Stage } from '../setup/stage.ts';

type Role = 'owner' | 'admin' | 'moderator' | 'member';

/** A person with this role, whose page knows it. */
export async function personWith(stage: Stage, role: Role, username: string, options = {}): Promise<Person> {
  const person = await stage.person(username, options);
  await stage.world.sql('UPDATE accounts SET role = $2 WHERE username = $1', username, role);
  return person;
}

/** Opens a page of the administration. */
export async function openAdmin({ page }: Person, name: string): Promise<Page> {
  await page.goto(new URL(`/admin/${name}`, page.url()).href);
  await page.locator('main h2').first().waitFor();
  await page.locator('[role=status][aria-label]').first().waitFor({ state: 'detached' });
  return page;
}
