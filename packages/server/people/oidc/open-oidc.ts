import type { Closers } from '../../core/opening.ts';
import type { OidcIssuer } from './oidc-config.ts';
import { type OidcNeeds, OidcSignIns } from './oidc-sign-ins.ts';

export function openOidc(above: OidcNeeds & { config: { oidc: readonly OidcIssuer[] } }, opened: Closers): OidcSignIns {
  const signIns = new OidcSignIns(above.config.oidc, above);
  opened.defer(() => signIns.close());
  return signIns;
}
