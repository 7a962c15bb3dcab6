import { expect, it } from "vitest";
import { fitsInJson } from "../../../infra/local/event-body.ts";

const everyByte = Uint8Array.from({ length: 256 }, (_, byte) => byte);

it.each([
  ["each character of one byte", everyByte.slice(0, 0x80)],
  ["each byte, most of them no UTF-8", everyByte],
  ["characters of several bytes", Uint8Array.from(Buffer.from('ü€😀"\n'))],
])("counts what a body takes within JSON: %s", (_, bytes) => {
  const text = { bytes, encoding: "utf8" } as const;
  const size = Buffer.byteLength(JSON.stringify(Buffer.from(bytes).toString())) - '""'.length;
  expect([fitsInJson(text, size), fitsInJson(text, size - 1)]).toEqual([true, false]);
  const base64 = { bytes, encoding: "base64" } as const;
  const { length } = Buffer.from(bytes).toString("base64");
  expect([fitsInJson(base64, length), fitsInJson(base64, length - 1)]).toEqual([true, false]);
});
