import { operations } from '@parley/protocol';
import type { Command } from 'commander';
import type { Desk } from './command.ts';
import { Misuse } from './failure.ts';
import { request } from './reach.ts';

export function emojiCommands(emoji: Command, { say, site }: Desk): void {
  emoji
    .command('delete')
    .description('delete a custom emoji, whoever made it; where it was used, its name is left')
    .argument('<name>', '2 to 32 of a-z, 0-9 and _')
    .action(async (name: string) => {
      if (!operations.deleteEmoji.input.safeParse({ name }).success)
        throw new Misuse(`${name} is not a name of an emoji`);
      const username = await request(site(), 'deleteAnyEmoji', { name });
      say(`deleted :${name}:, which ${username} had made`);
    });
}
