// The admin command, `npm run admin -- …`: what whoever runs the service does to it, beside it or while it is stopped.
// Writing goes through the running service (channel.ts) or, where none runs, the same units on the file (reach.ts).
import { systemClock } from '../core/clock.ts';
import { runAdmin } from './command.ts';

// Backups and restored databases are readable by their user alone (CONFIG-15).
process.umask(0o077);

try {
  // As the service does; the environment wins over it.
  process.loadEnvFile();
} catch {
  // There is none.
}

const { env, stdin, stdout, stderr } = process;
process.exitCode = await runAdmin(process.argv.slice(2), { env, stdin, stdout, stderr, clock: systemClock });
