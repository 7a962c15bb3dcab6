import { setTimeout as sleep } from "node:timers/promises";
import type { DemoApi } from "../../../infra/local/demo/demo-client.ts";
import type { StartedProvider } from "../providers/start-provider.ts";
import type { Decide } from "../providers/wire-format.ts";
import { askApi } from "../stack/ask-api.ts";
import { type SpawnedDriver, spawnDriver } from "../stack/spawn-driver.ts";
import { clicksBeside } from "./clicks-beside.ts";
import { FormModel } from "./form-model.ts";
import { type SavedInvoice, WebForm } from "./web-form.ts";

/** The model of a stand-in, which does the work of the run under way. */
export class OutsideModel {
  work: FormModel | undefined;
  /** Place of the clicked element's name: the tool's own field, which not every provider has, words, or nowhere. */
  names: "in its field" | "in words" | "nowhere" = "in its field";
  #described = 0;

  readonly decide: Decide = ({ task, words, turns, toolNames }) => {
    const { work } = this;
    if (work === undefined) throw new Error("a model is asked while no run is under way");
    if (toolNames.includes("answer")) {
      this.#described += 1;
      return [{ call: "answer", args: { value: work.describe(this.#described) } }];
    }
    const { type: call, target, ...rest } = work.decide(`${words}\n${task}`, turns + 1);
    if (call === "finish") return [{ call, args: { output: null } }];
    const isInField = this.names === "in its field" && target !== undefined;
    const decision = { call, args: isInField ? { ...rest, target } : rest };
    const isSaid = this.names === "in words" && target !== undefined;
    return isSaid ? [{ say: `I click ${target}.` }, decision] : [decision];
  };

  begin(work: FormModel): void {
    this.work = work;
    this.#described = 0;
  }
}

export type NamedValue = keyof SavedInvoice;

export interface OutsideWorkflow {
  readonly id: string;
  readonly inputs: readonly NamedValue[];
}

export interface OutsideTrajectory {
  readonly id: string;
  readonly run_id: string | null;
  readonly trajectory_data: readonly {
    readonly by: string;
    readonly action: { readonly type: string; readonly target?: string };
  }[];
  readonly reset: readonly unknown[];
  readonly expect: readonly unknown[];
  readonly is_main: boolean;
  readonly verified_at: string | null;
}

export interface OutsideRun {
  readonly id: string;
  readonly status: string;
  readonly errorCode: string | null;
  readonly error: string;
  readonly saved: readonly SavedInvoice[];
  readonly isDone: boolean;
  readonly beside: readonly string[];
  readonly calls: number;
  /** Duration of each replayed step, in milliseconds. */
  readonly stepMs: readonly number[];
}

interface RunBody {
  readonly id: string;
  readonly status: string;
  readonly error: readonly string[];
  readonly error_code: string | null;
}

interface StepList {
  readonly items: readonly {
    readonly source: string;
    readonly status: string;
    readonly duration_ms: number | null;
  }[];
}

export interface OutsideOptions {
  readonly api: DemoApi;
  readonly websocketUrl: string;
  readonly driverKey: string;
  /** The provider that the stack calls, which decides by `model`. */
  readonly provider: StartedProvider;
  readonly model: OutsideModel;
}

const runMsMax = 300_000;

export class OutsideForm {
  readonly web: WebForm;
  readonly model: OutsideModel;
  readonly #api: DemoApi;
  readonly #driver: SpawnedDriver;
  readonly #configurationId: string;

  private constructor(
    { api, model }: OutsideOptions,
    web: WebForm,
    driver: SpawnedDriver,
    configurationId: string,
  ) {
    this.#api = api;
    this.model = model;
    this.web = web;
    this.#driver = driver;
    this.#configurationId = configurationId;
  }

  static async open(options: OutsideOptions): Promise<OutsideForm> {
    const { api, provider, websocketUrl, driverKey } = options;
    if (provider.key.authType !== "api_key") throw new Error("the stand-in has another key");
    const slot = { auth_type: "api_key", api_key: provider.key.apiKey };
    await askApi(api, `/v1/provider-credentials/${provider.provider}`, "PUT", slot);
    const configuration = { name: "the model", provider: provider.provider, model: provider.model };
    const made = await askApi<{ id: string }>(api, "/v1/model-configurations", "POST", configuration);
    const web = await WebForm.open();
    const driver = await spawnDriver({ websocketUrl, key: driverKey, display: web.displayName });
    return new OutsideForm(options, web, driver, made.id);
  }

  async createWorkflow(
    invoice: SavedInvoice,
    inputs: readonly NamedValue[],
    fields: object = {},
  ): Promise<OutsideWorkflow> {
    const words = (name: NamedValue) => (inputs.includes(name) ? `{${name}}` : invoice[name]);
    const main_prompt = `Invoice the customer ${words("customer")}: type the reference ${words("reference")} and the amount ${words("amount")}, and save it.`;
    const body = { main_prompt, model_configuration_id: this.#configurationId, ...fields };
    const { id } = await askApi<{ id: string }>(this.#api, "/v1/workflows", "POST", body);
    return { id, inputs };
  }

  async changeWorkflow({ id }: OutsideWorkflow, fields: object): Promise<void> {
    await askApi(this.#api, `/v1/workflows/${id}`, "PATCH", fields);
  }

  async run(workflow: OutsideWorkflow, invoice: SavedInvoice): Promise<OutsideRun> {
    const body = { workflow_id: workflow.id, input_values: inputsOf(workflow, invoice) };
    return await this.#follow(invoice, 1, async () => await askApi(this.#api, "/v1/runs", "POST", body));
  }

  /** Verifies the trajectory, which does the work twice. */
  async verify(workflow: OutsideWorkflow, trajectoryId: string, invoice: SavedInvoice): Promise<OutsideRun> {
    const path = `/v1/trajectories/${trajectoryId}/verify`;
    const body = { machine_id: this.#driver.machineId, input_values: inputsOf(workflow, invoice) };
    return await this.#follow(
      invoice,
      2,
      async () => (await askApi<{ run: RunBody }>(this.#api, path, "POST", body)).run,
    );
  }

  async stepsOf({ id }: { readonly id: string }): Promise<StepList["items"]> {
    const path = `/v1/runs/${id}/steps?limit=100`;
    return (await askApi<StepList>(this.#api, path)).items;
  }

  async trajectoryOf({ id }: OutsideRun): Promise<OutsideTrajectory> {
    return await askApi(this.#api, `/v1/runs/${id}/trajectory`);
  }

  async trajectory(id: string): Promise<OutsideTrajectory> {
    return await askApi(this.#api, `/v1/trajectories/${id}`);
  }

  /**
   * @param timeoutMs time to wait for each screen. @default as recorded
   * @returns the approval's warnings.
   */
  async approve(
    { id, trajectory_data: elements }: OutsideTrajectory,
    timeoutMs?: number,
  ): Promise<readonly string[]> {
    const waiting = elements.map((element) => ({ ...element, timeout_ms: timeoutMs }));
    const body = { is_approved: true, ...(timeoutMs !== undefined && { trajectory_data: waiting }) };
    const path = `/v1/trajectories/${id}`;
    return (await askApi<{ warnings: readonly string[] }>(this.#api, path, "PATCH", body)).warnings;
  }

  async makeMain(trajectoryId: string): Promise<void> {
    await askApi(this.#api, `/v1/trajectories/${trajectoryId}`, "PATCH", { is_main: true });
  }

  async close(): Promise<void> {
    await this.#driver.stop();
    await this.web.close();
  }

  async #follow(invoice: SavedInvoice, times: number, begin: () => Promise<RunBody>): Promise<OutsideRun> {
    const work = new FormModel(this.web, invoice);
    this.model.begin(work);
    this.web.forget();
    const { isCovered } = this.web;
    let run = await begin();
    for (const endMs = Date.now() + runMsMax; isOpen(run); ) {
      if (Date.now() > endMs) throw new Error(`a run is ${run.status} after ${runMsMax} ms`);
      await sleep(200);
      run = await askApi<RunBody>(this.#api, `/v1/runs/${run.id}`);
    }
    const items = await this.stepsOf(run);
    const { saved, clicked } = this.web;
    const wanted = Array.from({ length: times }, () => invoice);
    const { customer } = invoice;
    return {
      id: run.id,
      status: run.status,
      errorCode: run.error_code,
      error: run.error.join("; "),
      saved,
      isDone: JSON.stringify(saved) === JSON.stringify(wanted),
      calls: work.calls,
      beside: clicksBeside(clicked, { customer, isCovered, times }),
      stepMs: items
        .filter(({ source, status }) => source === "replay" && status === "done")
        .flatMap(({ duration_ms }) => duration_ms ?? []),
    };
  }
}

function inputsOf({ inputs }: OutsideWorkflow, invoice: SavedInvoice): Readonly<Record<string, string>> {
  return Object.fromEntries(inputs.map((name) => [name, invoice[name]]));
}

function isOpen({ status }: RunBody): boolean {
  return status === "scheduling" || status === "running";
}
