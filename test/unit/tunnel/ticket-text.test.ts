import { describe, expect, it } from "vitest";
import { formatTicket, parseTicket } from "../../../shared/tunnel/ticket-text.ts";
import { FakeSigner } from "../../support/fakes/fake-signer.ts";

const name = { tokenId: "token-1", nonce: "nonce-1" };

describe("a ticket's text", () => {
  it("leads back to its ticket", async () => {
    const signer = new FakeSigner();
    expect(await parseTicket(signer, await formatTicket(signer, name))).toEqual(name);
  });

  it("is refused with any character changed, or under another signing key", async () => {
    const signer = new FakeSigner();
    const text = await formatTicket(signer, name);
    for (let at = 0; at < text.length; at++) {
      const forged = `${text.slice(0, at)}${text[at] === "x" ? "y" : "x"}${text.slice(at + 1)}`;
      expect(await parseTicket(signer, forged)).toBeUndefined();
    }
    expect(await parseTicket(new FakeSigner("another key"), text)).toBeUndefined();
  });

  it("is refused when it is cut short", async () => {
    const signer = new FakeSigner();
    const text = await formatTicket(signer, name);
    for (const length of [0, 1, 7, 8, 16, text.length - 1]) {
      expect(await parseTicket(signer, text.slice(0, length))).toBeUndefined();
    }
  });
});
