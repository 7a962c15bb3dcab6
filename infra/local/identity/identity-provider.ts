import { createServer } from "node:http";
import { exportJWK, generateKeyPair } from "jose";
import { listenOnLoopback } from "../loopback-server.ts";
import { type MintRequest, mintToken, type SigningKey } from "./mint-token.ts";

export type IdentityInput = { readonly issuer: string; readonly audience: string };

export type IdentityProvider = {
  readonly jwksUrl: string;
  readonly mint: (request: MintRequest) => Promise<string>;
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
  const keySet = JSON.stringify({ keys: [key.publicJwk] });
  const server = createServer((request, response) => {
    const isKnown = request.method === "GET" && request.url === "/.well-known/jwks.json";
    response.writeHead(isKnown ? 200 : 404, { "content-type": "application/json" });
    response.end(isKnown ? keySet : "{}");
  });
  const { url, stop } = await listenOnLoopback(server, 0);
  return {
    jwksUrl: `${url}/.well-known/jwks.json`,
    mint: (request) => mintToken({ ...input, key, otherKey }, request),
    stop,
  };
}
