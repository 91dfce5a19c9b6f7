const MOST = 3;
const MAX_LENGTH = 60;
const EMOJI =
  /^(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier}|\u200d)|\p{Regional_Indicator}{2}|[\d#*]\ufe0f?\u20e3)/u;

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Whether a text is one to three emoji and nothing else: such messages are shown large. */
export function isFewEmoji(text: string): boolean {
  const solid = text.length > MAX_LENGTH ? '' : text.replaceAll(/\s/g, '');
  if (solid === '') return false;
  const signs = [...segmenter.segment(solid)];
  return signs.length <= MOST && signs.every(({ segment }) => EMOJI.test(segment));
}
