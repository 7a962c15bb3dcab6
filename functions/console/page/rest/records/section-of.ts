import type { AuditedResource } from "../../../../../shared/contract/audit-event.ts";

/** The section with a page for each resource of that type. */
export const sectionOf: Readonly<Record<AuditedResource, string | undefined>> = {
  machine: "machines",
  pool: "pools",
  workflow: "workflows",
  workflow_tag: undefined,
  workflow_tag_group: undefined,
  model_configuration: undefined,
  run: "runs",
  attachment: undefined,
  trajectory: "trajectories",
  recording: undefined,
  schedule: "schedules",
  connection: undefined,
  provider_credential: undefined,
  api_key: undefined,
  prompt_image: undefined,
  webhook_endpoint: "webhooks",
  webhook_delivery: undefined,
  setting: undefined,
};
