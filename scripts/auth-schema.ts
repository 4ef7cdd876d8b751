/** How an entry of servers.json says that its server is signed in to: `auth`, and OpenCode's `oauth`. */
import { z } from 'zod';
import { authKinds, type AuthMember } from '../src/config/auth.ts';
import { standardAlgorithm } from '../src/session/auth/grants.ts';

const reference = 'May hold ${VARIABLE} and ${VARIABLE:-default}.';

const text = (description: string, example: string): z.ZodOptional<z.ZodString> =>
  z
    .string()
    .meta({ description: `${description} ${reference}`, examples: [example] })
    .optional();

/** What a person's sign-in may have, and others too. */
export const signInMembers = {
  clientId: text('The client that is registered at the authorization server. Default: one is registered.', 'abc'),
  clientSecret: text('Its secret.', '${keychain:docs-client}'),
  clientMetadataUrl: text(
    'https:// URL of a client metadata document, which is the client id.',
    'https://example.com/client.json',
  ),
  scope: text('Scopes to ask for, separated by blanks. Default: what the server asks for.', 'read write'),
  scopes: z
    .array(z.string())
    .meta({ description: 'The same as a list; scope wins.', examples: [['read', 'write']] })
    .optional(),
  issuer: text(
    'The only authorization server that is given a credential. Default: the one that it was used with first.',
    'https://login.example.com',
  ),
  account: text('Which of several stored sign-ins is used. Default: the latest.', 'work'),
  redirectPort: z
    .number()
    .min(1)
    .max(65_535)
    .meta({
      description: 'Port that is registered for the answer of a sign-in. Default: a free one.',
      examples: [8123],
    })
    .optional(),
  dpop: z
    .boolean()
    .meta({
      description: 'Bind tokens to a key of this machine (RFC 9449), where the authorization server knows that.',
      default: false,
      examples: [true],
    })
    .optional(),
};

/** What other kinds than a person's sign-in have. */
const machineMembers = {
  token: text('bearer: the token.', '${keychain:docs-token}'),
  privateKey: text('private-key-jwt: the key, PKCS #8 in PEM.', '${keychain:docs-key}'),
  privateKeyFile: text('private-key-jwt: the file that holds it, relative to servers.json.', 'docs-key.pem'),
  algorithm: z
    .string()
    .meta({
      description: `private-key-jwt: how it is signed, by its name in JSON Web Signatures. ${reference}`,
      default: standardAlgorithm,
      examples: ['RS256'],
    })
    .optional(),
  assertion: text('workload: a JWT that says which machine this is.', '${CI_JOB_JWT}'),
  assertionFile: text(
    'workload: the file that holds it, relative to servers.json; read for each token.',
    '/var/run/secrets/tokens/mcp',
  ),
  idToken: text("enterprise: an ID token of the organisation's sign-in.", '${ID_TOKEN}'),
  idTokenFile: text(
    'enterprise: the file that holds it, relative to servers.json; read for each token.',
    '~/.id-token',
  ),
  idpTokenEndpoint: text(
    "enterprise: the token endpoint of the organisation's sign-in.",
    'https://idp.example.com/token',
  ),
  idpClientId: text('enterprise: the client there.', 'trestle'),
  idpClientSecret: text('enterprise: its secret.', '${keychain:idp-client}'),
};

/** No member that Trestle reads lacks here. */
const allMembers = { ...signInMembers, ...machineMembers } satisfies Record<AuthMember, z.ZodType>;

export const authOf = z
  .union([
    z.literal(false),
    z.enum(['none', 'oauth']),
    z.looseObject({
      type: z
        .enum(authKinds)
        .meta({
          description:
            'Who signs in: nobody (none), a person (oauth), or this machine, by a token (bearer: token), a secret (client-credentials: clientId, clientSecret), a key (private-key-jwt: clientId, privateKey or privateKeyFile), its own identity (workload: assertion or assertionFile), or that of the organisation (enterprise: clientId, idToken or idTokenFile, idpTokenEndpoint, idpClientId).',
          default: 'oauth',
          examples: ['client-credentials'],
        })
        .optional(),
      ...allMembers,
    }),
  ])
  .meta({
    description:
      'How the server is signed in to, see [signing in](sign-in.md). "none" and false: by nothing but headers. Default: by a person, where the server asks for it.',
    examples: ['none', { type: 'oauth', clientId: 'abc', scope: 'read' }],
  });

/** Of a process, to which nobody signs in. */
export const noAuth = z
  .union([
    z.literal(false),
    z.literal('none'),
    z.looseObject({
      type: z.literal('none').meta({ description: 'Nobody signs in.', examples: ['none'] }),
    }),
  ])
  .meta({ description: 'For an address only; a process may say that nobody signs in.', examples: [false] });
