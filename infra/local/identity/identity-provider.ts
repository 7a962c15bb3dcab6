import { createServer } from "node:http";
import { exportJWK, generateKeyPair } from "jose";
import type { ConsoleSignIn } from "../../../shared/contract/console.ts";
import { listenOnLoopback } from "../loopback-server.ts";
import { serveFetch } from "../serve-fetch.ts";
import {
  type AuthorizationServer,
  consoleClientId,
  createAuthorizationServer,
} from "./authorization-server.ts";
import { type MintRequest, mintToken, type SigningKey } from "./mint-token.ts";

export type IdentityInput = { readonly issuer: string; readonly audience: string };

export type IdentityProvider = {
  readonly jwksUrl: string;
  readonly mint: (request: MintRequest) => Promise<string>;
  readonly signIn: ConsoleSignIn;
  readonly admit: AuthorizationServer["admit"];
  readonly stop: () => Promise<void>;
};

async function newKey(): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
  const jwk = await exportJWK(publicKey);
  return { privateKey, publicJwk: { ...jwk, kid: crypto.randomUUID(), alg: "ES256", use: "sig" } };
}

/** Stands in for the dashboard's identity provider with a new key at each start. */
export async function startIdentityProvider(input: IdentityInput): Promise<IdentityProvider> {
  const [key, otherKey] = await Promise.all([newKey(), newKey()]);
  const mint = (request: MintRequest) => mintToken({ ...input, key, otherKey }, request);
  const { routes, admit } = createAuthorizationServer({ mint, now: Date.now });
  const keySet = { keys: [key.publicJwk] };
  routes.get("/.well-known/jwks.json", (context) => context.json(keySet));
  routes.notFound((context) => context.json({}, 404));
  const { url, stop } = await listenOnLoopback(createServer(serveFetch(routes.fetch)), 0);
  return {
    jwksUrl: `${url}/.well-known/jwks.json`,
    mint,
    signIn: {
      issuer: input.issuer,
      clientId: consoleClientId,
      authorizeUrl: `${url}/authorize`,
      tokenUrl: `${url}/token`,
      scope: "openid",
      token: "access_token",
    },
    admit,
    stop,
  };
}
