import { fits, limits } from '@parley/protocol';
import type { TextReading } from '../rules/text-reading.ts';
import type { OpenCall } from './handler.ts';
import type { Needs } from './rooms.ts';

/** Reads a long text before the unit that stores it, which would delay all other writes (ERR-14). */
export async function readLongText(
  { caller }: OpenCall,
  { text }: { text: string },
  { textReader }: Needs<'textReader'>,
): Promise<TextReading | undefined> {
  // The unit refuses a text that is too long.
  if (!caller || !fits(text, caller.kind === 'human' ? limits.humanTextBytes : limits.agentTextBytes)) return undefined;
  return textReader.read(text, caller.ownerKey);
}
