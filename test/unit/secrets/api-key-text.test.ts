import { describe, expect, it } from "vitest";
import { digestSecret, mintApiKey, parseApiKey, sameDigest } from "../../../shared/secrets/api-key-text.ts";

describe("the text of an API key", () => {
  it("reads back as the id and the secret whose digest is stored", () => {
    const minted = mintApiKey();
    expect(minted.text).toMatch(/^das_[0-9a-f]{32}_[0-9A-Za-z]{49}$/);
    const parsed = parseApiKey(minted.text);
    expect(parsed?.id).toBe(minted.id);
    expect(digestSecret(parsed?.secret ?? "")).toBe(minted.digest);
    expect(minted.digest).not.toContain(parsed?.secret);
  });

  it("is refused with any one character changed, left out, doubled or swapped with the next", () => {
    const { text } = mintApiKey();
    for (let at = 0; at < text.length; at++) {
      const [before, character, after] = [text.slice(0, at), text.charAt(at), text.slice(at + 1)];
      const other = character === "a" ? "b" : "a";
      const wrong = [before + other + after, before + after, before + character + character + after];
      const next = after.charAt(0);
      if (next !== "" && next !== character) wrong.push(before + next + character + after.slice(1));
      for (const typed of wrong) expect(parseApiKey(typed)).toBeUndefined();
    }
  });

  it("is refused when it is no key at all", () => {
    const { text } = mintApiKey();
    for (const wrong of ["", "das_", ` ${text}`, `${text}\n`, text.toUpperCase(), "das__", `${text}0`]) {
      expect(parseApiKey(wrong)).toBeUndefined();
    }
  });

  it("throws bytes away that would make some characters likelier than others", () => {
    // 248 = 4 * 62: from there on a byte would stand for one of the first eight characters once more.
    let at = 0;
    const random = (size: number) =>
      Uint8Array.from({ length: size }, () => [248, 255, 61, 247][at++ % 4] ?? 0);
    expect(parseApiKey(mintApiKey(random).text)?.secret).toBe("z".repeat(43));
  });

  it("compares digests, and takes nothing for the same as nothing", () => {
    const digest = digestSecret("a");
    expect(sameDigest(digest, digest)).toBe(true);
    expect(sameDigest(digest, digestSecret("b"))).toBe(false);
    expect(sameDigest("", "")).toBe(false);
    expect(sameDigest(digest, "zz")).toBe(false);
  });
});
