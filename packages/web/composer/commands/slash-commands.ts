/** What can be done from the composer's line. */
export const commandNames = ['stop', 'mute', 'unmute', 'pin', 'invite', 'rename'] as const;
export type CommandName = (typeof commandNames)[number];

export interface Command {
  readonly name: CommandName;
  /** What stands behind it, as it is shown: `@name`. */
  readonly argument?: string;
  readonly isArgumentNeeded?: true;
  readonly about: string;
}

/** What the conversation allows. */
export interface CommandPlace {
  readonly isGroup: boolean;
  readonly isManager: boolean;
  readonly isMuted: boolean;
  readonly hasAgents: boolean;
}

/** The commands that make sense in a conversation. */
export function commandsFor({ isGroup, isManager, isMuted, hasAgents }: CommandPlace): Command[] {
  const stop: Command = { name: 'stop', about: 'Stop every reply that is being written here' };
  const mute: Command = { name: 'mute', argument: '30m, 8h, 2d', about: 'Be told nothing, for a while or for good' };
  const unmute: Command = { name: 'unmute', about: 'Be told of new messages again' };
  const pin: Command = { name: 'pin', about: 'Pin the message you reply to, or the newest' };
  const invite: Command = {
    name: 'invite',
    argument: '@name',
    isArgumentNeeded: true,
    about: 'Add people to this group',
  };
  const rename: Command = {
    name: 'rename',
    argument: 'title',
    isArgumentNeeded: true,
    about: 'Give this group another name',
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

/** A text that is a command of this place, on one line; null for a message. */
export function parseCommand(text: string, commands: readonly Command[]): CommandCall | null {
  const match = /^\/([a-z]+)(?:[^\S\n]+([^\n]*))?$/i.exec(text.trim());
  const command = commands.find(({ name }) => name === match?.[1]?.toLowerCase());
  return command ? { command, argument: (match?.[2] ?? '').trim() } : null;
}

const unitSeconds = { m: 60, h: 3_600, d: 86_400 } as const;

/** Seconds of `30m`, `8h`, `2d`; undefined for nothing, null for what is no span of time. */
export function secondsOf(span: string): number | null | undefined {
  if (span === '') return undefined;
  const match = /^(\d{1,4})\s*([mhd])$/i.exec(span);
  const unit = match?.[2]?.toLowerCase() as keyof typeof unitSeconds | undefined; // one of [mhd]
  const count = Number(match?.[1] ?? 0);
  return unit !== undefined && count > 0 ? count * unitSeconds[unit] : null;
}

/** The usernames in an argument: `@ann bob, @cleo:bot`. */
export const namesIn = (argument: string): string[] =>
  [...new Set(argument.split(/[\s,]+/).map((name) => name.replace(/^@/, '').toLowerCase()))].filter(
    (name) => name !== '',
  );
