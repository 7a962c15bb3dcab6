import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { DeskInput } from "../../../infra/demo-desk/desk-options.ts";
import { Background } from "../../../shared/domain/background.ts";
import { TunnelDesktop } from "../../../shared/domain/desktop/tunnel-desktop.ts";
import { executeRun } from "../../../shared/domain/execution/engine/execute-run.ts";
import type { Execution, ExecutionJob } from "../../../shared/domain/execution/execution.ts";
import type { ExecutorDeps } from "../../../shared/domain/execution/executor-deps.ts";
import type { FileStore } from "../../../shared/domain/file-store.ts";
import type { JsonObject } from "../../../shared/domain/json.ts";
import type { ModelChoice } from "../../../shared/domain/model/model-choice.ts";
import { dataOf } from "../../../shared/domain/recording/record-steps.ts";
import type { Run } from "../../../shared/domain/run/run.ts";
import type { Trajectory } from "../../../shared/domain/trajectory/trajectory.ts";
import type {
  TrajectoryCheck,
  TrajectoryElement,
} from "../../../shared/domain/trajectory/trajectory-element.ts";
import type { DriverAnswer, DriverRequest } from "../../../shared/domain/tunnel/driver-channel.ts";
import type { Workflow } from "../../../shared/domain/workflow/workflow.ts";
import { pngCodec } from "../../../shared/pictures/png-codec.ts";
import { AjvInputChecker } from "../../../shared/schema/ajv-input-checker.ts";
import { zodTrajectoryReader } from "../../../shared/schema/zod-trajectory-reader.ts";
import { otpauthCodes } from "../../../shared/secrets/otpauth-codes.ts";
import { anOrganization } from "../builders/entities.ts";
import { DynamoModel } from "../dynamo-model/dynamo-model.ts";
import { FakeClock } from "../fakes/fake-clock.ts";
import { testEncryption } from "../fakes/fake-data-key.ts";
import { createModelStores } from "../stores/model-stores.ts";
import { RecordingLogger } from "../tunnel-world/recording-logger.ts";
import { DeskProcess, type DriverProcess } from "./driver-process.ts";
import { type Decide, FakeKeys, FakeModels } from "./fake-models.ts";
import { KillSwitch } from "./kill-switch.ts";
import { MemoryDurable, type RunOptions } from "./memory-durable.ts";
import type { Recording } from "./record-demo.ts";

export interface ExecutionWorldOptions<Driver extends DriverProcess = DeskProcess> {
  /** @default one with the demo desk */
  readonly driver?: Driver;
  readonly desk?: DeskInput;
  readonly recording: Recording;
  readonly workflow?: Partial<Workflow>;
  readonly inputs?: JsonObject;
  readonly secrets?: Readonly<Record<string, string>>;
  /** The run verifies the trajectory, which is not the main one. */
  readonly verifies?: Partial<Pick<Trajectory, "isApproved" | "originalInputValues">> & {
    readonly dryRunUntil?: number;
    readonly checks?: readonly TrajectoryCheck[];
  };
  /** Models that the run may use; without a main trajectory they decide everything. */
  readonly model?: {
    readonly decide: Decide;
    readonly sizeMax?: number;
    readonly keys?: FakeKeys;
    /** @default the main one alone */
    readonly choices?: readonly Partial<ModelChoice>[];
    readonly maxTokens?: number;
    /** @default false */
    readonly hasTrajectory?: boolean;
  };
  /** The inputs of the recording. @default none */
  readonly original?: JsonObject;
  readonly kills?: KillSwitch;
  /** @default as long as a function's may be */
  readonly invocationMs?: number;
  readonly root?: string;
  /** @default one on which sleeping takes no time */
  readonly clock?: FakeClock;
  /** The run waited for machines of this pool, and its machine is in it. @default it names its machine */
  readonly poolId?: string;
  /** Time to wait for each screen, instead of the recorded one. */
  readonly timeoutMs?: number;
  readonly onCallback?: (id: string) => Promise<void>;
  readonly between?: (request: DriverRequest, driver: Driver) => Promise<DriverAnswer>;
}

export async function executionWorld<Driver extends DriverProcess = DeskProcess>(
  options: ExecutionWorldOptions<Driver>,
) {
  const { desk = {}, recording, kills = new KillSwitch(), root = "/nowhere" } = options;
  const { inputs = { item: "Chair", quantity: 2 }, secrets = { pin: "9753" } } = options;
  const { clock = new FakeClock(Date.now()) } = options;
  const organizationId = anOrganization();
  const model = new DynamoModel();
  const quiet = createModelStores({ clock, model });
  const { put } = quiet;
  const workflow = await put.workflow({ organizationId, executor: "service", ...options.workflow });
  const { expect, dimensions, reset = [] } = recording;
  const { dryRunUntil = null, checks = recording.checks ?? [], ...fields } = options.verifies ?? {};
  const { timeoutMs, between = (request: DriverRequest, to: Driver) => to.request(request) } = options;
  const waiting = (each: TrajectoryElement) => ({ ...each, ...(timeoutMs !== undefined && { timeoutMs }) });
  const elements = dataOf(recording.elements.map(waiting));
  const screens = { expect, checks, reset: dataOf(reset.map(waiting)) };
  const stored = await put.trajectory({
    organizationId,
    workflowId: workflow.id,
    isApproved: true,
    dimensions,
    originalInputValues: options.original ?? null,
    ...fields,
    data: { kind: "inline", value: JSON.parse(JSON.stringify(elements)) },
    screens: { kind: "inline", value: JSON.parse(JSON.stringify(screens)) },
  });
  const made = await quiet.trajectories.updateAsRead(stored, {
    isMain:
      options.verifies === undefined && (options.model === undefined || options.model.hasTrajectory === true),
    updatedAt: stored.updatedAt,
  });
  if (made.kind !== "updated") throw new Error("the trajectory is not the main one");
  const { trajectory } = made;
  const ownDesk = () => new DeskProcess({ desk, root, clock, files: quiet.files });
  const driver = options.driver ?? (ownDesk() as unknown as Driver);
  const machine = await put.machine({
    organizationId,
    connection: { id: quiet.ids.uuid7(), websocketId: "socket", host: "host" },
    poolIds: options.poolId === undefined ? [] : [options.poolId],
  });
  const aliases = Object.keys(secrets);
  const run = await put.run(
    {
      organizationId,
      workflowId: workflow.id,
      machineId: machine.id,
      ...(options.poolId !== undefined && { namedMachineId: null, poolIds: [options.poolId] }),
      executor: "service",
      status: "running",
      trajectoryId: options.verifies === undefined ? null : trajectory.id,
      dryRunUntil,
      inputValues: inputs,
      sensitiveAliases: aliases,
      secretId: aliases.length === 0 ? null : quiet.ids.uuid7(),
    },
    secrets,
  );
  const job: ExecutionJob = { organizationId, runId: run.id, assignmentId: run.assignmentId ?? "", part: 1 };
  const client = {
    send: async (command: { readonly constructor: { readonly name: string } }) =>
      await kills.call(
        command.constructor.name,
        async () => await (model.client.send as (c: unknown) => Promise<unknown>)(command),
      ),
  } as unknown as Pick<DynamoDBClient, "send">;
  const stores = createModelStores({ clock, model, client });
  const { files } = quiet;
  const logger = new RecordingLogger();
  const started: { name: string; payload: JsonObject }[] = [];
  const countedFiles: FileStore = Object.assign(Object.create(files) as FileStore, {
    put: async (...given: Parameters<typeof files.put>) =>
      await kills.call("PutObject", async () => await files.put(...given)),
    get: async (...given: Parameters<typeof files.get>) =>
      await kills.call("GetObject", async () => await files.get(...given)),
    remove: async (...given: Parameters<typeof files.remove>) =>
      await kills.call("DeleteObject", async () => await files.remove(...given)),
    size: async (...given: Parameters<typeof files.size>) =>
      await kills.call("HeadObject", async () => await files.size(...given)),
  });
  const openDesktop = (execution: Execution) =>
    new TunnelDesktop(
      {
        machines: {
          findWithCalls: async () => {
            const found = await stores.machines.find(organizationId, machine.id);
            const { capabilities, programs } = driver.desktop;
            return found && { machine: { ...found, capabilities, programs }, callsUnderWay: 0 };
          },
        },
        organizationCallsMax: 200,
        background: new Background(),
        channel: {
          request: async (request) => {
            await request.allowed;
            return await kills.call(`desktop ${request.path}`, () => between(request, driver));
          },
        },
        ids: quiet.ids,
        files: countedFiles,
        clock,
      },
      execution,
    );
  const { decide, sizeMax, keys = new FakeKeys(), choices = [{}], maxTokens = null } = options.model ?? {};
  const call = async <Result>(name: string, work: () => Promise<Result>) => await kills.call(name, work);
  const models = decide && new FakeModels(decide, { call, ...(sizeMax !== undefined && { sizeMax }) });
  const [main = aChoice, ...fallbacks] = choices.map((each) => ({ ...aChoice, ...each }));
  const chosen = { main, fallbacks, prompt: workflow.mainPrompt, maxTokens };
  const deps: ExecutorDeps = {
    ...(models && {
      models: { languageModels: models, providerKeys: keys, choose: async () => chosen },
    }),
    ...stores,
    attachmentDays: 90,
    files: countedFiles,
    encryption: testEncryption,
    trajectoryReader: zodTrajectoryReader,
    pictures: pngCodec,
    outputChecker: new AjvInputChecker({ clock, timeoutMs: 5_000 }),
    codes: otpauthCodes,
    starter: { start: async (name, payload) => void started.push({ name, payload }) },
    openDesktop,
    logger,
  };
  const { invocationMs } = options;
  const { onCallback } = options;
  const durable = new MemoryDurable({
    clock,
    kills,
    onCallback,
    ...(invocationMs !== undefined && { invocationMs }),
  });
  const engines = [durable];
  return {
    clock,
    organizationId,
    workflow,
    trajectory,
    machine,
    run,
    job,
    deps,
    driver,
    durable,
    kills,
    logger,
    started,
    stores: quiet,
    files,
    model,
    engines,
    keys,
    requests: models?.requests ?? [],
    execute: async (how: RunOptions = {}) =>
      await durable.run(async (engine) => await executeRun(engine, deps, job), how),
    executeAll: async (how: RunOptions = {}) => {
      for (let part = 1, engine = durable; ; part += 1) {
        const executed = await engine.run((each) => executeRun(each, deps, { ...job, part }), how);
        if (executed.kind !== "handed_over") return executed;
        engine = new MemoryDurable({ clock, kills, arn: `${durable.arn}-${part + 1}` });
        engines.push(engine);
      }
    },
    find: async (): Promise<Run | undefined> => await quiet.runs.find(organizationId, run.id),
    steps: async () =>
      (await quiet.executions.listSteps(organizationId, run.id, { skip: 0, limit: 1_000 })).items,
  };
}

const aChoice: ModelChoice = {
  provider: "anthropic",
  model: "a-model",
  temperature: null,
  maxOutputTokens: null,
  timeoutSeconds: 120,
  additionalParams: {},
};

export type ExecutionWorld = Awaited<ReturnType<typeof executionWorld<DeskProcess>>>;
