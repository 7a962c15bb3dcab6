import { createLocalJWKSet, exportJWK, generateKeyPair, jwtVerify } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import {
  mintToken,
  type SigningKey,
  type TokenAuthority,
  tokenFlaws,
} from "../../../infra/local/identity/mint-token.ts";

async function newKey(kid: string): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
  return { privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg: "ES256", use: "sig" } };
}

describe("tokens of the local identity provider", () => {
  let authority: TokenAuthority;

  beforeAll(async () => {
    const [key, otherKey] = await Promise.all([newKey("a"), newKey("b")]);
    authority = { issuer: "https://identity.local/", audience: "service", key, otherKey };
  });

  const verify = async (token: string) =>
    await jwtVerify(token, createLocalJWKSet({ keys: [authority.key.publicJwk] }), {
      issuer: "https://identity.local/",
      audience: "service",
      algorithms: ["ES256", "RS256"],
      requiredClaims: ["sub", "org_id"],
    });

  it("are good by the public key, with the claims asked for", async () => {
    const token = await mintToken(authority, { organizationId: "org", subject: "me", claims: { extra: 1 } });
    expect((await verify(token)).payload).toMatchObject({ sub: "me", org_id: "org", extra: 1 });
  });

  it.each(tokenFlaws.filter((flaw) => flaw !== "valid"))(
    "are refused when made with the flaw %s",
    async (flaw) => {
      const token = await mintToken(authority, { organizationId: "org", subject: "me", flaw });
      await expect(verify(token)).rejects.toThrow();
    },
  );
});
