/** A name of somebody else within a text that is read as Markdown: in code it is no mention and no markup. */
export const codeSpan = (name: string): string => `\`${name.replaceAll(/[\s`]+/g, ' ').trim() || '…'}\``;
