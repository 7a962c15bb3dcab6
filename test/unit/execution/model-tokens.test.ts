import { expect, it } from "vitest";
import { addTokens, type ModelTokens, modelsOfRunMax } from "../../../shared/domain/model/model-tokens.ts";

const used = { inputTokens: 3, outputTokens: 2, cachedTokens: 1 };

it("adds up what each call used of its model, of ten models at most, and loses none of it", () => {
  let all: readonly ModelTokens[] = [];
  for (const number of [1, 2, 1]) all = addTokens(all, { provider: "openai", model: `m${number}` }, used);
  all = addTokens(all, { provider: "anthropic", model: "m1" }, used);
  expect(all).toEqual([
    { provider: "openai", model: "m1", inputTokens: 6, outputTokens: 4, cachedTokens: 2 },
    { provider: "openai", model: "m2", ...used },
    { provider: "anthropic", model: "m1", ...used },
  ]);
  for (let more = 0; more < 20; more += 1)
    all = addTokens(all, { provider: "google", model: `${more}` }, used);
  expect(all).toHaveLength(modelsOfRunMax);
  expect(all.reduce((sum, { inputTokens }) => sum + inputTokens, 0)).toBe(24 * 3);
});
