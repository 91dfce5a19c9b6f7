// What a reply says about a conversation that no longer fits.
import { type AgentContext, limits as defaults, type Part } from '@parley/protocol';
import type { Notice } from './reply-parts.ts';
import type { Summary } from './summaries.ts';

/** The id of the notice among the parts of a reply. */
export const CONTEXT_NOTICE = 'context';

const saysSo = ({ id, type }: Part): boolean => id === CONTEXT_NOTICE && type === 'notice';

type Limits = Pick<AgentContext, 'messages' | 'characters'>;

/** Whether the model may receive as much as by default: otherwise the agent's owner wants it to receive less. */
export const isFullContext = ({ messages, characters }: Limits): boolean =>
  messages >= defaults.contextMessages && characters >= defaults.contextCharacters;

interface Context {
  /** How many messages the model receives. */
  sent: number;
  /** Whether older messages of the timeline are left out. */
  isCut: boolean;
  limits: Limits;
  /** The parts of the agent's own replies among the messages that are sent. */
  ownParts: readonly (readonly Part[] | undefined)[];
  summary: Summary | undefined;
}

/**
 * The notice of a reply whose model does not receive the whole timeline; undefined if it receives all, if a reply that
 * is sent to it says so already, or if the agent's owner has set that it receives less than usual: then it is meant to
 * (CONTEXT-22).
 */
export function contextNotice({ sent, isCut, limits, ownParts, summary }: Context): Notice | undefined {
  if (!isFullContext(limits) || !isCut || ownParts.some((parts) => parts?.some(saysSo))) return undefined;
  const hasOthers = !summary || !summary.isWhole || summary.leftOut > 0;
  return {
    text: textOf(sent, summary?.messages, hasOthers),
    cause: {
      kind: 'messages_left_out',
      sent,
      ...(summary && { summarized: summary.messages }),
      has_others: hasOthers,
    },
  };
}

function textOf(sent: number, summarized: number | undefined, hasOthers: boolean): string {
  const last = sent === 1 ? 'Only the last message was' : `Only the last ${sent} messages were`;
  if (summarized === undefined) return `${last} sent to the model. Earlier ones no longer fit.`;
  const earlier = summarized === 1 ? 'an earlier one' : `${summarized} earlier ones`;
  return `${last} sent to the model, with a summary of ${earlier}.${hasOthers ? ' The others no longer fit.' : ''}`;
}
