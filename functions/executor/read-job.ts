import * as z from "zod";
import { organizationIdOf } from "../../shared/domain/access/organization-id.ts";
import type { ExecutionJob } from "../../shared/domain/execution/execution.ts";

const Payload = z.object({
  organization_id: z.string(),
  run_id: z.string(),
  assignment_id: z.string(),
  part: z.int().min(1),
});

/** @throws {z.ZodError} for what the service did not send. */
export function readJob(event: unknown): ExecutionJob {
  const { organization_id, run_id: runId, assignment_id: assignmentId, part } = Payload.parse(event);
  return { organizationId: organizationIdOf(organization_id), runId, assignmentId, part };
}
