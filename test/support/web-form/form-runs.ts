import { setTimeout as sleep } from "node:timers/promises";
import type { Action } from "../../../shared/domain/trajectory/action.ts";
import { executionWorld } from "../execution/execution-world.ts";
import { type Decide, replyWith, wordsOf } from "../execution/fake-models.ts";
import type { Recording } from "../execution/record-demo.ts";
import { recordingByModel } from "../execution/recorded-by-model.ts";
import { FakeClock } from "../fakes/fake-clock.ts";
import type { Variation } from "./form-page.ts";
import type { SavedInvoice, WebForm } from "./web-form.ts";

/** Of a run. */
export type FormInputs = {
  readonly reference: string;
  readonly amount: string;
};

/** What the recordings were made with. */
export const recordedInputs: FormInputs = { reference: "Chairs, second floor", amount: "240.00" };
const customer = "Clara Lindt";
const workflow = {
  mainPrompt: `Invoice the customer ${customer}: type the reference {reference} and the amount {amount}, and save it.`,
  replay: "auto",
} as const;

/** Programs live in real time: what waits for them does, too. */
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

interface Turn {
  readonly selector: string;
  readonly target: string;
}

const row: Turn = { selector: `tr[data-name="${customer}"]`, target: `the row of ${customer}` };
const reference: Turn = { selector: "#reference", target: "the field Reference" };
const amount: Turn = { selector: "#amount", target: "the field Amount" };
const save: Turn = { selector: "#save", target: "the button Save" };
const close: Turn = { selector: "#close", target: "the button that closes what is in front" };

/** Whoever has not got the work done by then does not. */
const callsMax = 24;

/** A model that knows where everything is. */
export class KnowingModel {
  readonly #form: WebForm;
  readonly #inputs: FormInputs;
  calls = 0;

  constructor(form: WebForm, inputs: FormInputs) {
    this.#form = form;
    this.#inputs = inputs;
  }

  /** Does the whole task, step by step. */
  readonly decide: Decide = async (request, nth) => {
    this.calls += 1;
    if (this.calls > callsMax) return replyWith([{ type: "fail", reason: "it does not get any further" }]);
    const step = this.#stepIn(wordsOf(request.turns));
    if (step !== undefined) return await this.#repair(step);
    const texts = this.#inputs;
    const turns: readonly (Turn | Action)[] = [
      ...[row, reference, { type: "type", text: texts.reference } as const],
      ...[amount, { type: "type", text: texts.amount } as const, save, { type: "finish" } as const],
    ];
    const turn = turns[nth - 1] ?? { type: "finish" as const };
    return replyWith([await this.#actionOf(turn)]);
  };

  #stepIn(said: string): Action | undefined {
    const [, json] = /The next step, as it was recorded: (\{.*\})\n/.exec(said) ?? [];
    return json === undefined ? undefined : (JSON.parse(json) as Action);
  }

  /** What is in front goes away; else the step is done where it is now. */
  async #repair(step: Action) {
    if (await this.#form.has("#close")) return replyWith([await this.#actionOf(close)]);
    const own = [row, reference, amount, save].find(({ target }) => target === step.target);
    const fails = { type: "fail", reason: "the text does not go where it belongs" } as const;
    return replyWith([own === undefined ? fails : await this.#actionOf(own)]);
  }

  async #actionOf(turn: Turn | Action): Promise<Action> {
    if ("type" in turn) return turn;
    return { type: "click", ...(await this.#form.middleOf(turn.selector)), target: turn.target };
  }
}

/** What a model's run on such a page is recorded as. */
export async function recordForm(form: WebForm, given: Variation = {}): Promise<Recording> {
  const driver = await form.show(given);
  const { decide } = new KnowingModel(form, recordedInputs);
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
  /** Whether the server has exactly this run's invoice, once. */
  readonly isDone: boolean;
  readonly saved: readonly SavedInvoice[];
  /** Of a model. */
  readonly calls: number;
  /** Of each replayed step, in milliseconds. */
  readonly stepMs: readonly number[];
}

const otherInputs: FormInputs = { reference: "Tables, ground floor", amount: "99.50" };

export interface FormRunOptions {
  /** @default others than the recording's */
  readonly inputs?: FormInputs;
  /** Whether a model may act where the screen is not the recorded one. @default false */
  readonly hasModel?: boolean;
  /** How long each screen is waited for. @default as it was recorded */
  readonly timeoutMs?: number;
}

/** A run with other inputs than the recording's. */
export async function runForm(
  form: WebForm,
  recording: Recording,
  given: Variation,
  { inputs = otherInputs, hasModel = false, timeoutMs }: FormRunOptions = {},
): Promise<FormRun> {
  const driver = await form.show(given);
  const model = new KnowingModel(form, inputs);
  const world = await formWorld({
    ...{ driver, inputs, recording, original: { ...recordedInputs } },
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(hasModel && { model: { decide: model.decide, hasTrajectory: true } }),
  });
  await world.executeAll();
  const run = await world.find();
  const wanted: SavedInvoice = { customer, ...inputs };
  const steps = await world.steps();
  return {
    status: run?.status,
    errorCode: run?.errorCode,
    error: run?.error.join("; ") ?? "",
    isDone: JSON.stringify(form.saved) === JSON.stringify([wanted]),
    saved: form.saved,
    calls: model.calls,
    stepMs: steps
      .filter(({ source, status }) => source === "replay" && status === "done")
      .flatMap(({ durationMs }) => durationMs ?? []),
  };
}

const nothing: Recording = { elements: [], expect: [], dimensions: { width: 1280, height: 800 } };

async function formWorld(options: Partial<Parameters<typeof executionWorld>[0]>) {
  return await executionWorld({
    ...{ recording: nothing, workflow, secrets: {}, clock: new RealClock() },
    ...(options as object),
  });
}
