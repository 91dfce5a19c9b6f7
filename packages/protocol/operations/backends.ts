import { z } from 'zod';
import { isoTime, label, name, optional, uuid, username } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { Account } from '../resources.ts';

const backendKey = label(limits.nameBytes).meta({
  description: 'the key of your backend, from `npm run admin -- backends key`; never send it to a browser',
});
const externalId = label(limits.nameBytes).meta({
  description: "the user's id in your own product: it never changes, and belongs to one user",
});

const openedSession = z.object({
  token: z.string().describe("what the user's app calls the service with"),
  expires_at: isoTime(),
  account: Account.describe("the user's account"),
  chat_id: z.string().optional().meta({ description: 'the direct chat with the agent of `agent_username`' }),
});

export const backendOperations = {
  createUserToken: operation({
    summary:
      'For the backend of your own product: creates a token for one of its users, who gets an account at the first use. The token opens a limited session, which can only take part in conversations.',
    policy: { scope: null, rate: 'userTokens', open: true },
    input: z.object({
      backend_key: backendKey,
      external_id: externalId,
      display_name: name(limits.nameBytes),
      expires_in: optional(
        z.int().min(limits.userTokenSecondsLeast).max(limits.userTokenSecondsMost).meta({
          default: limits.userTokenSecondsDefault,
          description: 'seconds',
        }),
      ),
      chat_ids: optional(z.array(uuid()).max(limits.userTokenChats)).meta({
        description: "groups that the user joins; the backend's owner must be their owner or an admin",
      }),
      agent_username: optional(username()).meta({
        description: 'an agent with which the user has a direct chat: a public one, or one of the backend’s owner',
      }),
    }),
    result: openedSession,
    errors: ['not_found', 'forbidden'],
  }),
  exchangeUserToken: operation({
    summary:
      'For a page of your own product: exchanges a JWT that its backend has signed for a token as of createUserToken. The JWT has `iss`, `aud`, `iat` and `exp`, as `sub` the user’s id in your product, as `name` the display name, and perhaps `chat_ids` and `agent_username`. The token expires with it, at the latest a day after `iat`.',
    policy: { scope: null, rate: 'tokenExchanges', open: true },
    input: z.object({ jwt: label(limits.jwtBytes).describe('the JWT, signed with a private key of the backend') }),
    result: openedSession,
    errors: ['not_found', 'forbidden'],
  }),
  deleteUser: operation({
    summary: 'For the backend of your own product: deletes the account of one of its users, as deleteAccount does.',
    policy: { scope: null, rate: 'userTokens', open: true },
    input: z.object({ backend_key: backendKey, external_id: externalId }),
    result: null,
    errors: ['not_found'],
  }),
} as const;
