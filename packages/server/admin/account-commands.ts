import { type AccountRole, accountRoles, operations } from '@parley/protocol';
import { Argument, type Command } from 'commander';
import { weaknessOf } from '../rules/weak-password.ts';
import { passwords } from '../secrets/passwords.ts';
import type { Desk } from './command.ts';
import { Failure, Misuse } from './failure.ts';
import { readPassword } from './password-input.ts';
import { request } from './reach.ts';

const signUpInput = operations.signUp.input;

interface PasswordOptions {
  passwordStdin?: boolean;
}
const fromStdin = ['--password-stdin', 'read the password from standard input instead of asking for it'] as const;

export function accountCommands(account: Command, desk: Desk): void {
  const { say, site } = desk;
  account
    .command('create')
    .description('create an account, also if sign-up is closed')
    .argument('<name>', '1 to 32 of a-z, 0-9 and _')
    .option('--display-name <text>', 'the name that others see (default: <name>)')
    .option(...fromStdin)
    .action(async (username: string, options: PasswordOptions & { displayName?: string }) => {
      const { displayName = username } = options;
      checkName(username, displayName);
      const passwordHash = await hashOf(desk, options, username);
      await request(site(), 'createAccount', { username, displayName, passwordHash });
      say(`created the account ${username}`);
    });
  account
    .command('disable')
    .description('disable an account and its bots: sessions end, tokens are refused')
    .argument('<name>')
    .action(async (username: string) => {
      const ended = await request(site(), 'switchAccount', { username, isDisabled: true });
      say(`${username} is disabled; sessions ended: ${ended}`);
    });
  account
    .command('enable')
    .description('enable a disabled account: it can sign in, and its bots’ tokens are valid again')
    .argument('<name>')
    .action(async (username: string) => {
      await request(site(), 'switchAccount', { username, isDisabled: false });
      say(`${username} is enabled`);
    });
  account
    .command('reset-password')
    .description('change the password of an account, and end all its sessions and webhook subscriptions')
    .argument('<name>')
    .option(...fromStdin)
    .action(async (username: string, options: PasswordOptions) => {
      const passwordHash = await hashOf(desk, options, username);
      const ended = await request(site(), 'replacePassword', { username, passwordHash });
      say(`changed the password of ${username}; sessions ended: ${ended}`);
    });
  account
    .command('reset-second-factor')
    .description('turn off the second factor of a person who has lost it, and end all sessions')
    .argument('<name>')
    .action(async (username: string) => {
      const ended = await request(site(), 'dropSecondFactor', { username });
      say(`${username} signs in with the password alone; sessions ended: ${ended}`);
    });
  account
    .command('role')
    .description('set what a person may do for the whole service')
    .argument('<name>')
    .addArgument(new Argument('<role>').choices(accountRoles))
    .action(async (username: string, role: AccountRole) => {
      await request(site(), 'assignRole', { username, role });
      say(`${username} has the role ${role}`);
    });
}

/** Applies the rules of signUp. */
function checkName(username: string, displayName: string): void {
  const parsed = signUpInput
    .pick({ username: true, display_name: true })
    .safeParse({ username, display_name: displayName });
  if (parsed.success) return;
  const [issue] = parsed.error.issues;
  throw new Misuse(`${issue?.path.join('.')}: ${issue?.message}`);
}

/** Returns the hash; the password itself is sent nowhere, not even to a running service. */
async function hashOf(desk: Desk, { passwordStdin = false }: PasswordOptions, username: string): Promise<string> {
  const parsed = signUpInput.pick({ password: true }).safeParse({ password: await readPassword(desk, passwordStdin) });
  if (!parsed.success) throw new Failure(`the password ${parsed.error.issues[0]?.message}`);
  const weakness = weaknessOf(parsed.data.password, username);
  if (weakness !== null) throw new Failure(`the password ${weakness}`);
  return passwords.hash(parsed.data.password);
}
