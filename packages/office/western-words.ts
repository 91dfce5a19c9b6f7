/** A Western word for this many letters that could be those of Windows-1250 decides for Windows-1252. */
const LETTERS_PER_WORD = 2;

/** Words of Western languages that no language of Central Europe has: `est` and `van` are Hungarian, `les` is Czech. */
const words = new Set(
  [
    'à dans du une pour que qui avec aux il elle où sont était être même très après déjà voilà père mère',
    'y con año años señor señora niño niña españa',
    'não são mãe pão dos das ao também mais',
    'che di della delle gli nel alla più già perché può così città',
    'els amb què això',
    'het een voor zijn niet ook wordt',
    'the of and with that this from',
    'und die das nicht ist eine auf für',
    'og at det er til af ikke fra jeg på så får år være',
    'och att inte ett från är när',
  ]
    .join(' ')
    .split(' '),
);

/**
 * What else only Western texts have: `l’` and `d’` before a word, `ñ` before a vowel, `ão`, `ç` or `ß`, and `å` at the end
 * of a word or at its beginning, where Slovak has no `ĺ`.
 */
const western = /(?<!\p{L})(?:[ldjn]|qu)['’](?=\p{L})|ñ(?=[aeiouáéíóú])|ão|[çß]|(?<!\p{L})å|å(?!\p{L})/gu;

/** Whether a text has enough of them for so many letters that are in doubt. Linear in the text. */
export function hasWesternWords(text: string, doubts: number): boolean {
  const small = text.toLowerCase();
  const count = small.match(/\p{L}+/gu)?.filter((word) => words.has(word)).length ?? 0;
  return (count + (small.match(western)?.length ?? 0)) * LETTERS_PER_WORD >= doubts;
}
