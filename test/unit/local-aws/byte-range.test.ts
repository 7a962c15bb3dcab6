import { describe, expect, it } from "vitest";
import { readByteRange } from "../../../infra/local/aws/s3/byte-range.ts";

describe("readByteRange", () => {
  it.each([
    ["bytes=0-3", { first: 0, last: 3 }],
    ["bytes=4-", { first: 4, last: 9 }],
    ["bytes=-3", { first: 7, last: 9 }],
    ["bytes=-30", { first: 0, last: 9 }],
    ["bytes=8-100", { first: 8, last: 9 }],
    ["bytes=10-", "unsatisfiable"],
    ["bytes=-0", "unsatisfiable"],
    ["bytes=5-2", "whole"],
    ["bytes=0-1,4-5", "whole"],
    [undefined, "whole"],
  ])("reads %s of ten bytes", (header, expected) => {
    expect(readByteRange(header, 10)).toEqual(expected);
  });

  it("has no part of an empty object", () => {
    expect(readByteRange("bytes=0-0", 0)).toBe("unsatisfiable");
  });
});
