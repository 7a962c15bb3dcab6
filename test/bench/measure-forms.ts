import { variations } from "../support/web-form/form-page.ts";
import { DrivenForm, type FormRun, recordForm, runForm } from "../support/web-form/form-runs.ts";
import { missingDisplayPrograms } from "../support/x-display/x-display.ts";
import { staysAlive } from "./bench-alive.ts";
import { type Figure, milliseconds, percentile } from "./figure.ts";

const recordings = 20;
const timesEach = 10;
const stepMsMax = 318;

/**
 * A form in Chromium on a real display, whose server knows what was saved: 20 recordings of a model's run, each replayed ten
 * times with other values, and one on each of the pages that differ, without a model and with one.
 */
export async function measureForms(): Promise<readonly Figure[]> {
  if (missingDisplayPrograms.length > 0) {
    throw new Error(`a real display needs ${missingDisplayPrograms.join(", ")}`);
  }
  return await staysAlive(async () => {
    const form = await DrivenForm.open();
    try {
      const plain: FormRun[] = [];
      for (let made = 0; made < recordings; made += 1) {
        const recording = await recordForm(form);
        for (let time = 0; time < timesEach; time += 1) {
          const inputs = { reference: `Order ${made} of ${time}`, amount: `${100 + 7 * time}.50` };
          plain.push(await runForm(form, recording, {}, { inputs }));
        }
      }
      return [...plainFigures(plain), ...(await variedFigures(form))];
    } finally {
      await form.close();
    }
  });
}

function plainFigures(runs: readonly FormRun[]): readonly Figure[] {
  const good = runs.filter(({ status, isDone }) => status === "success" && isDone).length;
  const stepMs = runs.flatMap((run) => run.stepMs.filter((ms) => ms > 0));
  const p50 = percentile(stepMs, 50);
  return [
    {
      figure: `replays of a form in Chromium with other values that are right: ${recordings} recordings, ${timesEach} times each`,
      ...{ measured: `${good} of ${runs.length}`, target: "all", isReached: good === runs.length },
    },
    {
      figure: `a replayed step on Chromium, p50 of ${stepMs.length}`,
      ...{ measured: milliseconds(p50), target: `at most ${stepMsMax} ms`, isReached: p50 <= stepMsMax },
    },
  ];
}

async function variedFigures(form: DrivenForm): Promise<readonly Figure[]> {
  const recording = await recordForm(form);
  let [right, honest, untrue, calls] = [0, 0, 0, 0];
  for (const [name, given] of variations) {
    for (const hasModel of [false, true]) {
      const run = await runForm(form, recording, given, { hasModel });
      calls += run.calls;
      if (run.status !== "success") honest += 1;
      else if (run.isDone) right += 1;
      else {
        untrue += 1;
        console.error(
          `untrue, ${name}, ${hasModel ? "with" : "without"} a model: ${JSON.stringify(run.saved)}`,
        );
      }
    }
  }
  return [
    {
      figure: `runs on ${variations.length} pages that differ, without a model and with one, that say success and have not done it`,
      measured: `${untrue}; ${right} right, ${honest} said that they were not, ${calls} calls of a model`,
      ...{ target: "0", isReached: untrue === 0 },
    },
  ];
}
