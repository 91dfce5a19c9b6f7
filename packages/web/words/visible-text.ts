/** Control characters, and those that reorder or hide text: what is allowed is to be seen as it is sent. */
const HIDDEN =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\u{E0000}-\u{E007F}]/gu;

/** A text as it is sent: what a screen would not show is written as its code. */
export const visibleText = (text: string): string =>
  text.replaceAll(HIDDEN, (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`);
