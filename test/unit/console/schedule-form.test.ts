import { describe, expect, it } from "vitest";
import { changedValues } from "../../../functions/console/page/parts/form/form-values.ts";
import { fieldsOf, valuesOf } from "../../../functions/console/page/parts/form/schema-fields.ts";
import {
  changeOf,
  scheduleForm,
  stateOf,
  textsOf,
  timesOf,
} from "../../../functions/console/page/rest/schedules/schedule-form.ts";
import { presentSchedule } from "../../../functions/schedules/present-schedule.ts";
import { aSchedule } from "../../support/builders/schedules.ts";

const nowMs = Date.parse("2026-01-15T12:00:00.000Z");
const daily = presentSchedule(aSchedule({ name: "Invoices", inputValues: { customer: "Ada" } }), nowMs);

function changed(texts: Readonly<Record<string, string>>) {
  const fields = fieldsOf(scheduleForm());
  const before = textsOf(daily);
  const after = { ...before, ...texts };
  return changeOf(changedValues(fields, before, after, valuesOf(fields, after).values));
}

describe("the form of a schedule", () => {
  it("sends what a person has changed, and null for times that are emptied", () => {
    expect(changed({})).toEqual({});
    expect(changed({ cron: "", every_minutes: "15" })).toEqual({ cron: null, every_minutes: 15 });
    expect(changed({ name: "", input_values: "" })).toEqual({ name: "", input_values: {} });
    expect(changed({ ends_at: "2027-01-01T00:00:00Z" })).toEqual({ ends_at: "2027-01-01T00:00:00Z" });
  });

  it("says its times and its state in words", () => {
    expect(timesOf(daily)).toBe("0 6 * * * (UTC)");
    expect([1, 15].map((every_minutes) => timesOf({ ...daily, cron: null, every_minutes }))).toEqual([
      "every minute",
      "every 15 minutes",
    ]);
    const states = [{}, { is_enabled: false }, { next_at: [] }, { disabled_reason: "key_revoked" as const }];
    expect(states.map((state) => stateOf({ ...daily, ...state }))).toEqual([
      "active",
      "off",
      "over",
      "key_revoked",
    ]);
  });
});
