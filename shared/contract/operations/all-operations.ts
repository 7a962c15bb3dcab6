import { apiKeyOperations } from "./api-key-operations.ts";
import { computerOperations } from "./computer-operations.ts";
import { connectionOperations } from "./connection-operations.ts";
import { consoleOperations } from "./console-operations.ts";
import { docsOperations } from "./docs-operations.ts";
import { driverOperations } from "./driver-operations.ts";
import { followingOperations } from "./following-operations.ts";
import { healthOperations } from "./health-operations.ts";
import { logOperations } from "./log-operations.ts";
import { machineHealthOperations } from "./machine-health-operations.ts";
import { machineOperations } from "./machine-operations.ts";
import { mcpOperations } from "./mcp-operations.ts";
import { modelConfigurationOperations } from "./model-configuration-operations.ts";
import type { Operation } from "./operation.ts";
import { poolOperations } from "./pool-operations.ts";
import { providerCredentialOperations } from "./provider-credential-operations.ts";
import { recordingOperations } from "./recording-operations.ts";
import { runAttachmentOperations } from "./run-attachment-operations.ts";
import { runOperations } from "./run-operations.ts";
import { scheduleOperations } from "./schedule-operations.ts";
import { trajectoryOperations } from "./trajectory-operations.ts";
import { webhookOperations } from "./webhook-operations.ts";
import { workflowOperations } from "./workflow-operations.ts";
import { workflowTagOperations } from "./workflow-tag-operations.ts";

/** The keys are the folders of the functions that serve the operations. */
export const routeGroups = {
  health: healthOperations,
  "machine-health": machineHealthOperations,
  machines: machineOperations,
  pools: poolOperations,
  workflows: workflowOperations,
  "workflow-tags": workflowTagOperations,
  "model-configurations": modelConfigurationOperations,
  computer: computerOperations,
  connections: connectionOperations,
  "provider-credentials": providerCredentialOperations,
  runs: runOperations,
  following: followingOperations,
  "run-attachments": runAttachmentOperations,
  schedules: scheduleOperations,
  trajectories: [...trajectoryOperations, ...recordingOperations],
  "api-keys": apiKeyOperations,
  webhooks: webhookOperations,
  logs: logOperations,
  driver: driverOperations,
  docs: docsOperations,
  console: consoleOperations,
  mcp: mcpOperations,
} as const;

export type RouteGroup = keyof typeof routeGroups;

export type Routes = Readonly<Record<RouteGroup, readonly Pick<Operation, "method" | "path">[]>>;

/** The documents have the operations in this order. */
export const allOperations = Object.values(routeGroups).flat();
