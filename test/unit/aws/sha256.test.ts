import { createHash, createHmac, randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { Sha256 } from "../../../shared/aws/sha256.ts";

const text = "GET\n/ü\n";
const own = async (data: string | Uint8Array, secret?: string | ArrayBuffer | Uint8Array) => {
  const hash = new Sha256(secret);
  hash.update(data);
  return Buffer.from(await hash.digest()).toString("hex");
};

describe("hashes for signatures", () => {
  it("are SHA-256 of texts and bytes, in parts, too", async () => {
    const expected = createHash("sha256").update(text).digest("hex");
    expect(await own(text)).toBe(expected);
    expect(await own(new TextEncoder().encode(text))).toBe(expected);
    const hash = new Sha256();
    for (const part of text) hash.update(part);
    expect(Buffer.from(await hash.digest()).toString("hex")).toBe(expected);
  });

  it("are HMACs by each secret, however many there have been, and by the same one again", async () => {
    const secrets = ["s", "ü", ...Array.from({ length: 220 }, () => randomBytes(32)), "s"];
    for (const secret of secrets) {
      const expected = createHmac("sha256", secret).update(text).digest("hex");
      expect(await own(text, secret)).toBe(expected);
      expect(await own(text, secret)).toBe(expected);
    }
    const { buffer } = Uint8Array.from(randomBytes(32));
    expect(await own(text, buffer)).toBe(
      createHmac("sha256", Buffer.from(buffer)).update(text).digest("hex"),
    );
  });

  it("are HMACs of each data, short and long, by a secret that others had before", async () => {
    const parts = new Sha256("s");
    for (const part of text) parts.update(part);
    expect(Buffer.from(await parts.digest()).toString("hex")).toBe(await own(text, "s"));
    for (const data of ["a", "b", "b".repeat(128), "b".repeat(129), "a", ""]) {
      const expected = createHmac("sha256", "s").update(data).digest("hex");
      expect(await own(data, "s")).toBe(expected);
      expect(await own(data, "s")).toBe(expected);
    }
  });

  it("of a secret whose bytes have changed are other ones", async () => {
    const secret = randomBytes(32);
    const before = await own(text, secret);
    secret[0] = (secret[0] ?? 0) ^ 1;
    expect(await own(text, secret)).not.toBe(before);
  });

  it("begin anew after a reset", async () => {
    const hash = new Sha256("s");
    hash.update("other");
    await hash.digest();
    hash.reset();
    hash.update(text);
    expect(Buffer.from(await hash.digest()).toString("hex")).toBe(await own(text, "s"));
  });
});
