import type { Actor, BotCommand } from '@parley/protocol';

/** A command of a bot in this conversation. */
export interface OfferedCommand {
  readonly bot: Actor;
  readonly command: BotCommand;
  /** What is sent before the arguments: `/weather`, with the bot's mention where nothing else fires the bot. */
  readonly call: string;
}

interface Place {
  readonly isGroup: boolean;
  /** Names of the app's own commands, which come before those of bots. */
  readonly ownNames: ReadonlySet<string>;
}

/** The commands of all bots, each with the text that calls it. */
export const offeredCommands = (
  items: readonly { readonly bot: Actor; readonly commands: readonly BotCommand[] }[],
  { isGroup, ownNames }: Place,
): OfferedCommand[] =>
  items.flatMap(({ bot, commands }) =>
    commands.map((command) => {
      const call = `/${command.command}`;
      const isMentionNeeded = isGroup || ownNames.has(command.command);
      return { bot, command, call: isMentionNeeded ? `@${bot.username} ${call}` : call };
    }),
  );

export const matchingOffered = (offered: readonly OfferedCommand[], query: string): OfferedCommand[] =>
  offered.filter(({ command }) => command.command.startsWith(query));

/** The command whose arguments a person is typing; null if there is none. */
export const commandAt = (text: string, offered: readonly OfferedCommand[]): OfferedCommand | null =>
  offered.find(({ call, command }) => (command.arguments?.length ?? 0) > 0 && text.startsWith(`${call} `)) ?? null;

/** The arguments as people read them, such as `city [unit]`. */
export const argumentsOf = ({ arguments: given }: BotCommand): string =>
  (given ?? []).map(({ name, required }) => (required ? name : `[${name}]`)).join(' ');
