/** The columns of lists that people read most, the first of which stay on a narrow terminal. */
export const columnsOf: Readonly<Record<string, readonly string[]>> = {
  listMachines: ["id", "name", "status", "is_available", "last_seen", "hostname", "created_at"],
  listPools: ["id", "name", "machine_count", "description", "created_at"],
  listRuns: ["id", "status", "workflow_id", "machine_id", "error_code", "created_at", "ended_at"],
  listRunSteps: ["index", "status", "source", "action", "text", "duration_ms"],
  listWorkflows: ["id", "name", "updated_at", "created_at"],
  listSchedules: ["id", "name", "is_enabled", "cron", "every_minutes", "last_outcome", "last_fired_at"],
  listTrajectories: ["id", "workflow_id", "is_approved", "run_id", "created_at"],
  listAuditEvents: ["id", "operation", "resource_type", "resource_id", "actor", "created_at"],
  listRequestLogs: ["id", "method", "path", "status_code", "duration_ms", "created_at"],
  listApiKeys: ["id", "name", "scopes", "last4", "last_used_at", "expires_at"],
};

const unshown = new Set(["organization_id", "user_id", "created_by"]);
const shownMax = 6;

/** Without columns of its own, a list shows the single values that its items have. */
export function columnsFor(
  operationId: string,
  items: readonly Readonly<Record<string, unknown>>[],
): readonly string[] {
  const known = columnsOf[operationId];
  if (known !== undefined) return known;
  const names = [...new Set(items.flatMap((item) => Object.keys(item)))];
  const single = names.filter((name) => {
    const values = items.map((item) => item[name]).filter((value) => value !== null && value !== undefined);
    return !unshown.has(name) && values.length > 0 && values.every((value) => typeof value !== "object");
  });
  return single.slice(0, shownMax);
}
