import * as z from "zod";
import { AsyncApiDocument, OpenApiDocument } from "../../../shared/contract/docs.ts";
import * as computer from "../../../shared/contract/computer.ts";
import { Connection, ConnectionList } from "../../../shared/contract/connection.ts";
import { ConnectionAuthorization, ConnectionToken } from "../../../shared/contract/driver-authorization.ts";
import { DatabaseHealth, Health, MachineHealthReport } from "../../../shared/contract/health.ts";
import { ProviderCredential } from "../../../shared/contract/provider-credential.ts";
import { ErrorBody } from "../../../shared/contract/errors.ts";
import { CreatedChain } from "../../../shared/contract/chain.ts";
import { CreatedRuns, Run, RunAnswer, RunList } from "../../../shared/contract/run.ts";
import {
  AttachmentList,
  CreatedAttachment,
  DownloadUrl,
  RunAttachment,
} from "../../../shared/contract/run-attachment.ts";
import { DriverShutdown, Machine, MachineList, Pool } from "../../../shared/contract/machine.ts";
import { PoolDetail, PoolList } from "../../../shared/contract/pool.ts";
import {
  BulkAssignment,
  Workflow,
  WorkflowList,
  WorkflowVersion,
} from "../../../shared/contract/workflow.ts";
import { Trajectory, TrajectoryAnswer, TrajectoryList } from "../../../shared/contract/trajectory.ts";
import { TagGroup, WorkflowTag } from "../../../shared/contract/workflow-tag.ts";
import type { TakenId } from "./taken-id.ts";

/** What a valid request needs to be about. */
export interface OperationWorld {
  /** Connected, with a desktop that has the file `notes.txt`. */
  readonly machineId: string;
  /** A run that waits. */
  readonly runId: string;
  /** Of a machine that is not there yet. */
  readonly fingerprint: string;
  /** A fresh one each time: few may be asked for in a minute. */
  readonly desktopToken: () => Promise<string>;
  readonly driverKey: string;
  /** Has the tag, which has no group. */
  readonly workflowId: string;
  readonly tagId: string;
  readonly groupId: string;
}

type RequestBody = Readonly<Record<string, unknown>>;

export interface Operation {
  /** As API Gateway names it. */
  readonly route: string;
  /** `body`: the credentials are in the body. */
  readonly credentials: "public" | "bearer" | "body";
  /** What a caller needs. */
  readonly scope?: "read" | "write" | "worker";
  readonly query?: string;
  readonly body?: (world: OperationWorld) => RequestBody | Promise<RequestBody>;
  readonly status: 200 | 201 | 204 | 409;
  /** A field more fails. Undefined: no body, or none that is JSON. */
  readonly answer?: z.ZodType;
  readonly contentType?: "image/png" | "text/plain" | "text/html" | "text/css" | "text/javascript";
  /** Ids in its query and body; a test fails for one that the description has and this has not. */
  readonly takes?: readonly TakenId[];
  /** A request that is wrong, and where. None for what takes no input. */
  readonly bad?: {
    readonly query?: string;
    readonly body?: unknown;
    readonly loc: readonly (string | number)[];
    readonly type: string;
  };
  /**
   * Ends the machine, its driver or its connection, the pool or what is in it, the workflow, its tag or a
   * group: done to one of its own.
   */
  readonly ends?:
    | "machine"
    | "driver"
    | "connection"
    | "pool"
    | "run"
    /** Takes one that has ended. */
    | "ended_run"
    | "attachment"
    | "workflow"
    | "trajectory";
}

const unknownParameter = {
  query: "surprise=1",
  loc: ["query", "surprise"],
  type: "extra_forbidden",
} as const;

/** The contract of a desktop's answers takes what a driver adds; the service must not. */
const exactly = <Shape extends z.ZodRawShape>({ shape }: z.ZodObject<Shape>) => z.strictObject(shape);

const machines: readonly Operation[] = [
  {
    route: "GET /v1/machines",
    takes: [{ at: "query.search", of: "machine_id", status: 200 }],
    ...{ credentials: "bearer", scope: "read", status: 200, answer: MachineList },
    bad: { query: "limit=0", loc: ["query", "limit"], type: "greater_than_equal" },
  },
  {
    route: "POST /v1/machines",
    takes: [{ at: "body.fingerprint", of: "fingerprint", status: 201 }],
    ...{ credentials: "bearer", scope: "write", status: 201, answer: Machine },
    body: ({ fingerprint }) => ({
      fingerprint,
      name: "made",
      machine_parameters: { site: "here" },
      machine_sensitive_parameters: { pin: "a-secret-value" },
    }),
    bad: { body: { name: "made" }, loc: ["body", "fingerprint"], type: "missing" },
  },
  {
    route: "GET /v1/machines/{machine_id}",
    ...{ credentials: "bearer", scope: "read", status: 200, answer: Machine },
    bad: { query: "include=runs", loc: ["query", "include", 0], type: "literal_error" },
  },
  {
    route: "PATCH /v1/machines/{machine_id}",
    takes: [{ at: "body.reserved_session_id", of: "session_id", status: 200 }],
    ...{ credentials: "bearer", scope: "write", status: 200, answer: Machine },
    body: () => ({ name: "renamed", machine_sensitive_parameters: { pin: "another-secret-value" } }),
    bad: { body: { name: "" }, loc: ["body", "name"], type: "string_too_short" },
  },
  {
    route: "DELETE /v1/machines/{machine_id}",
    ...{ credentials: "bearer", scope: "write", status: 204, ends: "machine", bad: unknownParameter },
  },
  {
    route: "GET /v1/machines/{machine_id}/pools",
    ...{ credentials: "bearer", scope: "read", status: 200, answer: z.array(Pool), bad: unknownParameter },
  },
  {
    route: "PUT /v1/machines/{machine_id}/pools",
    takes: [{ at: "body.pool_ids[]", of: "pool_id" }],
    ...{ credentials: "bearer", scope: "write", status: 200, answer: z.array(Pool) },
    body: () => ({ pool_ids: [] }),
    bad: { body: { pool_ids: ["7"] }, loc: ["body", "pool_ids", 0], type: "uuid_parsing" },
  },
  {
    route: "POST /v1/machines/{machine_id}/driver/shutdown",
    ...{ credentials: "bearer", scope: "write", status: 200, answer: DriverShutdown, ends: "driver" },
    body: () => ({ source: "test" }),
    bad: { body: { source: "" }, loc: ["body", "source"], type: "string_too_short" },
  },
];

const pools: readonly Operation[] = [
  {
    route: "GET /v1/pools",
    takes: [{ at: "query.search", of: "pool_id", status: 200 }],
    ...{ credentials: "bearer", scope: "read", status: 200, answer: PoolList },
    bad: { query: "limit=1001", loc: ["query", "limit"], type: "less_than_equal" },
  },
  {
    route: "POST /v1/pools",
    ...{ credentials: "bearer", scope: "write", status: 201, answer: Pool },
    body: ({ fingerprint }) => ({
      name: `made ${fingerprint}`,
      pool_parameters: { site: "here" },
      pool_sensitive_parameters: { pin: "a-secret-value" },
    }),
    bad: { body: { description: "made" }, loc: ["body", "name"], type: "missing" },
  },
  {
    route: "GET /v1/pools/{pool_id}",
    ...{ credentials: "bearer", scope: "read", status: 200, answer: PoolDetail, query: "include=machines" },
    bad: { query: "include=pools", loc: ["query", "include", 0], type: "literal_error" },
  },
  {
    route: "PATCH /v1/pools/{pool_id}",
    ...{ credentials: "bearer", scope: "write", status: 200, answer: Pool },
    body: () => ({ description: "changed", pool_sensitive_parameters: { pin: "another-secret-value" } }),
    bad: { body: { name: "" }, loc: ["body", "name"], type: "string_too_short" },
  },
  {
    route: "DELETE /v1/pools/{pool_id}",
    ...{ credentials: "bearer", scope: "write", status: 204, ends: "pool", bad: unknownParameter },
  },
  {
    route: "POST /v1/pools/{pool_id}/machines",
    takes: [{ at: "body.machine_ids[]", of: "machine_id" }],
    ...{ credentials: "bearer", scope: "write", status: 200, answer: PoolDetail },
    body: ({ machineId }) => ({ machine_ids: [machineId] }),
    bad: { body: { machine_ids: [] }, loc: ["body", "machine_ids"], type: "too_short" },
  },
  {
    route: "DELETE /v1/pools/{pool_id}/machines",
    takes: [{ at: "body.machine_ids[]", of: "machine_id", status: 204 }],
    ...{ credentials: "bearer", scope: "write", status: 204, ends: "pool" },
    body: ({ machineId }) => ({ machine_ids: [machineId] }),
    bad: { body: { machine_ids: ["7"] }, loc: ["body", "machine_ids", 0], type: "uuid_parsing" },
  },
];

const runs: readonly Operation[] = [
  {
    route: "GET /v1/runs",
    takes: [
      { at: "query.workflow_id", of: "workflow_id", status: 200 },
      { at: "query.machine_id", of: "machine_id", status: 200 },
      { at: "query.session_id", of: "session_id", status: 200 },
    ],
    ...{ credentials: "bearer", scope: "read", status: 200, answer: RunList },
    query: "include=workflow,machine,machine.pools&fields=output_data",
    bad: { query: "fields=secret_name", loc: ["query", "fields", 0], type: "enum" },
  },
  {
    route: "POST /v1/runs",
    takes: [
      { at: "body.workflow_id", of: "workflow_id" },
      { at: "body.machine_id", of: "machine_id" },
      { at: "body.pool_ids[]", of: "pool_id" },
      { at: "body.session_id", of: "session_id", without: ["start_session"] },
    ],
    ...{ credentials: "bearer", scope: "write", status: 201, answer: Run },
    body: ({ workflowId }) => ({
      workflow_id: workflowId,
      input_values: { site: "here" },
      sensitive_input_values: { pin: "a-secret-value" },
      file_inputs: [{ filename: "a.txt", content: "YWJj" }],
      start_session: true,
    }),
    bad: { body: {}, loc: ["body", "workflow_id"], type: "missing" },
  },
  {
    route: "POST /v1/runs/bulk",
    takes: [
      { at: "body.workflow_id", of: "workflow_id" },
      { at: "body.machine_id", of: "machine_id" },
      { at: "body.pool_ids[]", of: "pool_id" },
      { at: "body.session_id", of: "session_id", without: ["start_session"] },
    ],
    ...{ credentials: "bearer", scope: "write", status: 201, answer: CreatedRuns },
    body: ({ workflowId }) => ({
      workflow_id: workflowId,
      sensitive_input_values: { pin: "a-secret-value" },
      file_inputs: [{ filename: "a.txt", content: "YWJj" }],
      start_session: true,
      count: 30,
    }),
    bad: { body: { count: 1 }, loc: ["body", "workflow_id"], type: "missing" },
  },
  {
    route: "POST /v1/runs/chain",
    takes: [
      { at: "body.steps[].workflow_id", of: "workflow_id" },
      { at: "body.machine_id", of: "machine_id" },
      { at: "body.pool_ids[]", of: "pool_id" },
      { at: "body.session_id", of: "session_id" },
    ],
    ...{ credentials: "bearer", scope: "write", status: 201, answer: CreatedChain },
    body: ({ workflowId }) => ({
      steps: [
        { workflow_id: workflowId, session_alias: "one", sensitive_inputs: { pin: "a-secret-value" } },
        { workflow_id: workflowId, inputs: { total: { $ref: "one.outputs.total" } } },
      ],
      shared_inputs: { site: "here" },
      shared_file_inputs: [{ filename: "a.txt", content: "YWJj" }],
      keep_session_after_completion: true,
    }),
    bad: {
      body: {
        steps: [
          { workflow_id: "0190b5a0-0000-7000-8000-00000000dead", inputs: { a: { $ref: "x.outputs" } } },
        ],
      },
      ...{ loc: ["body", "steps", 0, "inputs", "a", "$ref"], type: "value_error" },
    },
  },
  {
    route: "GET /v1/runs/{run_id}",
    ...{ credentials: "bearer", scope: "read", status: 200, answer: RunAnswer, query: "include=workflow" },
    bad: { query: "include=pools", loc: ["query", "include", 0], type: "enum" },
  },
  {
    route: "PATCH /v1/runs/{run_id}",
    takes: [
      { at: "body.output_attachment_ids[]", of: "attachment_id", status: 200 },
      { at: "body.assignment_id", of: "assignment_id", status: 409 },
    ],
    ...{ credentials: "bearer", scope: "write", status: 200, answer: Run },
    body: () => ({ output_data: { text: "x".repeat(9_000) } }),
    bad: { body: { status: "done" }, loc: ["body", "status"], type: "enum" },
  },
  {
    route: "DELETE /v1/runs/{run_id}",
    ...{ credentials: "bearer", scope: "write", status: 204, ends: "run", bad: unknownParameter },
  },
  {
    route: "POST /v1/runs/{run_id}/retry",
    takes: [
      { at: "body.machine_id", of: "machine_id" },
      { at: "body.pool_ids[]", of: "pool_id" },
      { at: "body.session_id", of: "session_id" },
    ],
    ...{ credentials: "bearer", scope: "write", status: 200, answer: Run, ends: "ended_run" },
    body: () => ({
      sensitive_input_values: { pin: "another-secret-value" },
      file_inputs: [{ filename: "b.txt", content: "YWJj" }],
      reuse_session: false,
    }),
    bad: { body: { reuse_session: "no" }, loc: ["body", "reuse_session"], type: "bool_type" },
  },
  {
    // None runs before runs are given to machines.
    route: "GET /v1/runs/{run_id}/inputs",
    ...{ credentials: "bearer", scope: "worker", status: 409, answer: ErrorBody, bad: unknownParameter },
  },
];

const attachments: readonly Operation[] = [
  {
    route: "GET /v1/run-attachments",
    takes: [{ at: "query.run_id", of: "run_id", status: 200 }],
    ...{ credentials: "bearer", scope: "read", status: 200, answer: AttachmentList },
    bad: { query: "attachment_type=none", loc: ["query", "attachment_type"], type: "enum" },
  },
  {
    route: "POST /v1/run-attachments",
    takes: [{ at: "body.run_id", of: "run_id" }],
    ...{ credentials: "bearer", scope: "write", status: 201, answer: CreatedAttachment },
    body: ({ runId }) => ({ run_id: runId, attachment_type: "output", filename: "b.bin", size: 3 }),
    bad: { body: { filename: "b.bin", attachment_type: "output" }, loc: ["body", "run_id"], type: "missing" },
  },
  {
    route: "GET /v1/run-attachments/{attachment_id}",
    ...{ credentials: "bearer", scope: "read", status: 200, answer: RunAttachment, bad: unknownParameter },
  },
  {
    route: "PUT /v1/run-attachments/{attachment_id}",
    ...{ credentials: "bearer", scope: "write", status: 200, answer: RunAttachment },
    body: () => ({ expires_at: "2099-01-01T00:00:00Z" }),
    bad: { body: {}, loc: ["body", "expires_at"], type: "missing" },
  },
  {
    route: "DELETE /v1/run-attachments/{attachment_id}",
    ...{ credentials: "bearer", scope: "write", status: 204, ends: "attachment", bad: unknownParameter },
  },
  {
    route: "GET /v1/run-attachments/{attachment_id}/download",
    ...{
      credentials: "bearer",
      scope: "read",
      status: 200,
      contentType: "text/plain",
      bad: unknownParameter,
    },
  },
  {
    route: "GET /v1/run-attachments/{attachment_id}/download-url",
    ...{ credentials: "bearer", scope: "read", status: 200, answer: DownloadUrl, query: "expires_in=10" },
    bad: { query: "expires_in=9", loc: ["query", "expires_in"], type: "greater_than_equal" },
  },
];

const connections: readonly Operation[] = [
  {
    route: "GET /v1/connections",
    takes: [{ at: "query.machine_id", of: "machine_id", status: 200 }],
    ...{ credentials: "bearer", scope: "read", status: 200, answer: ConnectionList },
    bad: { query: "status=open", loc: ["query", "status"], type: "enum" },
  },
  {
    route: "GET /v1/connections/{connection_id}",
    ...{ credentials: "bearer", scope: "read", status: 200, answer: Connection, bad: unknownParameter },
  },
  {
    route: "DELETE /v1/connections/{connection_id}",
    ...{ credentials: "bearer", scope: "write", status: 204, ends: "connection", bad: unknownParameter },
  },
];

const providerKey = { auth_type: "api_key", api_key: "sk-test-0123456789-wxyz" };

const providerCredentials: readonly Operation[] = [
  {
    route: "GET /v1/provider-credentials",
    ...{ credentials: "bearer", scope: "read", status: 200, answer: z.array(ProviderCredential) },
    bad: unknownParameter,
  },
  {
    route: "PUT /v1/provider-credentials/{slot}",
    takes: [{ at: "body.access_key_id", of: null }],
    ...{ credentials: "bearer", scope: "write", status: 200, answer: ProviderCredential },
    body: () => providerKey,
    bad: { body: { auth_type: "api_key" }, loc: ["body", "api_key"], type: "missing" },
  },
  {
    route: "GET /v1/provider-credentials/{slot}",
    ...{ credentials: "bearer", scope: "read", status: 200, answer: ProviderCredential },
    bad: unknownParameter,
  },
  {
    route: "POST /v1/provider-credentials/{slot}/report-invalid",
    ...{ credentials: "bearer", scope: "worker", status: 200, answer: ProviderCredential },
    body: () => ({ last_error: "401: invalid x-api-key" }),
    bad: { body: { last_error: "" }, loc: ["body", "last_error"], type: "string_too_short" },
  },
  {
    route: "DELETE /v1/provider-credentials/{slot}",
    ...{ credentials: "bearer", scope: "write", status: 200, answer: ProviderCredential },
    bad: unknownParameter,
  },
];

const health: readonly Operation[] = [
  { route: "GET /v1/health", credentials: "public", status: 200, answer: Health },
  { route: "GET /v1/health/db", credentials: "public", status: 200, answer: DatabaseHealth },
  {
    route: "GET /health/machines",
    ...{ credentials: "bearer", scope: "read", status: 200, answer: MachineHealthReport },
    bad: unknownParameter,
  },
];

const docs: readonly Operation[] = [
  { route: "GET /openapi.json", credentials: "public", status: 200, answer: OpenApiDocument },
  { route: "GET /asyncapi.json", credentials: "public", status: 200, answer: AsyncApiDocument },
  { route: "GET /docs", credentials: "public", status: 200, contentType: "text/html" },
  asset("page.js", "text/javascript"),
  asset("page.css", "text/css"),
  asset("swagger-ui-bundle.js", "text/javascript"),
  asset("swagger-ui.css", "text/css"),
];

function asset(file: string, contentType: NonNullable<Operation["contentType"]>): Operation {
  return { route: `GET /docs/assets/${file}`, credentials: "public", status: 200, contentType };
}

const driver: readonly Operation[] = [
  {
    route: "POST /api/driver/connection-token",
    takes: [
      { at: "body.selectedOrganizationId", of: "organization_id", status: 200 },
      { at: "body.remotePeerId", of: null },
    ],
    ...{ credentials: "body", status: 200, answer: ConnectionToken },
    body: () => ({ remotePeerId: "peer", selectedOrganizationId: "" }),
    bad: { body: { remotePeerId: "" }, loc: ["body", "remotePeerId"], type: "string_too_short" },
  },
  {
    route: "POST /api/driver/authorize-connection",
    takes: [
      { at: "body.machineId", of: "machine_id" },
      { at: "body.selectedOrganizationId", of: "organization_id", status: 200 },
      { at: "body.remotePeerId", of: null },
      { at: "body.id", of: null },
    ],
    ...{ credentials: "body", status: 200, answer: ConnectionAuthorization },
    body: async ({ desktopToken, driverKey, machineId }) => ({
      ...{ desktopToken: await desktopToken(), machineApiKey: driverKey, machineId },
      ...{ selectedOrganizationId: "", remotePeerId: "peer", id: "" },
    }),
    bad: { body: { desktopToken: "a.b" }, loc: ["body", "machineApiKey"], type: "missing" },
  },
];

function looking(path: string, rest: Pick<Operation, "answer" | "query" | "bad" | "contentType">): Operation {
  return {
    route: `GET /v1/computer/{machine_id}/${path}`,
    ...{ credentials: "bearer", scope: "read", status: 200, ...rest },
  };
}

function acting(
  path: string,
  body: Readonly<Record<string, unknown>>,
  bad: NonNullable<Operation["bad"]>,
  answer: z.ZodType = z.strictObject({}),
  takes: readonly TakenId[] = [],
): Operation {
  return {
    route: `POST /v1/computer/{machine_id}/${path}`,
    ...{ credentials: "bearer", scope: "write", status: 200, body: () => body, bad, answer, takes },
  };
}

const FileItem = exactly(computer.FileList.shape.items.element);

const desktop: readonly Operation[] = [
  looking("display/dimensions", { answer: exactly(computer.Dimensions), bad: unknownParameter }),
  looking("display/screenshot", {
    query: "width=64&height=48",
    contentType: "image/png",
    bad: { query: "width=0", loc: ["query", "width"], type: "greater_than_equal" },
  }),
  looking("input/mouse/position", { answer: exactly(computer.Position), bad: unknownParameter }),
  looking("fs/list", {
    query: "path=.",
    answer: z.strictObject({ path: z.string(), items: z.array(FileItem) }),
    bad: { query: "path=", loc: ["query", "path"], type: "string_too_short" },
  }),
  looking("fs/read", {
    query: "path=notes.txt",
    answer: exactly(computer.FileContent),
    bad: { query: "path=notes.txt&as=link", loc: ["query", "as"], type: "enum" },
  }),
  acting("input/mouse/move", { x: 10, y: 20 }, { body: { x: 10 }, loc: ["body", "y"], type: "missing" }),
  acting(
    "input/mouse/click",
    { x: 1, y: 2, button: "right", clicks: 2 },
    { body: { clicks: 4 }, loc: ["body", "clicks"], type: "less_than_equal" },
  ),
  acting(
    "input/mouse/drag",
    { start_x: 0, start_y: 0, to_x: 5, to_y: 5, duration: 0 },
    { body: { start_x: 0, start_y: 0, to_x: 5 }, loc: ["body", "to_y"], type: "missing" },
  ),
  acting(
    "input/mouse/scroll",
    { direction: "down", amount: 3 },
    { body: { direction: "sideways", amount: 3 }, loc: ["body", "direction"], type: "enum" },
  ),
  acting(
    "input/keyboard/type",
    { text: "typed" },
    { body: { text: "" }, loc: ["body", "text"], type: "string_too_short" },
  ),
  acting(
    "input/keyboard/key",
    { text: "ctrl+a Delete" },
    { body: { text: "ctrl++" }, loc: ["body", "text"], type: "value_error" },
  ),
  acting(
    "copy_to_clipboard",
    { text: "copied" },
    { body: {}, loc: ["body", "text"], type: "missing" },
    z.strictObject({ copied: z.string() }),
  ),
  acting(
    "fs/uploads",
    { filename: "a.bin", size: 3 },
    { body: { filename: "a.bin", size: 104_857_601 }, loc: ["body", "size"], type: "less_than_equal" },
    exactly(computer.UploadCreated),
  ),
  acting(
    "fs/write",
    { path: "written.txt", content: "aGVsbG8=" },
    { body: { path: "written.txt" }, loc: ["body", "content"], type: "missing" },
    exactly(computer.FileWritten),
    [{ at: "body.upload_id", of: "upload_id", without: ["content"] }],
  ),
  acting(
    "shell/exec",
    { command: "echo hello", timeout: 5 },
    { body: { command: "echo hello", timeout: 21 }, loc: ["body", "timeout"], type: "less_than_equal" },
    exactly(computer.ExecResult),
  ),
];

const workflows: readonly Operation[] = [
  {
    route: "GET /v1/workflows",
    takes: [{ at: "query.tag_ids[]", of: "tag_id", status: 200 }],
    ...{ credentials: "bearer", scope: "read", status: 200, answer: WorkflowList },
    query: "include_tags=true&search=made",
    bad: { query: "include_tags=yes", loc: ["query", "include_tags"], type: "bool_parsing" },
  },
  {
    route: "POST /v1/workflows",
    ...{ credentials: "bearer", scope: "write", status: 201, answer: Workflow },
    body: () => ({
      name: "made",
      main_prompt: "Log in as {user} with {$password}.",
      input_schema: { type: "object" },
      model_metadata: { provider: "anthropic", model: "a-model" },
    }),
    bad: { body: { name: "made" }, loc: ["body", "main_prompt"], type: "missing" },
  },
  {
    route: "GET /v1/workflows/{workflow_id}",
    ...{ credentials: "bearer", scope: "read", status: 200, answer: Workflow, bad: unknownParameter },
  },
  {
    route: "PATCH /v1/workflows/{workflow_id}",
    ...{ credentials: "bearer", scope: "write", status: 200, answer: Workflow },
    body: ({ fingerprint }) => ({ main_prompt: `Changed by ${fingerprint}.` }),
    bad: { body: { main_prompt: "" }, loc: ["body", "main_prompt"], type: "string_too_short" },
  },
  {
    route: "DELETE /v1/workflows/{workflow_id}",
    ...{ credentials: "bearer", scope: "write", status: 204, ends: "workflow", bad: unknownParameter },
  },
  {
    route: "GET /v1/workflows/{workflow_id}/versions",
    ...{ credentials: "bearer", scope: "read", status: 200, answer: z.array(WorkflowVersion) },
    bad: unknownParameter,
  },
  {
    route: "GET /v1/workflows/{workflow_id}/tags",
    ...{ credentials: "bearer", scope: "read", status: 200, answer: z.array(WorkflowTag) },
    bad: unknownParameter,
  },
  {
    route: "POST /v1/workflows/{workflow_id}/tags",
    takes: [{ at: "body.tag_ids[]", of: "tag_id" }],
    ...{ credentials: "bearer", scope: "write", status: 200, answer: z.array(WorkflowTag) },
    body: ({ tagId }) => ({ tag_ids: [tagId] }),
    bad: { body: { tag_ids: [] }, loc: ["body", "tag_ids"], type: "too_short" },
  },
  {
    route: "DELETE /v1/workflows/{workflow_id}/tags/{tag_id}",
    ...{ credentials: "bearer", scope: "write", status: 204, ends: "workflow", bad: unknownParameter },
  },
  {
    route: "POST /v1/workflows/bulk/tags",
    takes: [
      { at: "body.workflow_ids[]", of: "workflow_id", status: 200 },
      { at: "body.tag_ids[]", of: "tag_id" },
    ],
    ...{ credentials: "bearer", scope: "write", status: 200, answer: BulkAssignment },
    body: ({ workflowId, tagId }) => ({ workflow_ids: [workflowId], tag_ids: [tagId] }),
    bad: {
      body: { workflow_ids: ["7"], tag_ids: ["0190b5a0-0000-7000-8000-00000000dead"] },
      ...{ loc: ["body", "workflow_ids", 0], type: "uuid_parsing" },
    },
  },
];

const trajectories: readonly Operation[] = [
  {
    route: "GET /v1/trajectories",
    takes: [{ at: "query.workflow_id", of: "workflow_id", status: 200 }],
    ...{ credentials: "bearer", scope: "read", status: 200, answer: TrajectoryList },
    query: "include=workflow&fields=trajectory_data&is_approved=false",
    bad: { query: "is_approved=0", loc: ["query", "is_approved"], type: "bool_parsing" },
  },
  {
    route: "POST /v1/trajectories",
    takes: [{ at: "body.workflow_id", of: "workflow_id" }],
    ...{ credentials: "bearer", scope: "write", status: 201, answer: Trajectory },
    body: ({ workflowId }) => ({
      workflow_id: workflowId,
      dimensions: { width: 1280, height: 800 },
      original_input_values: { site: "here" },
      // Too large for its item.
      trajectory_data: [{ action: "type", text: "x".repeat(9_000) }],
    }),
    bad: { body: { trajectory_data: [1] }, loc: ["body", "workflow_id"], type: "missing" },
  },
  {
    route: "GET /v1/trajectories/{trajectory_id}",
    ...{ credentials: "bearer", scope: "read", status: 200, answer: TrajectoryAnswer },
    query: "include=workflow",
    bad: { query: "include=run", loc: ["query", "include", 0], type: "literal_error" },
  },
  {
    route: "PATCH /v1/trajectories/{trajectory_id}",
    ...{ credentials: "bearer", scope: "write", status: 200, answer: Trajectory },
    body: () => ({ name: "changed", trajectory_data: [{ action: "type", text: "y".repeat(9_000) }] }),
    bad: { body: { trajectory_data: [] }, loc: ["body", "trajectory_data"], type: "too_short" },
  },
  {
    route: "DELETE /v1/trajectories/{trajectory_id}",
    ...{ credentials: "bearer", scope: "write", status: 204, ends: "trajectory", bad: unknownParameter },
  },
  {
    route: "GET /v1/workflows/{workflow_id}/latest-trajectory",
    ...{ credentials: "bearer", scope: "read", status: 200, answer: Trajectory, bad: unknownParameter },
  },
  {
    route: "POST /v1/trajectories/{trajectory_id}/duplicate",
    ...{ credentials: "bearer", scope: "write", status: 201, answer: Trajectory, bad: unknownParameter },
  },
];

const workflowTags: readonly Operation[] = [
  {
    route: "GET /v1/workflow-tags",
    ...{ credentials: "bearer", scope: "read", status: 200, answer: z.array(WorkflowTag) },
    query: "include_archived=true",
    bad: { query: "include_archived=1", loc: ["query", "include_archived"], type: "bool_parsing" },
  },
  {
    route: "POST /v1/workflow-tags",
    takes: [{ at: "body.group_id", of: "group_id" }],
    ...{ credentials: "bearer", scope: "write", status: 201, answer: WorkflowTag },
    body: ({ fingerprint, groupId }) => ({ name: `made ${fingerprint}`, emoji: "🔥", group_id: groupId }),
    bad: { body: { name: "" }, loc: ["body", "name"], type: "string_too_short" },
  },
  {
    route: "PUT /v1/workflow-tags/reorder",
    takes: [{ at: "body.ids[]", of: "tag_id" }],
    ...{ credentials: "bearer", scope: "write", status: 200, answer: z.array(WorkflowTag) },
    body: ({ tagId }) => ({ ids: [tagId] }),
    bad: { body: { ids: [] }, loc: ["body", "ids"], type: "too_short" },
  },
  {
    route: "GET /v1/workflow-tags/{tag_id}",
    ...{ credentials: "bearer", scope: "read", status: 200, answer: WorkflowTag, bad: unknownParameter },
  },
  {
    route: "PATCH /v1/workflow-tags/{tag_id}",
    takes: [{ at: "body.group_id", of: "group_id" }],
    ...{ credentials: "bearer", scope: "write", status: 200, answer: WorkflowTag },
    body: ({ fingerprint }) => ({ name: `renamed ${fingerprint}`, color: "#fff" }),
    bad: { body: { order: -1 }, loc: ["body", "order"], type: "greater_than_equal" },
  },
  {
    route: "DELETE /v1/workflow-tags/{tag_id}",
    ...{ credentials: "bearer", scope: "write", status: 204, ends: "workflow", bad: unknownParameter },
  },
  ...["archive", "unarchive"].map(
    (verb): Operation => ({
      route: `POST /v1/workflow-tags/{tag_id}/${verb}`,
      ...{ credentials: "bearer", scope: "write", status: 200, answer: WorkflowTag, bad: unknownParameter },
    }),
  ),
  {
    route: "GET /v1/workflow-tag-groups",
    ...{ credentials: "bearer", scope: "read", status: 200, answer: z.array(TagGroup) },
    bad: unknownParameter,
  },
  {
    route: "POST /v1/workflow-tag-groups",
    ...{ credentials: "bearer", scope: "write", status: 201, answer: TagGroup },
    body: ({ fingerprint }) => ({ name: `made ${fingerprint}` }),
    bad: { body: {}, loc: ["body", "name"], type: "missing" },
  },
  {
    route: "PUT /v1/workflow-tag-groups/reorder",
    takes: [{ at: "body.ids[]", of: "group_id" }],
    ...{ credentials: "bearer", scope: "write", status: 200, answer: z.array(TagGroup) },
    body: ({ groupId }) => ({ ids: [groupId] }),
    bad: { body: { ids: ["7"] }, loc: ["body", "ids", 0], type: "uuid_parsing" },
  },
  {
    route: "GET /v1/workflow-tag-groups/{group_id}",
    ...{ credentials: "bearer", scope: "read", status: 200, answer: TagGroup, bad: unknownParameter },
  },
  {
    route: "PATCH /v1/workflow-tag-groups/{group_id}",
    ...{ credentials: "bearer", scope: "write", status: 200, answer: TagGroup },
    body: ({ fingerprint }) => ({ name: `renamed ${fingerprint}` }),
    bad: { body: { name: "" }, loc: ["body", "name"], type: "string_too_short" },
  },
  {
    route: "DELETE /v1/workflow-tag-groups/{group_id}",
    ...{ credentials: "bearer", scope: "write", status: 204, ends: "workflow", bad: unknownParameter },
  },
];

/** Every operation of the service, with a request that is valid and one that is not. */
export const operations: readonly Operation[] = [
  ...health,
  ...docs,
  ...driver,
  ...machines,
  ...pools,
  ...runs,
  ...attachments,
  ...connections,
  ...providerCredentials,
  ...desktop,
  ...workflows,
  ...workflowTags,
  ...trajectories,
];

export function methodOf({ route }: Operation): string {
  return route.split(" ")[0] ?? "";
}

/** What is no id: every organization has each of them. */
const fixedParameters: Readonly<Record<string, string>> = { slot: "openai" };

/** Names of the path's parameters that are ids of resources. */
export function parametersOf({ route }: Operation): readonly string[] {
  const names = [...route.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  return names.filter((name) => fixedParameters[name] === undefined);
}

/**
 * With the path's parameters filled in, and the query.
 *
 * @throws {Error} when one of the ids is not given.
 */
export function pathOf(
  operation: Operation,
  ids: Readonly<Record<string, string>>,
  query = operation.query,
): string {
  const path = (operation.route.split(" ")[1] ?? "").replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const id = ids[name] ?? fixedParameters[name];
    if (id === undefined) throw new Error(`${operation.route} needs a ${name}`);
    return id;
  });
  return query === undefined ? path : `${path}?${query}`;
}

/** @throws {Error} when there is no such operation. */
export function operationOf(route: string): Operation {
  const found = operations.find((operation) => operation.route === route);
  if (found === undefined) throw new Error(`there is no operation ${route}`);
  return found;
}
