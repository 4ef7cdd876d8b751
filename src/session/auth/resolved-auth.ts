/** How a server is signed in to, as whoever dials it says; config's definitions have this form. */
import { nameDigest } from '../../base/index.ts';

export type MachineKind = 'client-credentials' | 'private-key-jwt' | 'workload' | 'enterprise';

export interface ResolvedAuth {
  readonly kind: 'none' | 'bearer' | 'oauth' | MachineKind;
  readonly values: Readonly<
    Partial<
      Record<
        | 'clientId'
        | 'clientSecret'
        | 'clientMetadataUrl'
        | 'scope'
        | 'issuer'
        | 'account'
        | 'algorithm'
        | 'privateKey'
        | 'privateKeyFile'
        | 'assertion'
        | 'assertionFile'
        | 'idToken'
        | 'idTokenFile'
        | 'idpTokenEndpoint'
        | 'idpClientId'
        | 'idpClientSecret'
        | 'token',
        string
      >
    >
  >;
  readonly redirectPort: number | undefined;
  readonly dpop: boolean;
}

/** Which client that acts for itself it is, by what its definition says of it; undefined where a person signs in. */
export function machineOf(auth: ResolvedAuth | undefined): string | undefined {
  if (!isMachine(auth)) return undefined;
  const { clientId, idpClientId, issuer, scope, assertionFile, idTokenFile } = auth.values;
  return nameDigest(JSON.stringify([auth.kind, clientId, idpClientId, issuer, scope, assertionFile, idTokenFile]));
}

/** Whether it signs in by itself, without a person. */
export function isMachine(auth: ResolvedAuth | undefined): auth is ResolvedAuth & { readonly kind: MachineKind } {
  return auth !== undefined && auth.kind !== 'none' && auth.kind !== 'bearer' && auth.kind !== 'oauth';
}
