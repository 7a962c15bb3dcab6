import { expect, it } from "vitest";
import { PromptCache } from "../../support/providers/prompt-cache.ts";

const segments = (marks: readonly boolean[]) =>
  marks.map((isMarked, index) => ({ content: `segment ${index} `.repeat(20), isMarked }));
const counted = (first: readonly boolean[], second: readonly boolean[], byMark = true) => {
  const cache = new PromptCache();
  cache.count({ segments: segments(first), cacheKey: "a" }, byMark);
  const { input, cached, resent } = cache.count({ segments: segments(second), cacheKey: "a" }, byMark);
  return { cached: cached / input, resent: resent / input };
};
const unmarked = Array.from({ length: 4 }, () => false);

it("reads from a cache what ends at a mark of before, and counts the rest as sent again", () => {
  expect(counted([false, true], [false, false, false, true])).toEqual({ cached: 0.5, resent: 0 });
  expect(counted([true, false], [false, false, false, true])).toEqual({ cached: 0.25, resent: 0.25 });
  expect(counted(unmarked, unmarked)).toEqual({ cached: 0, resent: 1 });
  // The prefix is cached, but without a mark it is not read.
  expect(counted([false, true], unmarked)).toEqual({ cached: 0, resent: 0.5 });
});

it("looks 20 segments back from a mark", () => {
  const far = [...Array.from({ length: 24 }, () => false), true];
  expect(counted([false, true], far)).toMatchObject({ cached: 0 });
});

it("reads what is the same where no marks are needed", () => {
  expect(counted([false, false], unmarked, false)).toEqual({ cached: 0.5, resent: 0 });
});
