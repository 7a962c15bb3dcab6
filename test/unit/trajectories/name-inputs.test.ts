import { expect, it } from "vitest";
import { nameInputs } from "../../../shared/domain/trajectory/generate/name-inputs.ts";

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
