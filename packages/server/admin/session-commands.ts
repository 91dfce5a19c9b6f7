import type { Command } from 'commander';
import type { Desk } from './command.ts';
import { Misuse } from './failure.ts';
import { request } from './reach.ts';

export function sessionCommands(sessions: Command, { say, site }: Desk): void {
  sessions
    .command('list')
    .description('list the sessions of an account, newest first')
    .argument('<name>')
    .action(async (username: string) => {
      for (const session of await request(site(), 'listAccountSessions', { username })) {
        const device = [session.device_name, session.platform, session.app_version].filter(
          (part) => part !== undefined,
        );
        const since = `since ${session.created_at}, last used ${session.last_active_at}`;
        say(`${session.id}  ${since}${device.length > 0 ? `  ${plain(device.join(', '))}` : ''}`);
      }
    });
  sessions
    .command('end')
    .description('end one session of an account, or all of them')
    .argument('<name>')
    .argument('[id]', 'the id that `sessions list` shows')
    .option('--all', 'end all sessions')
    .action(async (username: string, id: string | undefined, { all = false }: { all?: boolean }) => {
      if ((id === undefined) !== all) throw new Misuse('give either the id of a session or --all');
      const ended = await request(site(), 'endAccountSessions', { username, sessionId: id ?? null });
      say(`sessions ended: ${ended}`);
    });
}

/** Replaces characters that could control the terminal, because users choose their device names. */
const plain = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\u{fffd}');
