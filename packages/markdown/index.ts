// The Markdown of messages: what of a text is code, a tag, a mention or a link, decided in one place for the service and
// the app. Pure functions of the text, without I/O and dependencies. Each takes linear time, for any text.

// Parsing.
export { blocksOf, codeIn, liveBlocks, mentionedIn, normalized, parseMarkdown, placedBlocks } from './parse.ts';
export type { CodePlaces } from './parse.ts';
export type { PlacedBlock } from './blocks.ts';
export type { Alignment, Attributes, Block, Cell, Inline, ListItem, Tag, Value } from './tree.ts';
export type { Mark, MarkKind, MarkListener } from './marks.ts';

// What a parsed text contains.
export { actionIn, tagsOf } from './tags.ts';
export { textOfBlocks, textOfInlines } from './text-of.ts';
export { nodesIn } from './walk.ts';

// Parts of the grammar, for callers that prepare unfinished text.
export { CodeSpans } from './code-spans.ts';
export { formulasIn, readFormula } from './formulas.ts';
export { mentionAt } from './mention.ts';
export { tagEnds } from './tag-ends.ts';
export { isNameBeginning } from './tag-names.ts';
export { isSpacedLetter } from './unspaced.ts';

// Text that is compared.
export { normalForm } from './normal-form.ts';

// Addresses that are safe to show as links and images.
export {
  fileAddress,
  hostOf,
  imageAddress,
  isMisleading,
  isOwnFile,
  linkAddress,
  usualAddresses,
} from './addresses.ts';
export type { AddressRules } from './addresses.ts';
