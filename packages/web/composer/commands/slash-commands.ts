// Slash commands. May import: the rooms below composer.
import type { OperationName } from '@parley/protocol';
import { t } from '../../words/t.ts';

/** A slash command of the composer. */
const commandNames = ['stop', 'mute', 'unmute', 'pin', 'invite', 'rename'] as const;
type CommandName = (typeof commandNames)[number];

/** What the service is asked to do. */
export const operationOf: Readonly<Record<CommandName, OperationName>> = {
  stop: 'stopRun',
  mute: 'setChatNotifications',
  unmute: 'setChatNotifications',
  pin: 'pinMessage',
  invite: 'addMembers',
  rename: 'setChatTitle',
};

export interface Command {
  readonly name: CommandName;
  /** The placeholder of its argument, such as `@name`. */
  readonly argument?: string;
  readonly isArgumentNeeded?: true;
  readonly about: string;
}

/** What decides which commands a conversation has. */
interface CommandPlace {
  readonly isGroup: boolean;
  readonly isManager: boolean;
  readonly isMuted: boolean;
  readonly hasAgents: boolean;
}

/** The commands that a conversation has. */
export function commandsFor({ isGroup, isManager, isMuted, hasAgents }: CommandPlace): Command[] {
  const stop: Command = { name: 'stop', about: t('Stop all replies here') };
  const mute: Command = { name: 'mute', argument: '30m, 8h, 2d', about: t('Mute this conversation') };
  const unmute: Command = { name: 'unmute', about: t('Unmute this conversation') };
  const pin: Command = { name: 'pin', about: t('Pin the message you reply to, or the latest') };
  const invite: Command = {
    name: 'invite',
    argument: t('@name'),
    isArgumentNeeded: true,
    about: t('Add people to this group'),
  };
  const rename: Command = {
    name: 'rename',
    argument: t('title'),
    isArgumentNeeded: true,
    about: t('Rename this group'),
  };
  return [
    ...(hasAgents ? [stop] : []),
    isMuted ? unmute : mute,
    ...(isManager || !isGroup ? [pin] : []),
    ...(isGroup && isManager ? [invite, rename] : []),
  ];
}

export const matchingCommands = (commands: readonly Command[], query: string): Command[] =>
  commands.filter(({ name }) => name.startsWith(query));

export interface CommandCall {
  readonly command: Command;
  readonly argument: string;
}

/** Parses a text of one line as one of these commands; null if it is a message. */
export function parseCommand(text: string, commands: readonly Command[]): CommandCall | null {
  const match = /^\/([a-z]+)(?:[^\S\n]+(\S[^\n]*))?$/i.exec(text.trim());
  const command = commands.find(({ name }) => name === match?.[1]?.toLowerCase());
  return command ? { command, argument: (match?.[2] ?? '').trim() } : null;
}

const unitSeconds = { m: 60, h: 3_600, d: 86_400 } as const;

/** The seconds of `30m`, `8h` or `2d`; undefined for an empty text, null for an invalid one. */
export function secondsOf(span: string): number | null | undefined {
  if (span === '') return undefined;
  const match = /^(\d{1,4})\s*([mhd])$/i.exec(span);
  const unit = match?.[2]?.toLowerCase() as keyof typeof unitSeconds | undefined; // one of [mhd]
  const count = Number(match?.[1] ?? 0);
  return unit !== undefined && count > 0 ? count * unitSeconds[unit] : null;
}

/** The usernames in an argument such as `@ann bob, @cleo:bot`. */
export const namesIn = (argument: string): string[] =>
  [...new Set(argument.split(/[\s,]+/).map((name) => name.replace(/^@/, '').toLowerCase()))].filter(
    (name) => name !== '',
  );
