/** What a scenario needs of the server's entry in servers.json, beside its URL. */
import type { JsonObject } from '../../src/base/index.ts';

/** The name that the server of a run is configured under. */
export const server = 'conformance';

const auths: Readonly<Record<string, (context: JsonObject) => JsonObject>> = {
  'auth/pre-registration': ({ client_id, client_secret }) =>
    present({ clientId: client_id, clientSecret: client_secret }),
  'auth/client-credentials-basic': ({ client_id, client_secret }) =>
    present({ type: 'client-credentials', clientId: client_id, clientSecret: client_secret }),
  'auth/client-credentials-jwt': ({ client_id, private_key_pem, signing_algorithm = 'ES256' }) =>
    present({
      type: 'private-key-jwt',
      clientId: client_id,
      privateKey: private_key_pem,
      algorithm: signing_algorithm,
    }),
  'auth/enterprise-managed-authorization': (context) =>
    present({
      type: 'enterprise',
      clientId: context['client_id'],
      clientSecret: context['client_secret'],
      idToken: context['idp_id_token'],
      idpTokenEndpoint: context['idp_token_endpoint'],
      idpClientId: context['idp_client_id'],
    }),
  'auth/wif-jwt-bearer': ({ client_id, valid_jwt }) =>
    present({ type: 'workload', clientId: client_id, assertion: valid_jwt }),
  'auth/dpop': () => ({ dpop: true }),
  'auth/dpop-nonce': () => ({ dpop: true }),
};

/** The document that the suite knows as a client's. */
const clientMetadataUrl = 'https://conformance-test.local/client-metadata.json';

/** `servers.json` for a scenario; `context`: data that some of them hand over. */
export function serversFor(scenario: string, url: string, context: JsonObject): JsonObject {
  const auth = auths[scenario]?.(context) ?? { clientMetadataUrl };
  return { mcpServers: { [server]: { url, ...(scenario.startsWith('auth/') ? { auth } : {}) } } };
}

function present(members: Readonly<Record<string, JsonObject[string] | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(members).filter((member): member is [string, JsonObject[string]] => member[1] !== undefined),
  );
}
