import { describe, expect, it } from "vitest";
import * as z from "zod";
import { presentDriverAnswer } from "../../../functions/computer/present-driver-answer.ts";
import { Clipboard } from "../../../shared/contract/computer/computer.ts";
import { FileList, FileWritten } from "../../../shared/contract/computer/computer-system.ts";
import { parseDriverFrame } from "../../../shared/contract/tunnel-frames.ts";
import { absentFileStore } from "../../../shared/files/absent-file-store.ts";

const present = async (text: string) =>
  await presentDriverAnswer(absentFileStore, Clipboard, {
    kind: "inline",
    json: JSON.parse(text) as unknown,
  });

describe("the clipboard as a driver answers it", () => {
  it.each(["selection", "__proto__", "constructor"])("is handed on under the name %j", async (name) => {
    expect(JSON.stringify(await present(`{"${name}":"text"}`))).toBe(`{"${name}":"text"}`);
  });

  it("is at most 1 MB of text", async () => {
    const copied = (length: number) => present(JSON.stringify({ selection: "é".repeat(length / 2) }));
    await expect(copied(1_048_576)).resolves.toBeDefined();
    await expect(copied(1_048_578)).rejects.toMatchObject({ code: "driver_failed" });
  });

  it.each(['{"selection":1}', '["text"]', "null", '"text"'])(
    "is the driver's failure as %s",
    async (text) => {
      await expect(present(text)).rejects.toMatchObject({ code: "driver_failed" });
    },
  );
});

describe("what a server says that a driver only forwards to", () => {
  const read = async (schema: typeof FileList | typeof FileWritten, json: unknown) =>
    await presentDriverAnswer<unknown>(absentFileStore, schema, { kind: "inline", json } as never);
  const file = { name: "a", path: "/a", is_dir: false, size: 3 };

  it("is read where it says entries for items, and seconds for a timestamp", async () => {
    expect(await read(FileList, { path: "/", entries: [{ ...file, modified: 1_767_225_600.5 }] })).toEqual({
      path: "/",
      items: [{ ...file, modified: "2026-01-01T00:00:00.500Z" }],
    });
    expect(await read(FileWritten, { path: "/a", size: 3, modified: 0 })).toEqual({
      path: "/a",
      size: 3,
      modified: "1970-01-01T00:00:00.000Z",
    });
  });

  it("is described in at most 2 KB, however much of it is wrong", async () => {
    const items = Array.from({ length: 60_000 }, () => ({ é: 1 }));
    const refused = await read(FileList, { path: "/", items }).catch((error: unknown) => error as Error);
    expect(refused).toMatchObject({ code: "driver_failed" });
    const bytes = Buffer.byteLength((refused as Error).message);
    expect(bytes).toBeGreaterThan(2_000);
    expect(bytes).toBeLessThanOrEqual(2_048);
  });

  /** Counts how many items it has been asked about. */
  const counting = () => {
    const seen = { items: 0 };
    const Item = z.custom((item) => {
      seen.items += 1;
      return item !== "wrong";
    });
    return { seen, schema: z.object({ items: z.array(Item) }) };
  };

  it("is checked once for each item of a long list, and is whole", async () => {
    const { seen, schema } = counting();
    const items = Array.from({ length: 2_345 }, (_, at) => at);
    expect(await presentDriverAnswer(absentFileStore, schema, { kind: "inline", json: { items } })).toEqual({
      items,
    });
    expect(seen.items).toBe(items.length);
  });

  it("is read where a long list says entries for items", async () => {
    const entries = Array.from({ length: 250 }, (_, at) => ({ ...file, name: String(at), modified: at }));
    expect(await read(FileList, { path: "/", entries })).toEqual({
      path: "/",
      items: entries.map((entry) => ({ ...entry, modified: new Date(entry.modified * 1_000).toISOString() })),
    });
  });

  it("is read until something is wrong, and not to the end of 60,000 items", async () => {
    const { seen, schema } = counting();
    const items = Array.from({ length: 60_000 }, (_, at) => (at < 1_500 ? "right" : "wrong"));
    const answer = { kind: "inline", json: { items } } as const;
    await expect(presentDriverAnswer(absentFileStore, schema, answer)).rejects.toThrow(/: items\.1500, /);
    expect(seen.items).toBeLessThanOrEqual(1_600);
  });

  it.each([{ entries: "none" }, { entries: [1] }, { items: [{ ...file, modified: 1e300 }] }])(
    "is the driver's failure as %j",
    async (json) => {
      await expect(read(FileList, { path: "/", ...json })).rejects.toMatchObject({ code: "driver_failed" });
    },
  );
});

describe("the headers of a driver's response", () => {
  it("come with whole characters only", () => {
    const frame = parseDriverFrame(
      '{"type":"response","id":"r","reply_to":"m","status":200,"part":0,"parts":1,"headers":{"x-\\ud800":"a\\udc00b"}}',
    );
    expect(frame).toMatchObject({ kind: "message", message: { headers: { "x-\ufffd": "a\ufffdb" } } });
  });
});
