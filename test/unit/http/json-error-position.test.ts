import fc from "fast-check";
import { describe, it } from "vitest";
import { jsonErrorPosition } from "../../../shared/http/request/json-error-position.ts";

describe("jsonErrorPosition", () => {
  it("reads every valid text to its end, however it is laid out", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 2, "\t"), (value, space) => {
        const text = JSON.stringify(value, null, space);
        return jsonErrorPosition(` ${text}\r\n`) === text.length + 3;
      }),
    );
  });

  it("answers a place inside the text wherever it is broken", () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.nat(),
        fc.constantFrom("}", "]", ":", ",", "'", "x", "\u0001"),
        (value, at, wrong) => {
          const text = JSON.stringify([value]);
          const cut = at % text.length;
          const broken = `${text.slice(0, cut)}${wrong}${text.slice(cut)}`;
          try {
            JSON.parse(broken);
            return true;
          } catch {
            const position = jsonErrorPosition(broken);
            return position >= 0 && position < broken.length;
          }
        },
      ),
    );
  });
});
