// admin/: the admin command and its local socket. Imports every room but transport.
// The admin command, `npm run admin -- …`: administers an installation, running or stopped. Changes go through the
// service (channel.ts) or, if none runs, are made by the same units on the database (reach.ts).
import { systemClock } from '../core/clock.ts';
import { runAdmin } from './command.ts';

// Backups and restored databases are readable only by the user who runs the command (CONFIG-15).
process.umask(0o077);

try {
  // Read a .env file, as the service does; the environment takes precedence.
  process.loadEnvFile();
} catch {
  // There is no .env file.
}

const { env, stdin, stdout, stderr } = process;
process.exitCode = await runAdmin(process.argv.slice(2), { env, stdin, stdout, stderr, clock: systemClock });
