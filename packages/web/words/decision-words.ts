// What the app says of a decision in its own words: the service asks in English (WEB-430).
import type { Decision, DecisionOption, Message } from '@parley/protocol';
import { questionIn } from '@parley/protocol/decision-text';
import { codeSpan } from './code-span.ts';
import { shownName } from './shown-name.ts';
import { t } from './t.ts';
import { toolTitle } from './tool-title.ts';

type Asking = Pick<Message, 'content' | 'sender'> & { decision: Decision };

/** What the service asks for a turn of an agent, as Markdown; undefined where the words are somebody else's. */
export function askedByService({ sender, decision }: Omit<Asking, 'content'>): string | undefined {
  const { kind, call, login, budget } = decision;
  const agent = codeSpan(shownName(sender));
  if (kind === 'call' && call)
    return t('May {agent} use {tool} on {host}?', {
      agent,
      tool: codeSpan(toolTitle({ name: call.tool, title: call.title })),
      host: codeSpan(call.host),
    });
  if (kind === 'login' && login)
    return t('{agent} needs you to sign in to {host}.', { agent, host: codeSpan(login.host) });
  if (kind === 'budget' && budget?.chain) return chainText(budget.chain);
  if (kind === 'budget' && budget?.calls !== undefined)
    return t('{agent} has used tools {calls, plural, one {# time} other {# times}} for this reply. May it go on?', {
      agent,
      calls: budget.calls,
    });
  return undefined;
}

/** What a chain of agents has done so far (DISPATCH-22). */
function chainText({ replies, usage }: NonNullable<NonNullable<Decision['budget']>['chain']>): string {
  if (!usage)
    return t('Agents have written {replies, plural, one {# reply} other {# replies}} to one message. May they go on?', {
      replies,
    });
  return t(
    'Agents have written {replies, plural, one {# reply} other {# replies}} to one message, with {tokens, number} tokens. May they go on?',
    { replies, tokens: usage.input_tokens + usage.output_tokens },
  );
}

/** The question of a decision as the app shows it, as Markdown. */
export const decisionText = (asking: Asking): string =>
  askedByService(asking) ?? questionIn(asking.content, asking.decision);

type Labels = Readonly<Record<string, string>>;

const ofCalls: Labels = {
  decline: t('Don’t allow'),
  once: t('Allow once'),
  chat: t('Always allow in this conversation'),
  always: t('Always allow'),
};
/** The label of an option of a decision about a call. */
export const callOptionLabel = (id: string): string => (Object.hasOwn(ofCalls, id) ? (ofCalls[id] ?? id) : id);

const labelsOf: Readonly<Partial<Record<Decision['kind'], Labels>>> = {
  call: ofCalls,
  login: { decline: t('Decline'), done: t('Signed in') },
  input: { decline: t('Decline'), submit: t('Send') },
  budget: { stop: t('Stop'), go_on: t('Go on') },
};
/** Those that the service gives to a form without options. */
const ofForms: Labels = { Submit: t('Submit'), Decline: t('Decline') };

/** The label of an option: the service's own in the app's words, those of people and bots in theirs. */
export function optionLabel({ kind, form }: Pick<Decision, 'kind' | 'form'>, { id, label }: DecisionOption): string {
  const own = labelsOf[kind];
  if (own && Object.hasOwn(own, id)) return own[id] ?? label;
  if (kind === 'question' && form && label.toLowerCase() === id && Object.hasOwn(ofForms, label))
    return ofForms[label] ?? label;
  return label;
}

/** The label of the option that was chosen. */
export function chosenLabel(decision: Decision): string {
  const id = decision.option ?? '';
  return optionLabel(decision, decision.options.find((option) => option.id === id) ?? { id, label: id });
}
