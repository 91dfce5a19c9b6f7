import type { CommandCall } from '../commands/slash-commands.ts';
import { type Completing, withMention } from './completing.ts';
import type { Option } from './use-completion.ts';

interface Choosing {
  text: string;
  completing: Completing | null;
  onSend: (text: string) => void;
  onCommand: (call: CommandCall) => void;
  onWrite: (text: string, caret?: number) => void;
}

/** Sends a bot's result, runs or begins a command, or completes a mention. */
export function chooseOption(option: Option, { text, completing, onSend, onCommand, onWrite }: Choosing): void {
  if (option.kind === 'inline') return onSend(option.text);
  if (option.kind === 'command') {
    const { command } = option;
    return command.argument === undefined ? onCommand({ command, argument: '' }) : onWrite(`/${command.name} `);
  }
  if (completing?.kind !== 'mention') return undefined;
  const done = withMention(text, completing, option.person.username);
  return onWrite(done.text, done.caret);
}
