import type { webcrypto } from "node:crypto";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import type { Clock } from "../../../shared/domain/clock.ts";

export const issuer = "https://identity.test/";
export const audience = "desktop-automation-service";
export const jwksUrl = "https://identity.test/.well-known/jwks.json";

export interface TestIssuer {
  readonly fetch: (url: string) => Promise<Response>;
  readonly network: { fetches: number; isAway: boolean };
  /** Makes a token valid for five minutes, unless `claims` say otherwise; null leaves a claim out. */
  token(claims?: Readonly<Record<string, unknown>>): Promise<string>;
  forgedToken(): Promise<string>;
}

export async function createTestIssuer(clock: Pick<Clock, "now">): Promise<TestIssuer> {
  const [published, other] = await Promise.all([generateKeyPair("ES256"), generateKeyPair("ES256")]);
  const key = { ...(await exportJWK(published.publicKey)), kid: "key-1", alg: "ES256", use: "sig" };
  const network = { fetches: 0, isAway: false };
  const payload = (changed: Readonly<Record<string, unknown>>): JWTPayload => {
    const now = Math.floor(clock.now() / 1_000);
    const claims = { iss: issuer, aud: audience, sub: "user|1", org_id: "org_1", iat: now, exp: now + 300 };
    return Object.fromEntries(
      Object.entries({ ...claims, ...changed }).filter(([, value]) => value !== null),
    );
  };
  const sign = (claims: JWTPayload, by: webcrypto.CryptoKey) =>
    new SignJWT(claims).setProtectedHeader({ alg: "ES256", kid: "key-1" }).sign(by);
  return {
    network,
    fetch: async () => {
      network.fetches += 1;
      if (network.isAway) throw new TypeError("fetch failed");
      return Response.json({ keys: [key] });
    },
    token: (claims = {}) => sign(payload(claims), published.privateKey),
    forgedToken: () => sign(payload({}), other.privateKey),
  };
}

export function unsignedToken(clock: Pick<Clock, "now">): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const exp = Math.floor(clock.now() / 1_000) + 300;
  const claims = { iss: issuer, aud: audience, sub: "user|1", org_id: "org_1", exp };
  return `${part({ alg: "none", typ: "JWT" })}.${part(claims)}.`;
}
