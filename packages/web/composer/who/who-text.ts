// Who will answer a message: the line above the composer. May import: composer/composing and the rooms below composer.
import type { Result } from '@parley/protocol';
import { handleOf, shownName } from '../../words/shown-name.ts';
import { t } from '../../words/t.ts';

export type Previewed = Result<'previewDispatch'>['agents'][number];

export const nameOf = ({ username, display_name }: Previewed): string =>
  shownName({ kind: 'agent', username, display_name });

/** For visitors, who pay nothing and do not know who does (WIDGET-15). */
export const withoutPayer = (agent: Previewed): Previewed => ({ ...agent, payer: null, chain_for: undefined });

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
 * agents are not there; empty if there is nothing to say.
 */
export function whoText(agents: readonly Previewed[], absent: readonly string[], me: string): string {
  const able = agents.filter(({ needs_key }) => needs_key !== true);
  const unable = agents.filter(({ needs_key }) => needs_key === true);
  const payers = [...new Set(able.flatMap(({ payer }) => payer ?? []))];
  const paying = [...(payers.includes(me) ? [t('you')] : []), ...payers.filter((payer) => payer !== me)];
  const askers = able.filter(({ username, chain_for }) => chain_for === me && !username.startsWith(`${me}:`));
  const sentences = [
    able.length === 0 ? '' : answers(able, paying),
    askers.length === 0
      ? ''
      : t(
          '{count, plural, one {If it asks other agents, that counts as your request.} other {If they ask other agents, that counts as your request.}}',
          { count: able.length },
        ),
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

function answers(able: readonly Previewed[], paying: readonly string[]): string {
  const values = { count: able.length, names: listed(able.map(nameOf)), payers: listed(paying) };
  return paying.length === 0
    ? t('{count, plural, one {{names} answers.} other {{names} answer.}}', values)
    : t('{count, plural, one {{names} answers, paid by {payers}.} other {{names} answer, paid by {payers}.}}', values);
}
