import { expect, it } from "vitest";
import { clicksBeside } from "../../support/web-form/clicks-beside.ts";

const customer = "Clara Lindt";
const work = [customer, "reference", "amount", "save"];
const once = { customer, isCovered: false, times: 1 };

it.each([
  ["the work", work, once],
  ["what clears the form before it", ["new", ...work], once],
  ["what closes a popup", ["close", ...work], { ...once, isCovered: true }],
  ["the work twice, cleared in between", [...work, "new", ...work], { ...once, times: 2 }],
])("has to do with %s", (_, clicked, wanted) => {
  expect(clicksBeside(clicked, wanted)).toEqual([]);
});

it.each([
  ["another row", ["Ada Ahorn", ...work], once, ["Ada Ahorn"]],
  ["New clicked for Save", [customer, "reference", "amount", "new"], once, ["new"]],
  ["what clears the form once all is done", [...work, "new"], once, ["new"]],
  ["what closes nothing", ["close", ...work], once, ["close"]],
  ["the page", ["page", ...work], once, ["page"]],
])("is beside: %s", (_, clicked, wanted, beside) => {
  expect(clicksBeside(clicked, wanted)).toEqual(beside);
});
