import { describe, expect, it } from "vitest";
import { expressions } from "../../../shared/storage/table/expression.ts";

describe("an expression", () => {
  it("puts every attribute behind a placeholder, reserved words too", () => {
    const { updateExpression, conditionExpression, names, values } = expressions(
      {
        set: { name: "n", status: null, owner: undefined },
        compute: { size: "if_not_exists(size, :zero)" },
        values: { zero: 0 },
        remove: ["ttl"],
        add: { count: 1 },
      },
      {
        expression: "attribute_exists(pk) AND (state = :state OR ttl <= :now)",
        values: { state: "s", now: 5 },
      },
    );
    expect(updateExpression).toBe(
      "SET #name = :set_name, #size = if_not_exists(#size, :zero) REMOVE #ttl, #status ADD #count :add_count",
    );
    expect(conditionExpression).toBe("attribute_exists(#pk) AND (#state = :state OR #ttl <= :now)");
    expect(names).toEqual({
      "#name": "name",
      "#status": "status",
      "#size": "size",
      "#ttl": "ttl",
      "#count": "count",
      "#pk": "pk",
      "#state": "state",
    });
    expect(values).toEqual({ ":set_name": "n", ":zero": 0, ":add_count": 1, ":state": "s", ":now": 5 });
  });

  it("says nothing of a change that has nothing in it", () => {
    expect(expressions({ set: { name: undefined } }, undefined)).toEqual({ names: {}, values: {} });
  });
});
