// What a reply says about a conversation that no longer fits.
import { type AgentContext, limits as defaults, type Part } from '@parley/protocol';

/** The id of the notice among the parts of a reply. */
export const CONTEXT_NOTICE = 'context';

const saysSo = ({ id, type }: Part): boolean => id === CONTEXT_NOTICE && type === 'notice';

interface Context {
  /** How many messages the model receives. */
  sent: number;
  /** Whether older messages of the timeline are left out. */
  isCut: boolean;
  limits: Pick<AgentContext, 'messages' | 'characters'>;
  /** The parts of the agent's own replies among the messages that are sent. */
  ownParts: readonly (readonly Part[] | undefined)[];
}

/**
 * The notice of a reply whose model does not receive the whole timeline; undefined if it receives all, if a reply that
 * is sent to it says so already, or if the agent's owner has set that it receives less than usual: then it is meant to
 * (CONTEXT-22).
 */
export function contextNotice({ sent, isCut, limits, ownParts }: Context): string | undefined {
  if (limits.messages < defaults.contextMessages || limits.characters < defaults.contextCharacters) return undefined;
  if (!isCut || ownParts.some((parts) => parts?.some(saysSo))) return undefined;
  return sent === 1
    ? 'Only the last message was sent to the model. Earlier ones no longer fit.'
    : `Only the last ${sent} messages were sent to the model. Earlier ones no longer fit.`;
}
