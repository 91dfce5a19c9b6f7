// What holds of pictures that models draw, whoever asks for them (PICTURE-1).

export const pictureLimits = {
  /** Pictures that one turn may ask for: each costs money. */
  perTurn: 4,
  /** Attachments of one reply, which a continued reply could exceed. */
  perMessage: 10,
  /** Bytes of one answer of a vendor, or of the address that it names. */
  answerBytes: 20 * 1024 * 1024,
  /** How long a vendor may take. */
  ms: 120_000,
  pixels: 50_000_000,
  /** UTF-16 units of an alternative text. */
  altLength: 1_000,
} as const;

/** Tokens of a picture as they are reserved, and booked where a vendor reports none: a large one of OpenAI's. */
export const TOKENS_OF_PICTURE = 6_500;

const DRAWS = /image|dall-e|flux|stable-diffusion|sdxl/i;
const DOES_SOMETHING_ELSE = /embed|vision|edit|inpaint|caption/i;

/** The model that draws, among those that a server lists. */
export const imageModelOf = (models: readonly { id: string }[]): string | undefined =>
  models.find(({ id }) => DRAWS.test(id) && !DOES_SOMETHING_ELSE.test(id))?.id;

/** What a picture shows, in one line without characters that hide or reorder text. */
export const altOf = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, pictureLimits.altLength)
    .toWellFormed();
