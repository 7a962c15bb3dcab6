import * as z from "zod";
import { actorFields } from "./audit-event.ts";
import { createdQuery, listOf, pageQuery, queryInt, Uuid } from "./fields/common.ts";

export const RequestLogPath = z.strictObject({ request_log_id: Uuid });

export const RequestLogsQuery = z.strictObject({
  ...pageQuery,
  ...createdQuery,
  machine_id: Uuid.optional(),
  method: z.enum(["GET", "POST"]).optional(),
  status_code: queryInt(100, 599).optional(),
});

/** A call to a desktop, without its query and its bodies. */
export const RequestLog = z.strictObject({
  id: z.uuid(),
  machine_id: z.uuid(),
  request_id: z.string().describe("The response's `X-Request-Id`; of a run's step its assignment."),
  ...actorFields,
  method: z.string(),
  path: z.string().describe("On the driver."),
  status_code: z.int().nullable().describe("The driver's; null where it gave none."),
  error_code: z.string().nullable().describe("Why there is no status; null where there is one."),
  created_at: z.iso.datetime(),
  completed_at: z.iso.datetime().nullable().describe("Null where the caller died before."),
  duration_ms: z.int().min(0).nullable(),
  request_bytes: z.int().min(0).describe("Of the body; 0 for one that the driver fetches."),
  response_bytes: z.int().min(0),
});
export type RequestLog = z.infer<typeof RequestLog>;

export const RequestLogList = listOf(RequestLog, z.never()).omit({ included: true });
export type RequestLogList = z.infer<typeof RequestLogList>;
