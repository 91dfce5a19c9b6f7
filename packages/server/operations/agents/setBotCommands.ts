import { ofCaller } from '../../commits/unit-locks.ts';
import { forbidden, invalid } from '../../core/errors.ts';
import { putCommands } from '../../store/bot-config.ts';
import { botOf } from '../../store/sessions.ts';
import { unit } from '../handler.ts';

/** Replaces the calling bot's commands (COMMAND-1). */
export default unit('setBotCommands', { locks: ofCaller }, async ({ tx, caller }, { commands }) => {
  if (!(await tx.get(botOf, caller.key))) throw forbidden('only a bot has commands');
  const names = new Set(commands.map(({ command }) => command));
  if (names.size < commands.length) throw invalid('commands', 'has a command twice');
  await tx.run(putCommands, caller.key, commands.length === 0 ? null : JSON.stringify(commands));
  return undefined;
});
