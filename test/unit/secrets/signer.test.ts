import { ResourceNotFoundException, type SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { describe, expect, it } from "vitest";
import { createSigner } from "../../../shared/secrets/create-signer.ts";
import { EdgeSecret } from "../../../shared/secrets/edge-secret.ts";
import { FakeClock } from "../../support/fakes/fake-clock.ts";

class FakeSecret {
  current = { key: "1".repeat(64) };
  previous: { key: string } | undefined;
  reads = 0;
  isAway = false;

  rotate(key: string): void {
    this.previous = this.current;
    this.current = { key: key.repeat(64) };
  }

  readonly client = {
    send: async (command: { readonly input: { readonly VersionStage?: string } }) => {
      this.reads += 1;
      if (this.isAway) throw new Error("away");
      const value = command.input.VersionStage === "AWSPREVIOUS" ? this.previous : this.current;
      if (!value) throw new ResourceNotFoundException({ message: "no such version", $metadata: {} });
      return { SecretString: JSON.stringify(value) };
    },
  } as unknown as Pick<SecretsManagerClient, "send">;
}

function setUp() {
  const secret = new FakeSecret();
  const clock = new FakeClock();
  const create = () => createSigner({ client: secret.client, secretId: "key", clock });
  return { secret, clock, create, signer: create() };
}

describe("the signer", () => {
  it("verifies what it signed: purpose and data, and nothing near it", async () => {
    const { signer } = setUp();
    const mac = await signer.sign("ticket", "data");
    expect(mac).toMatch(/^[A-Za-z0-9_-]{8}\.[A-Za-z0-9_-]{43}$/);
    expect(await signer.verify("ticket", "data", mac)).toBe(true);
    expect(await signer.verify("ticket", "data2", mac)).toBe(false);
    expect(await signer.verify("mailbox", "data", mac)).toBe(false);
    expect(await signer.verify("ticketd", "ata", mac)).toBe(false);
    for (const forged of ["", "x", `${mac}a`, mac.slice(0, -1), mac.replace(".", ""), `A${mac}`]) {
      expect(await signer.verify("ticket", "data", forged)).toBe(false);
    }
  });

  it("takes only one text for a MAC, though base64url could spell it in four ways", async () => {
    const { signer } = setUp();
    const mac = await signer.sign("ticket", "data");
    const spellings = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"].map(
      (last) => mac.slice(0, -1) + last,
    );
    const good = await Promise.all(spellings.map((text) => signer.verify("ticket", "data", text)));
    expect(good.filter(Boolean)).toHaveLength(1);
  });

  it("reads the key once in five minutes", async () => {
    const { signer, secret, clock } = setUp();
    await Promise.all([signer.sign("a", "1"), signer.sign("a", "2")]);
    clock.advance(299_999);
    await signer.sign("a", "3");
    expect(secret.reads).toBe(1);
    clock.advance(1);
    await signer.sign("a", "4");
    expect(secret.reads).toBe(2);
  });

  it("signs with the new key after five minutes, and still verifies the old one's MACs", async () => {
    const { signer, secret, clock } = setUp();
    const old = await signer.sign("a", "1");
    secret.rotate("2");
    expect(await signer.sign("a", "1")).toBe(old);
    clock.advance(300_000);
    expect(await signer.sign("a", "1")).not.toBe(old);
    expect(await signer.verify("a", "1", old)).toBe(true);
  });

  it("forgets a key five minutes after a second rotation, though it had seen it", async () => {
    const { signer, secret, clock } = setUp();
    const old = await signer.sign("a", "1");
    secret.rotate("2");
    clock.advance(300_000);
    expect(await signer.verify("a", "1", old)).toBe(true);
    secret.rotate("3");
    clock.advance(300_000);
    expect(await signer.verify("a", "1", old)).toBe(false);
  });

  it("goes on verifying with the previous key while Secrets Manager is away", async () => {
    const { signer, secret, clock } = setUp();
    const old = await signer.sign("a", "1");
    secret.rotate("2");
    clock.advance(300_000);
    expect(await signer.verify("a", "1", old)).toBe(true);
    secret.isAway = true;
    clock.advance(300_000);
    expect(await signer.verify("a", "1", old)).toBe(true);
    expect(await signer.verify("a", "1", old)).toBe(true);
  });

  it("learns of a rotation from the first MAC of the new key", async () => {
    const { signer, secret, create } = setUp();
    await signer.sign("a", "1");
    secret.rotate("2");
    expect(await signer.verify("a", "1", await create().sign("a", "1"))).toBe(true);
  });

  it("does not know the key before the previous one", async () => {
    const { signer, secret, create } = setUp();
    const old = await signer.sign("a", "1");
    secret.rotate("2");
    secret.rotate("3");
    expect(await create().verify("a", "1", old)).toBe(false);
  });

  it("learns of a rotation within ten seconds though a forgery has just made it ask", async () => {
    const { signer, secret, clock, create } = setUp();
    expect(await signer.verify("a", "1", `AAAAAAAA.${"A".repeat(43)}`)).toBe(false);
    secret.rotate("2");
    const mac = await create().sign("a", "1");
    expect(await signer.verify("a", "1", mac)).toBe(false);
    clock.advance(10_000);
    expect(await signer.verify("a", "1", mac)).toBe(true);
  });

  it("asks for an unknown key id once in ten seconds at most", async () => {
    const { signer, secret, clock } = setUp();
    await signer.sign("a", "1");
    const forged = `AAAAAAAA.${"A".repeat(43)}`;
    for (let count = 0; count < 5; count++) expect(await signer.verify("a", "1", forged)).toBe(false);
    expect(secret.reads).toBe(3);
    clock.advance(9_999);
    await signer.verify("a", "1", forged);
    expect(secret.reads).toBe(3);
    clock.advance(1);
    await signer.verify("a", "1", forged);
    expect(secret.reads).toBe(5);
  });

  it("goes on with the key it has while Secrets Manager is away", async () => {
    const { signer, secret, clock } = setUp();
    const mac = await signer.sign("a", "1");
    secret.isAway = true;
    clock.advance(300_000);
    expect(await signer.sign("a", "1")).toBe(mac);
  });

  it("is unavailable when it never read a key, and recovers", async () => {
    const { signer, secret } = setUp();
    secret.isAway = true;
    await expect(signer.sign("a", "1")).rejects.toMatchObject({ code: "service_unavailable" });
    secret.isAway = false;
    expect(await signer.verify("a", "1", await signer.sign("a", "1"))).toBe(true);
  });
});

describe("the secret that the distribution sends", () => {
  it("is the current one or the one before, and no other", async () => {
    const secret = new FakeSecret();
    const clock = new FakeClock();
    const edge = new EdgeSecret({ client: secret.client, secretId: "edge", clock });
    const first = "1".repeat(64);
    expect([await edge.verify(first), await edge.verify("3".repeat(64))]).toEqual([true, false]);
    secret.rotate("2");
    clock.advance(300_000);
    expect([await edge.verify("2".repeat(64)), await edge.verify(first)]).toEqual([true, true]);
    secret.rotate("3");
    clock.advance(300_000);
    expect(await edge.verify(first)).toBe(false);
  });
});
