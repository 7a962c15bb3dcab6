import { desktopTools } from "./desktop-tools.ts";
import { fileTools } from "./file-tools.ts";
import { machineTools } from "./machine-tools.ts";
import { runTools } from "./run-tools.ts";
import { workflowTools } from "./workflow-tools.ts";

/** Assistants see them in this order. */
export const allTools = [
  ...machineTools,
  ...desktopTools,
  ...fileTools,
  ...workflowTools,
  ...runTools,
] as const;
