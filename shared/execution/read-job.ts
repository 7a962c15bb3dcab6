import * as z from "zod";
import type { ExecutionJob } from "../domain/execution/execution.ts";
import { isOrganizationId } from "../domain/organization-id.ts";

const Payload = z.object({
  organization_id: z.custom<ExecutionJob["organizationId"]>(isOrganizationId),
  run_id: z.string(),
  assignment_id: z.string(),
  part: z.int().min(1),
});

/** @throws {z.ZodError} for a payload that the service did not send. */
export function readJob(payload: unknown): ExecutionJob {
  const parsed = Payload.parse(payload);
  return {
    organizationId: parsed.organization_id,
    runId: parsed.run_id,
    assignmentId: parsed.assignment_id,
    part: parsed.part,
  };
}
