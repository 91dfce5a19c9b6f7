import { arrows } from '../../words/language.ts';

/** Moves the focus in the list, and folds and unfolds a group, as the arrow keys do in a tree (WEB-521). Loaded with the first key. */
export function pressInList(
  links: readonly HTMLElement[],
  { target, key }: { target: HTMLElement; key: string },
  onUnfold: (chatId: string, isUnfolded: boolean) => void,
): void {
  const at = links.indexOf(target);
  const [chatId = '', isBelow] = (target.dataset['listRow'] ?? '').split('|', 2);
  const isUnfolded = target.ariaExpanded;
  const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: links.length - 1 }[key];
  if (to !== undefined) links[to]?.focus();
  else if (key === arrows.forward && isUnfolded === 'false') onUnfold(chatId, true);
  else if (key === arrows.forward && isUnfolded === 'true') links[at + 1]?.focus();
  else if (key === arrows.back && isUnfolded === 'true') onUnfold(chatId, false);
  else if (key === arrows.back && isBelow !== undefined)
    links.find(({ dataset }) => dataset['listRow'] === chatId)?.focus();
}
