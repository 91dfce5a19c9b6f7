// Who will answer a message: the line above the composer. May import: composer/composing and the rooms below composer.
import type { Result } from '@parley/protocol';
import { OWN_TOOLS } from '@parley/protocol/built-in-tools';
import { firstOf } from '../../words/list-of.ts';
import { ownToolLabel } from '../../words/own-tool-labels.ts';
import { SERVICE } from '../../words/service-names.ts';
import { handleOf, shownName } from '../../words/shown-name.ts';
import { t } from '../../words/t.ts';

export type Previewed = Result<'previewDispatch'>['agents'][number];

export const nameOf = ({ username, display_name }: Previewed): string =>
  shownName({ kind: 'agent', username, display_name });

/** For visitors, who pay nothing and do not know who does (WIDGET-15). */
export const withoutPayer = (agent: Previewed): Previewed => ({
  ...agent,
  payer: null,
  chain_for: undefined,
  tools: undefined,
});

/** `Ann`, `Ann and Bob`, `Ann, Bob and 3 others`. */
function listed(names: readonly string[]): string {
  const [first = '', second = '', ...others] = names;
  if (names.length <= 1) return first;
  if (others.length === 0) return t('{first} and {second}', { first, second });
  return t('{first}, {second} and {count, plural, one {# other} other {# others}}', {
    first,
    second,
    count: others.length,
  });
}

/**
 * Who will answer and who pays for it, whether agents of others may ask further ones for the user, and which mentioned
 * agents are not there. `nameOfPerson`: the names of payers, where they are known. Empty if there is nothing to say.
 */
export function whoText(
  agents: readonly Previewed[],
  absent: readonly string[],
  me: string,
  nameOfPerson: (username: string) => string = (username) => username,
): string {
  const able = agents.filter(({ needs_key }) => needs_key !== true);
  const unable = agents.filter(({ needs_key }) => needs_key === true);
  const payers = [...new Set(able.flatMap(({ payer }) => payer ?? []))];
  const others = payers
    .filter((payer) => payer !== me)
    .map((payer) => (payer === SERVICE ? t('this server') : nameOfPerson(payer)));
  const paying = [...(payers.includes(me) ? [t('you')] : []), ...others];
  const askers = able.filter(({ username, chain_for }) => chain_for === me && !username.startsWith(`${me}:`));
  const sentences = [
    able.length === 0 ? '' : answers(able, paying),
    askers.length === 0
      ? ''
      : t(
          '{count, plural, one {If it asks other agents, that counts as your request.} other {If they ask other agents, that counts as your request.}}',
          { count: able.length },
        ),
    toolsText(able, me, nameOfPerson),
    unable.length === 0
      ? ''
      : t('{count, plural, one {{names} can’t answer without a key.} other {{names} can’t answer without a key.}}', {
          count: unable.length,
          names: listed(unable.map(nameOf)),
        }),
    absent.length === 0
      ? ''
      : t('{count, plural, one {{names} isn’t in this chat.} other {{names} aren’t in this chat.}}', {
          count: absent.length,
          names: listed(absent.map(handleOf)),
        }),
  ];
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

/** Maximum servers that are named, and maximum tools of each. */
const NAMED = 3;

/**
 * Which tools the agent may use, with whose account, and after how many calls it asks; of several agents, how many servers
 * of tools they may use. Empty if they have none.
 */
function toolsText(agents: readonly Previewed[], me: string, nameOfPerson: (username: string) => string): string {
  const [agent, ...others] = agents;
  if (!agent) return '';
  if (others.length > 0) {
    const count = agents.flatMap(({ tools = [] }) => tools.filter(({ server }) => server !== OWN_TOOLS)).length;
    return count === 0
      ? ''
      : t('Together they may use {count, plural, one {# server of tools} other {# servers of tools}}.', { count });
  }
  const { tools = [], budget } = agent;
  if (tools.length === 0) return '';
  const owner = agent.username.split(':', 1)[0] ?? '';
  const servers = firstOf(
    tools.map((server) => serverText(server, { owner, ownerName: nameOfPerson(owner), me })),
    NAMED,
  );
  const calls = budget?.calls ?? 0;
  const what = t('It may use {servers}.', { servers });
  return calls === 0
    ? what
    : `${what} ${t('It asks again after {calls, plural, one {# call} other {# calls}}.', { calls })}`;
}

function serverText(
  { server, names, as }: NonNullable<Previewed['tools']>[number],
  { owner, ownerName, me }: { owner: string; ownerName: string; me: string },
): string {
  // It uses nobody's account elsewhere.
  if (server === OWN_TOOLS) return `${server} (${firstOf(names.map(ownToolLabel), NAMED)})`;
  const account =
    as === 'none'
      ? t('without an account')
      : as === 'asker' || owner === me
        ? t('with your account')
        : t('with the account of {name}', { name: ownerName });
  return names.length === 0 ? `${server} (${account})` : `${server} (${firstOf(names, NAMED)}; ${account})`;
}

function answers(able: readonly Previewed[], paying: readonly string[]): string {
  const values = { count: able.length, names: listed(able.map(nameOf)), payers: listed(paying) };
  return paying.length === 0
    ? t('{count, plural, one {{names} answers.} other {{names} answer.}}', values)
    : t('{count, plural, one {{names} answers, paid by {payers}.} other {{names} answer, paid by {payers}.}}', values);
}
