import { describe, expect, it } from "vitest";
import { presentDriverAnswer } from "../../../functions/computer/present-driver-answer.ts";
import { Clipboard } from "../../../shared/contract/computer/computer.ts";
import { parseDriverFrame } from "../../../shared/contract/tunnel.ts";
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

  it.each(['{"selection":1}', '["text"]', "null", '"text"'])(
    "is the driver's failure as %s",
    async (text) => {
      await expect(present(text)).rejects.toMatchObject({ code: "driver_failed" });
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
