import { type AddressRules, usualAddresses } from '@parley/markdown';

/** Pages of the app, the help and the documents, without anything but an anchor: such a link only opens a page. */
const OWN_PAGE =
  /^\/(?:new|inbox|browse|settings\/[a-z]+(?:\/new)?|help(?:\/[a-z]{2})?|docs(?:\/[\w-]+)*(?:\.html)?)(?:#[\w-]+)?$/;

/** Whether a link of a message leads to a page of this service, as those of the guide do (WEB-560). */
export const isOwnPage = (address: string): boolean => OWN_PAGE.test(address);

/** Which addresses become links in the app: beside the usual ones, its own pages. */
export const appAddresses: AddressRules = {
  ...usualAddresses,
  ofLink: (text) => (isOwnPage(text) ? text : usualAddresses.ofLink(text)),
};
