import * as z from "zod";
import type { OperationId } from "../../../shared/client/call-types.ts";
import { ErrorBody, ValidationErrorBody } from "../../../shared/contract/errors.ts";
import { allOperations } from "../../../shared/contract/operations/all-operations.ts";
import type { Operation as ContractOperation } from "../../../shared/contract/operations/operation.ts";
import type { IdName, TakenId } from "./taken-id.ts";

/** The resources that valid requests refer to, by the names of the paths' parameters. */
export interface OperationWorld extends Readonly<Partial<Record<IdName, string>>> {
  /** Makes a fresh token each time: few may be requested in a minute. */
  readonly desktopToken?: () => Promise<string>;
  readonly driverKey?: string;
}

/** A GIF of one pixel. */
const aGif = {
  filename: "dot.gif",
  content: "R0lGODlhAQABAIAAAP///wAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==",
};

type RequestBody = Readonly<Record<string, unknown>>;

interface Case {
  readonly query?: string;
  readonly body?: (world: OperationWorld) => RequestBody | Promise<RequestBody>;
  /** @default success */
  readonly status?: number;
  /** @default the response's schema, which an extra field fails */
  readonly answer?: z.ZodType;
  /** @default the response's */
  readonly contentType?: string;
  readonly takes?: readonly TakenId[];
  /**
   * An invalid request, and the place of the error.
   *
   * @default an unknown query parameter, where credentials are needed
   */
  readonly bad?: {
    readonly query?: string;
    readonly body?: unknown;
    readonly loc: readonly (string | number)[];
    readonly type: string;
  };
  /**
   * The operation ends this resource with all that belongs to it; a test gives each such operation one of its own.
   *
   * @default the resource, for a DELETE below its id
   */
  readonly ends?: "resource" | "endpoint" | "ended_run" | "connection" | "driver";
}

export interface Operation extends Case {
  readonly id: OperationId;
  readonly route: string;
  readonly method: string;
  readonly path: string;
  readonly access: ContractOperation["access"];
  readonly scopes: readonly string[];
  readonly takesIdempotencyKey: boolean;
  readonly status: number;
  readonly contentType: string;
}

const unknownParameter = {
  query: "surprise=1",
  loc: ["query", "surprise"],
  type: "extra_forbidden",
} as const;

const systemConfigurationId = "01a2008d-7400-7000-8000-000000000001";

const mainModelPlaces = ["body.model_configuration_id", "body.main_agent_model_id"] as const;
const fallbackPlaces = [
  "body.fallback_model_configuration_ids[]",
  "body.fallback_model_1_id",
  "body.fallback_model_2_id",
] as const;
const modelPlaces = [...mainModelPlaces, ...fallbackPlaces];

const ofNewRun: readonly TakenId[] = [
  ...modelPlaces.map((at) => ({ at, of: "model_configuration_id" as const })),
  { at: "body.workflow_id", of: "workflow_id" },
  { at: "body.machine_id", of: "machine_id" },
  { at: "body.pool_ids[]", of: "pool_id" },
  { at: "body.session_id", of: "session_id", without: ["start_session"] },
];

const gone = { status: 404, answer: ErrorBody, contentType: "application/json" } as const;

const cases: { readonly [Id in OperationId]?: Case } = {
  callMcp: { body: () => ({ jsonrpc: "2.0", id: 1, method: "ping" }) },
  openMcpStream: { status: 405, answer: ErrorBody },
  endMcpSession: { status: 405, answer: ErrorBody },
  listRequestLogs: {
    takes: [
      { at: "query.after", of: "request_log_id", status: 422 },
      { at: "query.machine_id[]", of: "machine_id", status: 200 },
    ],
    bad: { query: "status_code=600", loc: ["query", "status_code"], type: "less_than_equal" },
  },
  getRequestLog: {},
  listAuditEvents: {
    takes: [
      { at: "query.after", of: "audit_event_id", status: 422 },
      { at: "query.resource_id[]", of: "machine_id", status: 200 },
    ],
    bad: { query: "resource_type=desk", loc: ["query", "resource_type"], type: "enum" },
  },
  getAuditEvent: {},
  listMachines: {
    takes: [
      { at: "query.after", of: null },
      { at: "query.search", of: "machine_id", status: 200 },
    ],
    query: "status=connected",
    bad: { query: "limit=0", loc: ["query", "limit"], type: "greater_than_equal" },
  },
  createMachine: {
    takes: [{ at: "body.fingerprint", of: "fingerprint", status: 201 }],
    body: ({ fingerprint }) => ({
      fingerprint,
      name: "made",
      machine_parameters: { site: "here" },
      machine_sensitive_parameters: { pin: "a-secret-value" },
    }),
    bad: { body: { name: "made" }, loc: ["body", "fingerprint"], type: "missing" },
  },
  getMachine: {
    bad: { query: "include=runs", loc: ["query", "include", 0], type: "literal_error" },
  },
  updateMachine: {
    takes: [{ at: "body.reserved_session_id", of: "session_id", status: 200 }],
    body: () => ({ name: "renamed", machine_sensitive_parameters: { pin: "another-secret-value" } }),
    bad: { body: { name: "" }, loc: ["body", "name"], type: "string_too_short" },
  },
  setMachinePools: {
    takes: [{ at: "body.pool_ids[]", of: "pool_id" }],
    body: () => ({ pool_ids: [] }),
    bad: { body: { pool_ids: ["7"] }, loc: ["body", "pool_ids", 0], type: "uuid_parsing" },
  },
  resetMachineSecret: {},
  shutDownDriver: {
    ends: "driver",
    body: () => ({ source: "test" }),
    bad: { body: { source: "" }, loc: ["body", "source"], type: "string_too_short" },
  },
  listPools: {
    takes: [{ at: "query.search", of: "pool_id", status: 200 }],
    bad: { query: "limit=1001", loc: ["query", "limit"], type: "less_than_equal" },
  },
  createPool: {
    body: ({ fingerprint }) => ({
      name: `made ${fingerprint}`,
      pool_parameters: { site: "here" },
      pool_sensitive_parameters: { pin: "a-secret-value" },
    }),
    bad: { body: { description: "made" }, loc: ["body", "name"], type: "missing" },
  },
  getPool: {
    query: "include=machines",
    bad: { query: "include=pools", loc: ["query", "include", 0], type: "literal_error" },
  },
  updatePool: {
    body: () => ({ description: "changed", pool_sensitive_parameters: { pin: "another-secret-value" } }),
    bad: { body: { name: "" }, loc: ["body", "name"], type: "string_too_short" },
  },
  addMachinesToPool: {
    takes: [{ at: "body.machine_ids[]", of: "machine_id" }],
    body: ({ machine_id }) => ({ machine_ids: [machine_id] }),
    bad: { body: { machine_ids: [] }, loc: ["body", "machine_ids"], type: "too_short" },
  },
  removeMachinesFromPool: {
    takes: [{ at: "body.machine_ids[]", of: "machine_id", status: 204 }],
    body: ({ machine_id }) => ({ machine_ids: [machine_id] }),
    bad: { body: { machine_ids: ["7"] }, loc: ["body", "machine_ids", 0], type: "uuid_parsing" },
  },
  listRuns: {
    takes: [
      { at: "query.after", of: null },
      { at: "query.workflow_id[]", of: "workflow_id", status: 200 },
      { at: "query.machine_id[]", of: "machine_id", status: 200 },
      { at: "query.session_id[]", of: "session_id", status: 200 },
    ],
    query: "include=workflow,machine,machine.pools&fields=output_data",
    bad: { query: "fields=secret_name", loc: ["query", "fields", 0], type: "enum" },
  },
  createRun: {
    takes: ofNewRun,
    body: ({ workflow_id }) => ({
      workflow_id,
      input_values: { site: "here" },
      sensitive_input_values: { pin: "a-secret-value" },
      file_inputs: [{ filename: "a.txt", content: "YWJj" }],
      start_session: true,
      metadata: { order: "7" },
    }),
    bad: { body: {}, loc: ["body", "workflow_id"], type: "missing" },
  },
  createRuns: {
    takes: ofNewRun,
    body: ({ workflow_id }) => ({
      workflow_id,
      sensitive_input_values: { pin: "a-secret-value" },
      file_inputs: [{ filename: "a.txt", content: "YWJj" }],
      start_session: true,
      count: 30,
    }),
    bad: { body: { count: 1 }, loc: ["body", "workflow_id"], type: "missing" },
  },
  createChain: {
    takes: [
      { at: "body.steps[].workflow_id", of: "workflow_id" },
      { at: "body.machine_id", of: "machine_id" },
      { at: "body.pool_ids[]", of: "pool_id" },
      { at: "body.session_id", of: "session_id" },
    ],
    body: ({ workflow_id }) => ({
      steps: [
        { workflow_id, session_alias: "one", sensitive_inputs: { pin: "a-secret-value" } },
        { workflow_id, inputs: { total: { $ref: "one.outputs.total" } } },
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
      loc: ["body", "steps", 0, "inputs", "a", "$ref"],
      type: "value_error",
    },
  },
  getRun: {
    query: "include=workflow",
    bad: { query: "include=pools", loc: ["query", "include", 0], type: "enum" },
  },
  updateRun: {
    takes: [
      { at: "body.output_attachment_ids[]", of: "attachment_id", status: 200 },
      { at: "body.assignment_id", of: "assignment_id", status: 409 },
    ],
    body: () => ({ output_data: { text: "x".repeat(9_000) } }),
    bad: { body: { status: "done" }, loc: ["body", "status"], type: "enum" },
  },
  cancelRun: {
    ends: "resource",
    body: () => ({ reason: "not needed" }),
    bad: { body: { reason: "" }, loc: ["body", "reason"], type: "string_too_short" },
  },
  retryRun: {
    takes: [
      { at: "body.machine_id", of: "machine_id" },
      { at: "body.pool_ids[]", of: "pool_id" },
      { at: "body.session_id", of: "session_id" },
    ],
    ends: "ended_run",
    body: () => ({
      sensitive_input_values: { pin: "another-secret-value" },
      file_inputs: [{ filename: "b.txt", content: "YWJj" }],
      reuse_session: false,
    }),
    bad: { body: { reuse_session: "no" }, loc: ["body", "reuse_session"], type: "bool_type" },
  },
  // A waiting run is neither held nor resumed.
  holdRun: {
    status: 409,
    answer: ErrorBody,
    bad: { body: { seconds: 29 }, loc: ["body", "seconds"], type: "greater_than_equal" },
  },
  resumeRun: { status: 409, answer: ErrorBody },
  // The run has not begun.
  getRunTrajectory: { status: 404, answer: ErrorBody },
  // The run has not ended.
  generateTrajectory: { status: 409, answer: ErrorBody },
  // The workflow's runs are executed by a worker.
  verifyTrajectory: {
    takes: [
      // The request is refused before these ids are looked up.
      { at: "body.machine_id", of: "machine_id", status: 409 },
      { at: "body.pool_ids[]", of: "pool_id", status: 409 },
    ],
    status: 409,
    answer: ErrorBody,
    bad: { body: { dry_run_until: -1 }, loc: ["body", "dry_run_until"], type: "greater_than_equal" },
  },
  // No run is running before runs are assigned to machines.
  getRunInputs: { status: 409, answer: ErrorBody },
  listRunSteps: {
    query: "skip=1",
    bad: { query: "limit=0", loc: ["query", "limit"], type: "greater_than_equal" },
  },
  aggregateUsage: {
    query: "from_date=2026-01-01&to_date=2026-12-31",
    bad: {
      query: "from_date=2026-01-01&to_date=2027-01-02",
      loc: ["query", "to_date"],
      type: "value_error",
    },
  },
  // A waiting run has no steps.
  getConsoleAsset: { status: 404, answer: ErrorBody, contentType: "application/json" },
  // These parameters name pages of the console.
  getReferenceSection: { status: 404, answer: ErrorBody, contentType: "application/json" },
  getReferenceItem: { status: 404, answer: ErrorBody, contentType: "application/json" },
  getReferenceAsset: { status: 404, answer: ErrorBody, contentType: "application/json" },
  getRunStepExpected: { status: 404, answer: ErrorBody, contentType: "application/json" },
  getRunStepScreenshot: { status: 404, answer: ErrorBody, contentType: "application/json" },
  downloadRunAttachment: { contentType: "text/plain" },
  listRunAttachments: {
    takes: [{ at: "query.run_id[]", of: "run_id", status: 200 }],
    bad: { query: "attachment_type=none", loc: ["query", "attachment_type"], type: "enum" },
  },
  createRunAttachment: {
    takes: [{ at: "body.run_id", of: "run_id" }],
    body: ({ run_id }) => ({
      run_id,
      attachment_type: "output",
      filename: "a.txt",
      content: "YWJj",
      content_type: "text/plain",
    }),
    bad: { body: { filename: "b.bin", attachment_type: "output" }, loc: ["body", "run_id"], type: "missing" },
  },
  updateRunAttachment: {
    body: () => ({ expires_at: "2099-01-01T00:00:00Z" }),
    bad: { body: {}, loc: ["body", "expires_at"], type: "missing" },
  },
  getRunAttachmentDownloadUrl: {
    query: "expires_in=10",
    bad: { query: "expires_in=9", loc: ["query", "expires_in"], type: "greater_than_equal" },
  },
  listConnections: {
    takes: [{ at: "query.machine_id[]", of: "machine_id", status: 200 }],
    bad: { query: "status=open", loc: ["query", "status"], type: "enum" },
  },
  deleteConnection: { ends: "connection" },
  setRunMetadataKeys: {
    body: () => ({ keys: ["order"] }),
    bad: { body: { keys: ["a b"] }, loc: ["body", "keys", 0], type: "string_pattern_mismatch" },
  },
  setProviderCredential: {
    takes: [{ at: "body.access_key_id", of: null }],
    body: () => ({ auth_type: "api_key", api_key: "sk-test-0123456789-wxyz" }),
    bad: { body: { auth_type: "api_key" }, loc: ["body", "api_key"], type: "missing" },
  },
  reportInvalidProviderCredential: {
    body: () => ({ last_error: "401: invalid x-api-key" }),
    bad: { body: { last_error: "" }, loc: ["body", "last_error"], type: "string_too_short" },
  },
  createConnectionToken: {
    takes: [
      { at: "body.selectedOrganizationId", of: "organization_id", status: 200 },
      { at: "body.remotePeerId", of: null },
    ],
    body: () => ({ remotePeerId: "peer", selectedOrganizationId: "" }),
    bad: { body: { remotePeerId: "" }, loc: ["body", "remotePeerId"], type: "string_too_short" },
  },
  authorizeConnection: {
    takes: [
      { at: "body.machineId", of: "machine_id" },
      { at: "body.selectedOrganizationId", of: "organization_id", status: 200 },
      { at: "body.remotePeerId", of: null },
      { at: "body.id", of: null },
    ],
    body: async ({ desktopToken, driverKey, machine_id }) => ({
      desktopToken: await desktopToken?.(),
      machineApiKey: driverKey,
      machineId: machine_id,
      selectedOrganizationId: "",
      remotePeerId: "peer",
      id: "",
    }),
    bad: { body: { desktopToken: "a.b" }, loc: ["body", "machineApiKey"], type: "missing" },
  },
  takeScreenshot: {
    query: "width=64&height=48&settle_ms=100&cursor=true",
    bad: { query: "width=0", loc: ["query", "width"], type: "greater_than_equal" },
  },
  listFiles: {
    query: "path=.",
    bad: { query: "path=", loc: ["query", "path"], type: "string_too_short" },
  },
  readFile: {
    query: "path=notes.txt",
    bad: { query: "path=notes.txt&as=link", loc: ["query", "as"], type: "enum" },
  },
  moveMouse: {
    body: () => ({ x: 10, y: 20 }),
    bad: { body: { x: 10 }, loc: ["body", "y"], type: "missing" },
  },
  clickMouse: {
    body: () => ({ x: 1, y: 2, button: "right", clicks: 2 }),
    bad: { body: { clicks: 4 }, loc: ["body", "clicks"], type: "less_than_equal" },
  },
  dragMouse: {
    body: () => ({ start_x: 0, start_y: 0, to_x: 5, to_y: 5, duration: 0 }),
    bad: { body: { start_x: 0, start_y: 0, to_x: 5 }, loc: ["body", "to_y"], type: "missing" },
  },
  scrollMouse: {
    body: () => ({ direction: "down", amount: 3 }),
    bad: { body: { direction: "sideways", amount: 3 }, loc: ["body", "direction"], type: "enum" },
  },
  typeText: {
    body: () => ({ text: "typed" }),
    bad: { body: { text: "" }, loc: ["body", "text"], type: "string_too_short" },
  },
  pressKeys: {
    body: () => ({ text: "ctrl+a Delete" }),
    bad: { body: { text: "ctrl++" }, loc: ["body", "text"], type: "value_error" },
  },
  openProgram: {
    body: () => ({ program: "Orders", if_open: "restart" }),
    bad: { body: { program: "Orders", if_open: "close" }, loc: ["body", "if_open"], type: "enum" },
  },
  copyToClipboard: {
    body: () => ({ text: "copied" }),
    bad: { body: {}, loc: ["body", "text"], type: "missing" },
    answer: z.strictObject({ copied: z.string() }),
  },
  performBatch: {
    body: () => ({
      actions: [
        { type: "click", x: 1, y: 2, target: "a corner" },
        { type: "type", text: "typed" },
        { type: "wait", seconds: 0.01 },
        { type: "copy_to_clipboard", text: "copied" },
      ],
      screenshot: true,
      settle_ms: 100,
    }),
    bad: {
      body: {
        actions: [
          { type: "type", text: "typed" },
          { type: "click", x: 1 },
        ],
      },
      loc: ["body", "actions", 1, "y"],
      type: "missing",
    },
  },
  createUpload: {
    body: () => ({ filename: "a.bin", size: 3 }),
    bad: { body: { filename: "a.bin", size: 104_857_601 }, loc: ["body", "size"], type: "less_than_equal" },
  },
  writeFile: {
    body: () => ({ path: "written.txt", content: "aGVsbG8=" }),
    bad: { body: { path: "written.txt" }, loc: ["body", "content"], type: "missing" },
    takes: [{ at: "body.upload_id", of: "upload_id", without: ["content"] }],
  },
  executeCommand: {
    body: () => ({ command: "echo hello", timeout: 5 }),
    bad: { body: { command: "echo hello", timeout: 21 }, loc: ["body", "timeout"], type: "less_than_equal" },
  },
  listWorkflows: {
    takes: [{ at: "query.tag_ids[]", of: "tag_id", status: 200 }],
    query: "include_tags=true&search=made",
    bad: { query: "include_tags=yes", loc: ["query", "include_tags"], type: "bool_parsing" },
  },
  createWorkflow: {
    takes: [
      ...mainModelPlaces.map((at) => ({
        at,
        of: "model_configuration_id" as const,
        without: ["model_metadata"],
      })),
      ...fallbackPlaces.map((at) => ({
        at,
        of: "model_configuration_id" as const,
        without: ["model_metadata"],
        beside: { model_configuration_id: systemConfigurationId },
      })),
    ],
    body: () => ({
      name: "made",
      main_prompt: "Log in as {user} with {$password}.",
      executor: "worker",
      input_schema: { type: "object" },
      model_metadata: { provider: "anthropic", model: "a-model" },
    }),
    bad: { body: { name: "made" }, loc: ["body", "main_prompt"], type: "missing" },
  },
  updateWorkflow: {
    takes: [
      // The workflow has metadata, which excludes a configuration.
      ...mainModelPlaces.map((at) => ({
        at,
        of: "model_configuration_id" as const,
        beside: { model_metadata: null },
      })),
      ...fallbackPlaces.map((at) => ({
        at,
        of: "model_configuration_id" as const,
        beside: { model_metadata: null, model_configuration_id: systemConfigurationId },
      })),
    ],
    body: ({ fingerprint }) => ({ main_prompt: `Changed by ${fingerprint}.` }),
    bad: { body: { main_prompt: "" }, loc: ["body", "main_prompt"], type: "string_too_short" },
  },
  // Requests of these tests have no forms, and the path of an image is not known before.
  uploadPromptImage: { status: 422, answer: ValidationErrorBody },
  getPromptImageLink: { query: `path=${systemConfigurationId}`, status: 404, answer: ErrorBody },
  deletePromptImageAtPath: { query: `path=${systemConfigurationId}`, status: 404, answer: ErrorBody },
  createPromptImage: {
    body: () => aGif,
    bad: { body: { ...aGif, filename: "dot.png" }, loc: ["body", "content"], type: "value_error" },
  },
  duplicateWorkflow: {
    body: ({ fingerprint }) => ({ name: `copy ${fingerprint}`, include_trajectories: true }),
    bad: { body: { include_trajectories: "yes" }, loc: ["body", "include_trajectories"], type: "bool_type" },
  },
  assignTags: {
    takes: [{ at: "body.tag_ids[]", of: "tag_id" }],
    body: ({ tag_id }) => ({ tag_ids: [tag_id] }),
    bad: { body: { tag_ids: [] }, loc: ["body", "tag_ids"], type: "too_short" },
  },
  bulkAssignTags: {
    takes: [
      { at: "body.workflow_ids[]", of: "workflow_id", status: 200 },
      { at: "body.tag_ids[]", of: "tag_id" },
    ],
    body: ({ workflow_id, tag_id }) => ({ workflow_ids: [workflow_id], tag_ids: [tag_id] }),
    status: 204,
    bad: {
      body: { workflow_ids: ["7"], tag_ids: ["0190b5a0-0000-7000-8000-00000000dead"] },
      loc: ["body", "workflow_ids", 0],
      type: "uuid_parsing",
    },
  },
  createModelConfiguration: {
    body: ({ fingerprint }) => ({ name: `made ${fingerprint}`, provider: "anthropic", model: "a-model" }),
    bad: {
      body: { name: "made", provider: "nobody", model: "a-model" },
      loc: ["body", "provider"],
      type: "enum",
    },
  },
  updateModelConfiguration: {
    body: ({ fingerprint }) => ({ name: `renamed ${fingerprint}`, timeout_seconds: 300 }),
    bad: { body: { temperature: 2.1 }, loc: ["body", "temperature"], type: "less_than_equal" },
  },
  createApiKey: {
    body: ({ fingerprint }) => ({ name: `made ${fingerprint}`, scopes: ["read"] }),
    bad: { body: { name: "made", scopes: ["operator"] }, loc: ["body", "scopes", 0], type: "enum" },
  },
  listWebhookEndpoints: {
    bad: { query: "limit=0", loc: ["query", "limit"], type: "greater_than_equal" },
  },
  createWebhookEndpoint: {
    body: () => ({ url: "http://127.0.0.1:9/das", event_types: ["machine.superseded"] }),
    bad: { body: { url: "https://10.0.0.7/" }, loc: ["body", "url"], type: "value_error" },
  },
  updateWebhookEndpoint: {
    body: ({ fingerprint }) => ({ description: `renamed ${fingerprint}` }),
    bad: { body: { event_types: ["run.done"] }, loc: ["body", "event_types", 0], type: "enum" },
  },
  listWebhookDeliveries: {
    query: "skip=1",
    bad: { query: "limit=1001", loc: ["query", "limit"], type: "less_than_equal" },
  },
  deleteWebhookEndpoint: { ends: "endpoint" },
  listTrajectories: {
    takes: [
      { at: "query.workflow_id[]", of: "workflow_id", status: 200 },
      { at: "query.run_id[]", of: "run_id", status: 200 },
    ],
    query: "include=workflow&fields=trajectory_data&is_approved=false",
    bad: { query: "is_approved=0", loc: ["query", "is_approved"], type: "bool_parsing" },
  },
  createTrajectory: {
    takes: [
      { at: "body.workflow_id", of: "workflow_id" },
      { at: "body.run_id", of: "run_id" },
    ],
    body: ({ workflow_id }) => ({
      workflow_id,
      dimensions: { width: 1280, height: 800 },
      original_input_values: { site: "here" },
      // The text is too large for its item.
      trajectory_data: [{ action: "type", text: "x".repeat(9_000) }],
    }),
    bad: { body: { trajectory_data: [1] }, loc: ["body", "workflow_id"], type: "missing" },
  },
  getTrajectory: {
    query: "include=workflow",
    bad: { query: "include=run", loc: ["query", "include", 0], type: "literal_error" },
  },
  updateTrajectory: {
    body: () => ({ name: "changed", trajectory_data: [{ action: "type", text: "y".repeat(9_000) }] }),
    bad: { body: { trajectory_data: [] }, loc: ["body", "trajectory_data"], type: "too_short" },
  },
  // A recording holds its machine, which other requests need: its own test has a desktop.
  listRecordings: {
    takes: [
      { at: "query.machine_id[]", of: "machine_id", status: 200 },
      { at: "query.workflow_id[]", of: "workflow_id", status: 200 },
    ],
    query: "status=recording,expired",
    bad: { query: "status=running", loc: ["query", "status"], type: "enum" },
  },
  createRecording: {
    takes: [
      { at: "body.machine_id", of: "machine_id" },
      { at: "body.workflow_id", of: "workflow_id" },
    ],
    body: ({ fingerprint }) => ({ machine_id: fingerprint }),
    ...gone,
    bad: { body: {}, loc: ["body", "machine_id"], type: "missing" },
  },
  getRecording: gone,
  listRecordedSteps: gone,
  getRecordedScreenshot: gone,
  extendRecording: {
    ...gone,
    bad: { body: { seconds: 59 }, loc: ["body", "seconds"], type: "greater_than_equal" },
  },
  finishRecording: {
    takes: [{ at: "body.workflow_id", of: "workflow_id" }],
    body: ({ workflow_id }) => ({ workflow_id }),
    ...gone,
    bad: { body: { name: 7 }, loc: ["body", "name"], type: "string_type" },
  },
  discardRecording: gone,
  listSchedules: {
    takes: [
      { at: "query.after", of: null },
      { at: "query.workflow_id[]", of: "workflow_id", status: 200 },
    ],
    query: "is_enabled=true",
    bad: { query: "is_enabled=1", loc: ["query", "is_enabled"], type: "bool_parsing" },
  },
  createSchedule: {
    takes: [
      { at: "body.workflow_id", of: "workflow_id" },
      { at: "body.machine_id", of: "machine_id" },
      { at: "body.pool_ids[]", of: "pool_id" },
    ],
    body: ({ workflow_id }) => ({
      workflow_id,
      cron: "0 6 * * 1-5",
      time_zone: "Europe/Lisbon",
      input_values: { site: "here" },
      // The contents are too large for the item.
      files: [{ filename: "a.txt", content: "YWJj".repeat(3_000) }],
      metadata: { order: "7" },
    }),
    bad: { body: { cron: "0 6 * * *" }, loc: ["body", "workflow_id"], type: "missing" },
  },
  getSchedule: {},
  updateSchedule: {
    takes: [
      { at: "body.workflow_id", of: "workflow_id" },
      { at: "body.machine_id", of: "machine_id" },
      { at: "body.pool_ids[]", of: "pool_id" },
    ],
    body: () => ({
      cron: null,
      every_minutes: 60,
      files: [{ filename: "b.txt", content: "YWJj".repeat(3_000) }],
    }),
    bad: { body: { every_minutes: 0 }, loc: ["body", "every_minutes"], type: "greater_than_equal" },
  },
  runSchedule: {},
  listWorkflowTags: {
    query: "include_archived=true",
    bad: { query: "include_archived=1", loc: ["query", "include_archived"], type: "bool_parsing" },
  },
  createWorkflowTag: {
    takes: [{ at: "body.group_id", of: "group_id" }],
    body: ({ fingerprint, group_id }) => ({ name: `made ${fingerprint}`, emoji: "🔥", group_id }),
    bad: { body: { name: "" }, loc: ["body", "name"], type: "string_too_short" },
  },
  reorderWorkflowTags: {
    takes: [{ at: "body.ids[]", of: "tag_id" }],
    body: ({ tag_id }) => ({ ids: [tag_id] }),
    bad: { body: { ids: [] }, loc: ["body", "ids"], type: "too_short" },
  },
  updateWorkflowTag: {
    takes: [{ at: "body.group_id", of: "group_id" }],
    body: ({ fingerprint }) => ({ name: `renamed ${fingerprint}`, color: "#fff" }),
    bad: { body: { order: -1 }, loc: ["body", "order"], type: "greater_than_equal" },
  },
  createWorkflowTagGroup: {
    body: ({ fingerprint }) => ({ name: `made ${fingerprint}` }),
    bad: { body: {}, loc: ["body", "name"], type: "missing" },
  },
  reorderWorkflowTagGroups: {
    takes: [{ at: "body.ids[]", of: "group_id" }],
    body: ({ group_id }) => ({ ids: [group_id] }),
    bad: { body: { ids: ["7"] }, loc: ["body", "ids", 0], type: "uuid_parsing" },
  },
  updateWorkflowTagGroup: {
    body: ({ fingerprint }) => ({ name: `renamed ${fingerprint}` }),
    bad: { body: { name: "" }, loc: ["body", "name"], type: "string_too_short" },
  },
};

/** Path parameters that are no ids: every organization has each of them. */
export const fixedParameters: Readonly<Record<string, string>> = {
  slot: "openai",
  index: "1",
  section: "machines",
  item: "new",
  file: "of-another-release.js",
};

/** Deletions come after the operations that need the resource. */
const deletionsLast = allOperations.toSorted(
  (a, b) => Number(a.method === "DELETE") - Number(b.method === "DELETE"),
);

/** Every operation of the service, with a request that is valid and one that is not. */
export const operations: readonly Operation[] = deletionsLast.map(
  (operation: ContractOperation & { readonly id: OperationId }) => {
    const { id, method, path, access, idempotency, scopes = [], responses } = operation;
    const [[status = "", response] = []] = Object.entries(responses);
    return {
      id,
      method,
      path,
      access,
      takesIdempotencyKey: idempotency !== undefined,
      scopes,
      route: `${method} ${path}`,
      status: Number(status),
      contentType: response?.contentType ?? "application/json",
      ...(response?.schema && { answer: exactly(response.schema) }),
      ...(access === "bearer" && { bad: unknownParameter }),
      ...(method === "DELETE" && parametersOf({ path }).length > 0 && { ends: "resource" as const }),
      ...cases[id],
    };
  },
);

/** Forbids extra fields: the contract allows a driver to add fields to a desktop's answers, but not the service. */
function exactly(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodArray) return z.array(exactly(schema.element as z.ZodType));
  if (schema instanceof z.ZodUnion) return z.union(schema.options.map((each) => exactly(each as z.ZodType)));
  if (!(schema instanceof z.ZodObject) || schema.def.catchall !== undefined) return schema;
  const fields = Object.entries(schema.shape as Readonly<Record<string, z.ZodType>>);
  return z.strictObject(Object.fromEntries(fields.map(([name, field]) => [name, exactly(field)])));
}

/** Names of the path's parameters that are ids of resources. */
export function parametersOf({ path }: Pick<Operation, "path">): readonly string[] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  return names.filter((name) => fixedParameters[name] === undefined);
}

/**
 * The operation's path with its parameters filled in, and the query.
 *
 * @throws {Error} when one of the ids is not given.
 */
export function pathOf(
  operation: Operation,
  ids: Readonly<Record<string, string>>,
  query = operation.query,
): string {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const id = ids[name] ?? fixedParameters[name];
    if (id === undefined) throw new Error(`${operation.id} needs a ${name}`);
    return id;
  });
  return query === undefined ? path : `${path}?${query}`;
}
