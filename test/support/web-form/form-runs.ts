import { tmpdir } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { createLocalDesktop } from "../../../infra/driver/desktops/local-desktop.ts";
import { X11Screen } from "../../../infra/driver/screens/x11-screen.ts";
import { DriverProcess } from "../execution/driver-process.ts";
import { executionWorld } from "../execution/execution-world.ts";
import { type Decide, replyWith, wordsOf } from "../execution/fake-models.ts";
import type { Recording } from "../execution/record-demo.ts";
import { recordingByModel } from "../execution/recorded-by-model.ts";
import { FakeClock } from "../fakes/fake-clock.ts";
import { FormModel } from "./form-model.ts";
import type { Variation } from "./form-page.ts";
import { type SavedInvoice, WebForm } from "./web-form.ts";

export type FormInputs = {
  readonly reference: string;
  readonly amount: string;
};

export const recordedInputs: FormInputs = { reference: "Chairs, second floor", amount: "240.00" };
const customer = "Clara Lindt";
const workflow = {
  mainPrompt: `Invoice the customer ${customer}: type the reference {reference} and the amount {amount}, and save it.`,
  replay: "auto",
} as const;

/** Sleeps in real time, because real programs run in it. */
class RealClock extends FakeClock {
  #skippedMs = 0;

  override now(): number {
    return Date.now() + this.#skippedMs;
  }

  override advance(ms: number): void {
    this.#skippedMs += ms;
  }

  override async sleep(ms: number): Promise<void> {
    await sleep(ms);
  }
}

export class DrivenForm {
  readonly web: WebForm;
  readonly #screen: X11Screen;

  private constructor(web: WebForm, screen: X11Screen) {
    this.web = web;
    this.#screen = screen;
  }

  static async open(): Promise<DrivenForm> {
    const web = await WebForm.open();
    return new DrivenForm(web, await X11Screen.open({ display: web.displayName }));
  }

  async show(given: Variation): Promise<DriverProcess> {
    await this.web.show(given);
    return new DriverProcess(createLocalDesktop({ screen: this.#screen, root: tmpdir(), allowShell: false }));
  }

  async close(): Promise<void> {
    await this.#screen.close();
    await this.web.close();
  }
}

function decideBy(model: FormModel): Decide {
  return (request, nth) => replyWith([model.decide(wordsOf(request.turns), nth)]);
}

export async function recordForm(form: DrivenForm, given: Variation = {}): Promise<Recording> {
  const driver = await form.show(given);
  const decide = decideBy(new FormModel(form.web, { customer, ...recordedInputs }));
  const world = await formWorld({ driver, inputs: recordedInputs, model: { decide } });
  await world.execute();
  const run = await world.find();
  if (run?.status !== "success") throw new Error(`the recording ended as ${run?.status}: ${run?.error}`);
  return await recordingByModel(world);
}

export interface FormRun {
  readonly status: string | undefined;
  readonly errorCode: string | null | undefined;
  readonly error: string;
  readonly isDone: boolean;
  readonly saved: readonly SavedInvoice[];
  readonly calls: number;
  /** Duration of each replayed step, in milliseconds. */
  readonly stepMs: readonly number[];
}

const otherInputs: FormInputs = { reference: "Tables, ground floor", amount: "99.50" };

export interface FormRunOptions {
  /** @default others than the recording's */
  readonly inputs?: FormInputs;
  /** Whether a model may act where the screen is not the recorded one. @default false */
  readonly hasModel?: boolean;
  /** Time to wait for each screen. @default as recorded */
  readonly timeoutMs?: number;
}

export async function runForm(
  form: DrivenForm,
  recording: Recording,
  given: Variation,
  { inputs = otherInputs, hasModel = false, timeoutMs }: FormRunOptions = {},
): Promise<FormRun> {
  const driver = await form.show(given);
  const wanted: SavedInvoice = { customer, ...inputs };
  const model = new FormModel(form.web, wanted);
  const world = await formWorld({
    driver,
    inputs,
    recording,
    original: { ...recordedInputs },
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(hasModel && { model: { decide: decideBy(model), hasTrajectory: true } }),
  });
  await world.executeAll();
  const run = await world.find();
  const { saved } = form.web;
  const steps = await world.steps();
  return {
    status: run?.status,
    errorCode: run?.errorCode,
    error: run?.error.join("; ") ?? "",
    isDone: JSON.stringify(saved) === JSON.stringify([wanted]),
    saved,
    calls: model.calls,
    stepMs: steps
      .filter(({ source, status }) => source === "replay" && status === "done")
      .flatMap(({ durationMs }) => durationMs ?? []),
  };
}

const nothing: Recording = { elements: [], expect: [], dimensions: { width: 1280, height: 800 } };

async function formWorld(options: Partial<Parameters<typeof executionWorld>[0]>) {
  return await executionWorld({
    recording: nothing,
    workflow,
    secrets: {},
    clock: new RealClock(),
    ...(options as object),
  });
}
