import { type CryptoKey, type JWK, SignJWT, UnsecuredJWT } from "jose";

export type SigningKey = {
  readonly privateKey: CryptoKey;
  readonly publicJwk: JWK & { readonly kid: string };
};

export type TokenAuthority = {
  readonly issuer: string;
  readonly audience: string;
  readonly key: SigningKey;
  /** This key is not in the key set. */
  readonly otherKey: SigningKey;
};

export const tokenFlaws = [
  "valid",
  "other_key",
  "alg_none",
  "hmac_with_public_key",
  "expired",
  "not_yet_valid",
  "wrong_audience",
  "wrong_issuer",
  "without_organization",
  "without_subject",
] as const;
type TokenFlaw = (typeof tokenFlaws)[number];

export type MintRequest = {
  readonly organizationId: string;
  readonly subject: string;
  readonly flaw?: TokenFlaw;
  readonly lifetimeSeconds?: number;
  readonly claims?: Readonly<Record<string, unknown>>;
};

const halfADaySeconds = 12 * 3_600;

type Claims = Record<string, unknown>;

function claimsOf(authority: TokenAuthority, request: MintRequest, flaw: TokenFlaw): Claims {
  const now = Math.floor(Date.now() / 1_000);
  const lifetimeSeconds = request.lifetimeSeconds ?? halfADaySeconds;
  const isExpired = flaw === "expired";
  const claims: Claims = {
    iss: flaw === "wrong_issuer" ? "https://somebody.else/" : authority.issuer,
    aud: flaw === "wrong_audience" ? "another-service" : authority.audience,
    sub: request.subject,
    org_id: request.organizationId,
    iat: isExpired ? now - 2 * halfADaySeconds : now,
    // An hour exceeds any tolerance for clocks.
    exp: isExpired ? now - 3_600 : now + lifetimeSeconds,
    ...(flaw === "not_yet_valid" ? { nbf: now + 3_600 } : {}),
    ...request.claims,
  };
  if (flaw === "without_organization") delete claims.org_id;
  if (flaw === "without_subject") delete claims.sub;
  return claims;
}

export async function mintToken(authority: TokenAuthority, request: MintRequest): Promise<string> {
  const flaw = request.flaw ?? "valid";
  const claims = claimsOf(authority, request, flaw);
  const { kid } = authority.key.publicJwk;
  if (flaw === "alg_none") return new UnsecuredJWT(claims).encode();
  if (flaw === "hmac_with_public_key") {
    const secret = new TextEncoder().encode(JSON.stringify(authority.key.publicJwk));
    return await new SignJWT(claims).setProtectedHeader({ alg: "HS256", kid }).sign(secret);
  }
  const { privateKey } = flaw === "other_key" ? authority.otherKey : authority.key;
  return await new SignJWT(claims).setProtectedHeader({ alg: "ES256", kid, typ: "JWT" }).sign(privateKey);
}
