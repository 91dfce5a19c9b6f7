import { keepEmoji } from '../../emoji/recent-emoji.ts';
import type { CommandCall } from '../commands/slash-commands.ts';
import { type Completing, withChosen } from './completing.ts';
import type { Option } from './use-completion.ts';

interface Choosing {
  text: string;
  completing: Completing | null;
  onSend: (text: string) => void;
  onCommand: (call: CommandCall) => void;
  onWrite: (text: string, caret?: number) => void;
}

/** Sends a bot's result, runs, sends or begins a command, or completes a mention or an emoji. */
export function chooseOption(option: Option, { text, completing, onSend, onCommand, onWrite }: Choosing): void {
  if (option.kind === 'inline') return onSend(option.text);
  if (option.kind === 'command') {
    const { command } = option;
    return command.argument === undefined ? onCommand({ command, argument: '' }) : onWrite(`/${command.name} `);
  }
  if (option.kind === 'bot-command') {
    const { call, command } = option.offered;
    return (command.arguments?.length ?? 0) === 0 ? onSend(call) : onWrite(`${call} `);
  }
  if (completing?.kind !== (option.kind === 'group' ? 'mention' : option.kind)) return undefined;
  if (option.kind === 'emoji') keepEmoji(option.emoji);
  const done = withChosen(text, completing, chosenText(option));
  return onWrite(done.text, done.caret);
}

const chosenText = (option: Extract<Option, { kind: 'emoji' | 'mention' | 'group' }>): string => {
  if (option.kind === 'emoji') return option.emoji;
  return `@${option.kind === 'group' ? option.group.name : option.person.username}`;
};
