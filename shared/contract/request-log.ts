import * as z from "zod";
import { desktopMethods } from "../vocabulary/methods.ts";
import { actorFields } from "./audit-event.ts";
import {
  afterQuery,
  createdQuery,
  pageOf,
  pageQuery,
  queryInt,
  refuseSkipBesideAfter,
  skipOrAfter,
  Uuid,
} from "./fields/common.ts";
import { example } from "./fields/example.ts";
import { anyOf } from "./fields/query-values.ts";

export const RequestLogsQuery = z
  .strictObject({
    ...pageQuery,
    ...afterQuery,
    ...createdQuery,
    machine_id: anyOf(Uuid, "Only calls to this machine are listed."),
    method: anyOf(z.enum(desktopMethods), "Only calls with this HTTP method are listed."),
    status_code: example(
      anyOf(queryInt(100, 599), "Only calls to which the driver responded with this status are listed."),
      [200],
    ),
  })
  .superRefine(refuseSkipBesideAfter)
  .meta({ says: [skipOrAfter] });

export const RequestLog = z
  .strictObject({
    id: z.uuid().describe("The entry's id."),
    machine_id: z.uuid().describe("The machine that was called."),
    request_id: example(z.string(), "JKJaXmPLvHcESHA=").describe(
      "The `X-Request-Id` of the response; for a step of a run that the service carries out, the run's assignment.",
    ),
    ...actorFields,
    method: example(z.string(), "POST").describe("The HTTP method of the call to the driver."),
    path: example(z.string(), "/computer/input/mouse/click").describe(
      "The path of the call on the driver, without a query.",
    ),
    status_code: example(z.int().nullable(), 200).describe(
      "The status that the driver responded with; null if it did not respond.",
    ),
    error_code: z
      .string()
      .nullable()
      .describe("The reason why there is no status, an `error_code` of this API; null if there is a status."),
    created_at: z.iso.datetime().describe("Time at which the call began."),
    completed_at: example(z.iso.datetime().nullable(), "2026-11-21T12:00:00.412Z").describe(
      "Time at which the call ended; null if the caller died before.",
    ),
    duration_ms: z
      .int()
      .min(0)
      .nullable()
      .describe("Time that the call took, in milliseconds; null if the caller died before its end."),
    request_bytes: z
      .int()
      .min(0)
      .describe("Size of the request's body in bytes; 0 for a body that the driver fetches."),
    response_bytes: z.int().min(0).describe("Size of the response's body in bytes."),
  })
  .describe("One call to a desktop, without its query and its bodies.");
export type RequestLog = z.infer<typeof RequestLog>;

export const RequestLogList = pageOf(RequestLog).describe("A page of the request log, newest first.");
export type RequestLogList = z.infer<typeof RequestLogList>;
