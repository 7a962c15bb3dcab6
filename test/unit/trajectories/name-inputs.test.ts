import { describe, expect, it } from "vitest";
import { nameInputs, nameInputsInWords } from "../../../shared/domain/recording/name-inputs.ts";

const inputs = {
  name: "Ada",
  customer: { city: "London", street: "London Road 7" },
  count: 3,
  note: "{name}",
};

it.each([
  ["Ada", "{name}"],
  ["3", "{count}"],
  ["2334", "2334"],
  ["Ada's", "Ada's"],
  ["London", "{customer.city}"],
  ["to London Road 7, London", "to {customer.street}, {customer.city}"],
  ["{$London} London", "{$London} {customer.city}"],
  ["", ""],
])("a recorded %j is %j", (text, named) => {
  expect(nameInputs(text, inputs)).toBe(named);
});

describe("words about the screen", () => {
  it.each([
    ["the row of XL", { size: "XL" }, "the row of {size}"],
    ["the row of xl, below", { size: "XL" }, "the row of {size}, below"],
    ["the row of XLS", { size: "XL" }, "the row of XLS"],
    ["the tab 1 (a+b)", { tab: 1, sum: "a+b" }, "the tab {tab} ({sum})"],
    ["Contosos Zeile", { customer: "Contoso" }, "{customer}s Zeile"],
    ["the row of {size}", { size: "size" }, "the row of {size}"],
  ])("name an input by whole words of any length: %s", (words, inputs, expected) => {
    expect(nameInputsInWords(words, inputs)).toBe(expected);
  });
});
