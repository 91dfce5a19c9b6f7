/** The mean weight of the characters from which an encoding is sure, and by how much it must be above all others. */
const SURE = 0.75;
const AHEAD = 0.15;
/**
 * EUC-KR syllables and common GBK characters share byte ranges. MANY: minimum characters that decide for Korean when all
 * of them are common syllables.
 */
const MANY = 8;
/** Minimum characters that decide for Chinese. */
const FEW = 4;

const isBetween = (value: number, first: number, last: number): boolean => value >= first && value <= last;

interface Candidate {
  readonly encoding: string;
  /** How usual a character of two bytes is in texts of this encoding, from 0 to 1. */
  readonly weigh: (lead: number, trail: number) => number;
  /** How usual a single byte above ASCII is; undefined where it is the first of two. */
  readonly single: (byte: number) => number | undefined;
}

const none = (): undefined => undefined;

const candidates: readonly Candidate[] = [
  {
    encoding: 'gb18030',
    weigh: (lead, trail) => {
      if (trail < 0xa1) return 0;
      if (isBetween(lead, 0xb0, 0xd7) || (isBetween(lead, 0xa1, 0xa3) && trail >= 0xa1)) return 1;
      return isBetween(lead, 0xd8, 0xf7) ? 0.3 : 0.1;
    },
    single: (byte) => (byte === 0x80 || byte === 0xff ? 0 : undefined),
  },
  {
    encoding: 'shift_jis',
    weigh: (lead, trail) => {
      // Punctuation, hiragana and katakana, then frequent characters.
      if (lead === 0x81 || (lead === 0x82 && trail >= 0x4f) || (lead === 0x83 && trail <= 0x96)) return 1;
      return isBetween(lead, 0x88, 0x98) ? 0.9 : 0.1;
    },
    single: (byte) => (isBetween(byte, 0xa1, 0xdf) ? 0.3 : undefined),
  },
  {
    encoding: 'euc-kr',
    weigh: (lead, trail) => {
      if (trail < 0xa1) return 0.1;
      return isBetween(lead, 0xb0, 0xc8) || isBetween(lead, 0xa1, 0xa3) ? 1 : 0.2;
    },
    single: none,
  },
  {
    encoding: 'euc-jp',
    weigh: (lead, trail) => {
      if (trail < 0xa1) return 0;
      if (isBetween(lead, 0xa4, 0xa5) || lead === 0xa1) return 1;
      return isBetween(lead, 0xb0, 0xcf) ? 0.8 : 0.1;
    },
    single: none,
  },
  {
    encoding: 'big5',
    // Other encodings have no second bytes below 0xa1, and this one has many.
    weigh: (lead, trail) => (isBetween(lead, 0xa1, 0xc6) ? (trail < 0xa1 ? 1 : 0.8) : 0.2),
    single: none,
  },
];

/** Characters that most texts of a language have, apart from very short ones. */
const frequent: Readonly<Record<string, RegExp>> = {
  gb18030:
    /[的一是不了在人有我他这中大来上个国们到说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家事成方多经么去法学如都同现没动面起看定天分还进好小部其些主样理心本前开但因只从想实日姓名称数量单位价格期电话址备注合计金额编号序项目类型公司部门城市区月件测试]/gu,
  'euc-kr': /[이다는을의에고가하지로기사한은를도서어인대그시리나일해자것수있었과으들]/gu,
};

/** The East Asian encoding of a text from its first byte that is not ASCII; undefined if it is not sure. */
export function asianEncodingOf(sample: Uint8Array): string | undefined {
  const found = candidates
    .map((candidate) => ({ encoding: candidate.encoding, ...weightOf(sample, candidate) }))
    .toSorted((one, other) => other.weight - one.weight);
  const [best, second] = found;
  if (!best || best.weight < SURE) return undefined;
  if (!second || best.weight - second.weight >= AHEAD) return best.encoding;
  const korean = found.find(({ encoding }) => encoding === 'euc-kr');
  const chinese = found.find(({ encoding }) => encoding === 'gb18030');
  if (!korean || !chinese || korean.weight < best.weight - AHEAD) return ofChineseAndJapanese(sample, best, second);
  const [ofKorean, ofChinese] = [countOf(sample, 'euc-kr'), countOf(sample, 'gb18030')];
  if (ofKorean > ofChinese) return 'euc-kr';
  if (ofChinese > ofKorean) return 'gb18030';
  // Korean texts have hardly any Chinese characters today.
  if (korean.weight < chinese.weight) return chinese.count >= FEW ? 'gb18030' : undefined;
  return korean.weight === 1 && korean.count >= MANY ? 'euc-kr' : undefined;
}

/** Chinese texts without rarer characters look like Japanese ones without syllables, which hardly exist. */
function ofChineseAndJapanese(sample: Uint8Array, ...[one, other]: [Weighed, Weighed]): string | undefined {
  if (one.encoding !== 'gb18030' || one.weight === other.weight) return undefined;
  return one.count >= MANY && countOf(sample, 'gb18030') > 0 ? one.encoding : undefined;
}

interface Weighed {
  readonly encoding: string;
  readonly weight: number;
  readonly count: number;
}

function countOf(sample: Uint8Array, encoding: string): number {
  const text = new TextDecoder(encoding).decode(sample);
  return text.match(frequent[encoding] ?? /(?!)/)?.length ?? 0;
}

/** The mean weight of the characters above ASCII; 0 if the bytes are not in the encoding. */
function weightOf(sample: Uint8Array, { encoding, weigh, single }: Candidate): { weight: number; count: number } {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(sample, { stream: true });
  } catch {
    return { weight: 0, count: 0 };
  }
  let sum = 0;
  let count = 0;
  for (let at = 0; at < sample.length; at += 1) {
    const byte = sample[at] ?? 0;
    if (byte < 0x80) continue;
    const alone = single(byte);
    const trail = sample[at + 1];
    if (alone === undefined) {
      if (trail === undefined) break;
      sum += weigh(byte, trail);
      at += 1;
    } else sum += alone;
    count += 1;
  }
  return { weight: count === 0 ? 0 : sum / count, count };
}
