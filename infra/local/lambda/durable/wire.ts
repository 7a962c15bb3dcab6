import * as z from "zod";
import { AwsError } from "../../aws/aws-error.ts";

/** Source of all shapes: https://docs.aws.amazon.com/lambda/latest/api/API_OperationUpdate.html */
const Id = z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/);
const Seconds = z.number().int().min(1).max(31_622_400);

export const ErrorObject = z.object({
  ErrorMessage: z.string().optional(),
  ErrorType: z.string().optional(),
  ErrorData: z.string().optional(),
  StackTrace: z.array(z.string()).optional(),
});
export type ErrorObject = z.infer<typeof ErrorObject>;

const OperationUpdate = z.object({
  Id,
  Type: z.enum(["EXECUTION", "CONTEXT", "STEP", "WAIT", "CALLBACK", "CHAINED_INVOKE"]),
  Action: z.enum(["START", "SUCCEED", "FAIL", "RETRY", "CANCEL"]),
  ParentId: Id.optional(),
  Name: z
    .string()
    .regex(/^[\x20-\x7E]{1,256}$/)
    .optional(),
  SubType: z.string().optional(),
  Payload: z.string().optional(),
  Error: ErrorObject.optional(),
  ContextOptions: z.object({ ReplayChildren: z.boolean().optional() }).optional(),
  StepOptions: z.object({ NextAttemptDelaySeconds: Seconds.optional() }).optional(),
  WaitOptions: z.object({ WaitSeconds: Seconds.optional() }).optional(),
  CallbackOptions: z
    .object({ TimeoutSeconds: Seconds.optional(), HeartbeatTimeoutSeconds: Seconds.optional() })
    .optional(),
});
export type OperationUpdate = z.infer<typeof OperationUpdate>;

export const CheckpointRequest = z.object({
  CheckpointToken: z.string().min(1),
  ClientToken: z.string().optional(),
  Updates: z.array(OperationUpdate).default([]),
});
export type CheckpointRequest = z.infer<typeof CheckpointRequest>;

export type OperationStatus =
  | "STARTED"
  | "PENDING"
  | "READY"
  | "SUCCEEDED"
  | "FAILED"
  | "TIMED_OUT"
  | "CANCELLED";

/** Times are ISO 8601 in the event of an invocation and seconds in the API's responses. */
export interface Operation {
  readonly Id: string;
  readonly ParentId?: string;
  readonly Name?: string;
  readonly Type: OperationUpdate["Type"];
  readonly SubType?: string;
  readonly StartTimestamp: Date;
  readonly EndTimestamp?: Date;
  readonly Status: OperationStatus;
  readonly ExecutionDetails?: { readonly InputPayload: string };
  readonly ContextDetails?: {
    readonly ReplayChildren?: boolean;
    readonly Result?: string;
    readonly Error?: ErrorObject;
  };
  readonly StepDetails?: {
    readonly Attempt?: number;
    readonly NextAttemptTimestamp?: Date;
    readonly Result?: string;
    readonly Error?: ErrorObject;
  };
  readonly WaitDetails?: { readonly ScheduledEndTimestamp: Date };
  readonly CallbackDetails?: {
    readonly CallbackId: string;
    readonly Result?: string;
    readonly Error?: ErrorObject;
  };
}

export function invalidParameter(message: string): AwsError {
  return new AwsError(400, "InvalidParameterValueException", message);
}

/** Source: https://github.com/aws/aws-durable-execution-sdk-js/issues/917 */
export function invalidToken(): AwsError {
  return invalidParameter("Invalid checkpoint token");
}

/** REST JSON has dates as seconds since the epoch. */
export function withSeconds(value: unknown): unknown {
  if (value instanceof Date) return value.getTime() / 1_000;
  if (Array.isArray(value)) return value.map(withSeconds);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withSeconds(each)]));
}

export function defined<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]: Exclude<Fields[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]: Exclude<Fields[Name], undefined>;
  };
}
