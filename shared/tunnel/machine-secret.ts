import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";

export function newMachineSecret(): string {
  return randomBytes(32).toString("base64url");
}

export function machineSecretDigest(secret: string): string {
  return createHash("sha256").update(secret).digest("base64url");
}

export function isSecretProof(digest: string, connectionId: string, proof: string): boolean {
  const expected = createHmac("sha256", Buffer.from(digest, "base64url")).update(connectionId).digest();
  const given = Buffer.from(proof, "base64url");
  return given.length === expected.length && timingSafeEqual(given, expected);
}
