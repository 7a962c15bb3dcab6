import { startProvider } from "../support/providers/start-provider.ts";
import { spawnStack } from "../support/stack/spawn-stack.ts";
import { anotherOrder, type Variation, variations } from "../support/web-form/form-page.ts";
import {
  OutsideForm,
  OutsideModel,
  type OutsideRun,
  type OutsideTrajectory,
  type OutsideWorkflow,
} from "../support/web-form/outside-form.ts";
import { missingDisplayPrograms } from "../support/x-display/x-display.ts";
import type { Amounts } from "./amounts.ts";
import { type Figure, milliseconds, percentile } from "./figure.ts";
import { isSmoke, sized } from "./sized.ts";

const stepMsMax = 318;

const recorded = { customer: "Clara Lindt", reference: "Chairs, second floor", amount: "240.00" };

/** Long enough for late screens, and short enough for screens that never come. */
const variedTimeoutMs = 4_000;

/**
 * Measures runs on a form in Chromium on a real display, whose server knows what was saved, by the local stack's API.
 * Workflows are recorded from a model's run, verified, and repeated with other values on the page as the last run left
 * it; then one of them runs on each of the pages that differ, without a model and with one.
 */
export async function measureForms({ workflows, times }: Amounts): Promise<readonly Figure[]> {
  if (missingDisplayPrograms.length > 0) {
    throw new Error(`a real display needs ${missingDisplayPrograms.join(", ")}`);
  }
  const model = new OutsideModel();
  const provider = await startProvider("anthropic with functions", model.decide);
  try {
    const variables = { MODEL_ENDPOINTS: JSON.stringify(provider.options.baseUrls) };
    const stack = await spawnStack({ desktop: false, timers: false, variables });
    try {
      const { websocketUrl, apiKey: driverKey } = stack;
      const form = await OutsideForm.open({ api: stack, websocketUrl, driverKey, provider, model });
      try {
        return await measureOn(form, { workflows, times });
      } finally {
        await form.close();
      }
    } finally {
      await stack.stop();
    }
  } finally {
    await provider.server.stop();
  }
}

async function measureOn(form: OutsideForm, { workflows, times }: Amounts): Promise<readonly Figure[]> {
  const plain: OutsideRun[] = [];
  const elements: RecordedElement[] = [];
  let verified = 0;
  let varying: OutsideWorkflow | undefined;
  for (let made = 0; made < workflows; made += 1) {
    const { workflow, isVerified, recordedAs } = await verifiedWorkflow(form);
    elements.push(...recordedAs);
    if (isVerified) verified += 1;
    if (isSmoke) varying = workflow;
    for (let time = 0; time < times; time += 1) {
      const values = { reference: `Order ${made} of ${time}`, amount: `${100 + 7 * time}.50` };
      plain.push(await form.run(workflow, { ...recorded, ...values }));
    }
    tellProgress(`workflow ${made + 1} of ${workflows}`, plain.slice(-times));
  }
  const varied: VariedRun[] = [];
  const workflow = varying ?? (await verifiedWorkflow(form, variedTimeoutMs)).workflow;
  for (const replay of sized(["only", "auto"] as const, ["auto"] as const)) {
    await form.changeWorkflow(workflow, { replay });
    for (const [name, given] of sized(variations, variations.slice(0, 1))) {
      await form.web.show(given);
      const run = await form.run(workflow, {
        ...recorded,
        reference: "Tables, ground floor",
        amount: "99.50",
      });
      varied.push({ name, given, replay, run });
      tellProgress(`${replay}, ${name}`, [run]);
    }
  }
  return [...plainFigures(plain, verified, workflows), askingFigure(elements), ...variedFigures(varied)];
}

type RecordedElement = OutsideTrajectory["trajectory_data"][number];

/** A run on a page that differs from the recorded one. */
interface VariedRun {
  readonly name: string;
  readonly given: Variation;
  readonly replay: "only" | "auto";
  readonly run: OutsideRun;
}

/** Records a model's run twice, the second time on the page as the first left it, and verifies it with other values. */
async function verifiedWorkflow(
  form: OutsideForm,
  timeoutMs?: number,
): Promise<{
  readonly workflow: OutsideWorkflow;
  readonly isVerified: boolean;
  readonly recordedAs: readonly RecordedElement[];
}> {
  const workflow = await form.createWorkflow(recorded, ["reference", "amount"]);
  await form.web.show({});
  const first = await form.trajectoryOf(await recordedRun(form, workflow, recorded.reference));
  await form.approve(first);
  await form.makeMain(first.id);
  const again = await form.trajectoryOf(await recordedRun(form, workflow, "Lamps"));
  await form.approve(again, timeoutMs);
  const verification = await form.verify(workflow, again.id, { ...recorded, reference: "Shelves" });
  await form.makeMain(again.id);
  await form.changeWorkflow(workflow, { replay: "only" });
  const isVerified = verification.isDone && (await form.trajectory(again.id)).verified_at !== null;
  if (!isVerified) tellProgress("a verification", [verification]);
  return { workflow, isVerified, recordedAs: again.trajectory_data };
}

async function recordedRun(
  form: OutsideForm,
  workflow: OutsideWorkflow,
  reference: string,
): Promise<OutsideRun> {
  const run = await form.run(workflow, { ...recorded, reference });
  if (run.status !== "success") throw new Error(`the recording ended as ${run.status}: ${run.error}`);
  return run;
}

function plainFigures(runs: readonly OutsideRun[], verified: number, workflows: number): readonly Figure[] {
  const { done } = countOf(runs);
  const stepMs = runs.flatMap((run) => run.stepMs.filter((ms) => ms > 0));
  const p50 = stepMs.length === 0 ? Number.NaN : percentile(stepMs, 50);
  return [
    {
      figure: "workflows of a form in Chromium that are verified, twice in a row",
      measured: `${verified} of ${workflows}`,
      target: "all",
      isReached: verified === workflows,
    },
    {
      figure: "their runs in a row with other values",
      measured: inWords(runs),
      target: "all done",
      isReached: done === runs.length,
    },
    {
      figure: `a replayed step on Chromium, p50 of ${stepMs.length}`,
      measured: milliseconds(p50),
      target: `at most ${stepMsMax} ms`,
      isReached: p50 <= stepMsMax,
    },
  ];
}

/** Counts the elements that need a model in a recording that clicks all fields in their middle. */
function askingFigure(elements: readonly RecordedElement[]): Figure {
  const asking = elements.filter(({ by }) => by === "model").length;
  return {
    figure: `elements that ask a model, of ${elements.length} that were recorded`,
    measured: `${asking}`,
    target: "0",
    isReached: asking === 0,
  };
}

function variedFigures(varied: readonly VariedRun[]): readonly Figure[] {
  const runs = varied.map(({ run }) => run);
  const { untrue, beside } = countOf(runs);
  const late = varied.filter(({ given }) => given.lateMs !== undefined).map(({ run }) => run);
  const { done } = countOf(late);
  const reordered = varied.filter(({ name, replay }) => name === anotherOrder && replay === "auto");
  const isRight = reordered.every(({ run }) => countOf([run]).done === 1 && run.calls === 1);
  return [
    {
      figure: `runs on ${variations.length} pages, without a model and with one`,
      measured: inWords(runs),
      target: "0 untrue, 0 clicks beside",
      isReached: untrue === 0 && beside === 0,
    },
    {
      figure: "letters 100 to 3,000 ms late, without a model and with one: right",
      measured: `${done} of ${late.length}`,
      target: "all",
      isReached: late.length > 0 && done === late.length,
    },
    {
      figure: "a list in another order, with a model: right, by one call",
      measured: inWords(reordered.map(({ run }) => run)),
      target: "success and done, 1 call",
      isReached: reordered.length === 1 && isRight,
    },
  ];
}

function countOf(runs: readonly OutsideRun[]) {
  const succeeded = runs.filter(({ status }) => status === "success");
  return {
    done: succeeded.filter(({ isDone }) => isDone).length,
    untrue: succeeded.filter(({ isDone }) => !isDone).length,
    honest: runs.length - succeeded.length,
    beside: runs.reduce((sum, run) => sum + run.beside.length, 0),
    calls: runs.reduce((sum, run) => sum + run.calls, 0),
  };
}

function inWords(runs: readonly OutsideRun[]): string {
  const { done, untrue, honest, beside, calls } = countOf(runs);
  return `${runs.length} runs: ${done} success and done, ${untrue} success and not done, ${honest} ended with an error; ${beside} clicks beside, ${calls} calls of a model`;
}

/** Prints the counts, and the reason for each run that was not right. */
function tellProgress(what: string, runs: readonly OutsideRun[]): void {
  console.error(`${what}: ${inWords(runs)}`);
  for (const { status, isDone, errorCode, error, saved } of runs) {
    if (status !== "success") console.error(`  ${errorCode}: ${error}`);
    else if (!isDone) console.error(`  untrue: ${JSON.stringify(saved)}`);
  }
}
