/** Whether an address is on this service: files on other hosts are not loaded (WEB-2). */
export const isOwn = (url: string): boolean =>
  url !== '' && URL.canParse(url, location.href) && new URL(url, location.href).origin === location.origin;
