/** The code of a sign-in at an issuer that has just led back here; it stays in no address. */
export function takeSignInCode(): string | null {
  const code = new URLSearchParams(location.hash.slice(1)).get('sign_in');
  if (code !== null) history.replaceState(history.state, '', location.pathname + location.search);
  return code;
}
