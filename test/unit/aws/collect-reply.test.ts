import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { collectReply } from "../../../shared/aws/collect-reply.ts";

describe("a reply's body", () => {
  it.each([
    ["no part", []],
    ["one part", ["one"]],
    ["several parts", ["one", "two", "three"]],
  ])("of %s is read whole, also where it was paused", async (_, parts) => {
    const body = Readable.from(parts.map((part) => Buffer.from(part)));
    body.pause();
    expect(Buffer.from(await collectReply(body)).toString()).toBe(parts.join(""));
  });

  it("that fails on its way is no reply", async () => {
    const body = new Readable({ read: () => undefined });
    body.push("one");
    const read = collectReply(body);
    body.destroy(new Error("reset"));
    await expect(read).rejects.toThrow("reset");
  });
});
