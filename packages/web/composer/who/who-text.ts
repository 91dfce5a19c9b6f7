// Who will answer a message: the line above the composer. May import: composer/composing and the rooms below composer.
import type { Result } from '@parley/protocol';
import { shownName } from '../../words/shown-name.ts';

export type Previewed = Result<'previewDispatch'>['agents'][number];

export const nameOf = ({ username, display_name }: Previewed): string =>
  shownName({ kind: 'agent', username, display_name });

/** `Ann`, `Ann and Bob`, `Ann, Bob and 3 others`. */
function listed(names: readonly string[]): string {
  const [first = '', second = '', ...others] = names;
  if (names.length <= 1) return first;
  if (others.length === 0) return `${first} and ${second}`;
  return `${first}, ${second} and ${others.length === 1 ? '1 other' : `${others.length} others`}`;
}

/** Who will answer and who pays for it, and which mentioned agents are not there; empty if there is nothing to say. */
export function whoText(agents: readonly Previewed[], absent: readonly string[], me: string): string {
  const able = agents.filter(({ needs_key }) => needs_key !== true);
  const unable = agents.filter(({ needs_key }) => needs_key === true);
  const payers = [...new Set(able.flatMap(({ payer }) => payer ?? []))];
  const paying = [...(payers.includes(me) ? ['you'] : []), ...payers.filter((payer) => payer !== me)];
  const paid = paying.length === 0 ? '' : `, paid by ${listed(paying)}`;
  const sentences = [
    able.length === 0 ? '' : `${listed(able.map(nameOf))} ${able.length === 1 ? 'answers' : 'answer'}${paid}`,
    unable.length === 0 ? '' : `${listed(unable.map(nameOf))} can’t answer without a key`,
    absent.length === 0
      ? ''
      : `${listed(absent.map((name) => `@${name}`))} ${absent.length === 1 ? 'is' : 'are'} not in this chat`,
  ];
  return sentences.filter((sentence) => sentence !== '').join('. ');
}
