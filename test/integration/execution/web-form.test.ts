import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dataOf } from "../../../shared/domain/recording/record-steps.ts";
import { approvalProblems } from "../../../shared/domain/trajectory/approval/approval-problems.ts";
import { pngCodec } from "../../../shared/pictures/png-codec.ts";
import { zodTrajectoryReader } from "../../../shared/schema/zod-trajectory-reader.ts";
import type { Recording } from "../../support/execution/record-demo.ts";
import { customers, type Variation } from "../../support/web-form/form-page.ts";
import { DrivenForm, recordedInputs, recordForm, runForm } from "../../support/web-form/form-runs.ts";
import { missingDisplayPrograms } from "../../support/x-display/x-display.ts";

const reordered = { rows: customers.toReversed() };
/** Long enough for late screens, and short enough for screens that never come. */
const timeoutMs = 2_500;

describe.skipIf(missingDisplayPrograms.length > 0)("a form in Chromium, recorded of a model's run", () => {
  let form: DrivenForm;
  let recording: Recording;

  beforeAll(async () => {
    form = await DrivenForm.open();
    recording = await recordForm(form);
  });
  afterAll(async () => await form?.close());

  it("needs no model, also for fields that were clicked in their middle, and is held to its last screen", () => {
    expect(recording.elements.map(({ action, by }) => `${action.type} ${by}`)).toEqual(
      ["click", "click", "type", "click", "type", "click", "finish"].map((type) => `${type} replay`),
    );
    expect(recording.expect.length).toBeGreaterThan(0);
  });

  it.each<[string, Variation]>([
    ["as it was recorded", {}],
    ["with letters 1 s late", { lateMs: 1_000 }],
    ["that shows what was saved late", { slowMs: 1_500 }],
    ["that lies elsewhere", { moved: 30 }],
  ])(
    "is filled in with other values on a page %s",
    async (_, given) => {
      const { status, error, isDone } = await runForm(form, recording, given, { timeoutMs });
      expect({ status, error, isDone }).toEqual({ status: "success", error: "", isDone: true });
    },
    60_000,
  );

  it.each<[string, Variation]>([
    ["with its list in another order", reordered],
    ["under a popup", { front: "popup" }],
  ])(
    "is filled in with one call of a model on a page %s",
    async (_, given) => {
      const { status, error, isDone, calls } = await runForm(form, recording, given, {
        timeoutMs,
        hasModel: true,
      });
      expect({ status, error, isDone, calls }).toEqual({
        status: "success",
        error: "",
        isDone: true,
        calls: 1,
      });
    },
    60_000,
  );

  it("is warned of where the page does not show what was saved", async () => {
    const { elements, expect: shown } = await recordForm(form, { save: "unseen" });
    expect(shown).toEqual([]);
    const { warnings } = approvalProblems(
      { trajectoryReader: zodTrajectoryReader, pictures: pngCodec },
      { data: dataOf(elements), reset: [], expect: [], checks: [], originalInputValues: recordedInputs },
      { allowShell: false, inputSchema: null },
    );
    expect(warnings.join()).toContain("this trajectory checks nothing of its end");
  });

  it.each<[string, Variation, readonly string[]]>([
    ["with its list in another order", reordered, ["start_not_reached"]],
    ["in another theme", { dark: true }, ["start_not_reached"]],
    ["that gives the keyboard to another field", { losesFocus: true }, ["replay_diverged"]],
    ["with a button that does nothing", { save: "dead" }, ["outcome_not_seen"]],
  ])(
    "is no success on a page %s",
    async (_, given, codes) => {
      const { status, errorCode, saved } = await runForm(form, recording, given, { timeoutMs });
      expect({ status, saved }).toEqual({ status: "error", saved: [] });
      expect(codes).toContain(errorCode);
    },
    60_000,
  );
});
