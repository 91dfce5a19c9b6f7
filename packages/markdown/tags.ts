import { parseMarkdown } from './parse.ts';
import { readAnyTag } from './read-tag.ts';
import type { Attributes } from './tree.ts';
import { nodesIn } from './walk.ts';

/** The tags of a text, in order; also those that are shown as text, because nothing ends them or no tag has that name. */
export function* tagsOf(text: string): Generator<{ readonly name: string; readonly attributes: Attributes }> {
  if (!text.includes('{%')) return;
  for (const node of nodesIn(parseMarkdown(text))) {
    const tag = node.kind === 'markup' ? readAnyTag(node.text) : node.kind === 'tag' ? node : undefined;
    if (tag && !('form' in tag && tag.form === 'close')) yield tag;
  }
}

/** The action of a button or the id of a form: a text, or a number as JavaScript writes it (ACTION-10). */
export function actionIn(attributes: Attributes, name: 'action' | 'id'): string {
  const value = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
