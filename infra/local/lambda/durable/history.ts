import { defined, type ErrorObject, type Operation, type OperationUpdate } from "./wire.ts";

/** Source: https://docs.aws.amazon.com/lambda/latest/api/API_Event.html */
export interface HistoryEvent {
  readonly EventType: string;
  readonly EventId: number;
  readonly EventTimestamp: Date;
  readonly Id?: string;
  readonly ParentId?: string;
  readonly Name?: string;
  readonly SubType?: string;
  readonly [details: `${string}Details`]: Readonly<Record<string, unknown>>;
}

const verbs: Readonly<Record<string, string>> = {
  START: "Started",
  SUCCEED: "Succeeded",
  FAIL: "Failed",
  CANCEL: "Cancelled",
  // A retry is an event of the attempt's failure, or of its success where a condition was checked.
  RETRY: "Failed",
};

const nouns: Readonly<Record<string, string>> = {
  STEP: "Step",
  WAIT: "Wait",
  CONTEXT: "Context",
  CALLBACK: "Callback",
};

export class History {
  readonly #events: HistoryEvent[] = [];

  get events(): readonly HistoryEvent[] {
    return this.#events;
  }

  add(
    type: string,
    nowMs: number,
    details: Readonly<Record<string, unknown>>,
    operation?: Pick<Operation, "Id" | "ParentId" | "Name" | "SubType">,
  ): void {
    const { Id, ParentId, Name, SubType } = operation ?? {};
    this.#events.push({
      EventType: type,
      EventId: this.#events.length + 1,
      EventTimestamp: new Date(nowMs),
      ...defined({ Id, ParentId, Name, SubType }),
      [`${type}Details`]: details,
    });
  }

  addUpdate(update: OperationUpdate, operation: Operation, nowMs: number): void {
    const isPoll = update.Action === "RETRY" && update.Error === undefined;
    const verb = isPoll ? "Succeeded" : verbs[update.Action];
    this.add(`${nouns[update.Type]}${verb}`, nowMs, updateDetails(update, operation), operation);
  }

  static failure(error: ErrorObject | undefined): Readonly<Record<string, unknown>> {
    return { Error: defined({ Payload: error }) };
  }
}

function updateDetails(update: OperationUpdate, operation: Operation): Readonly<Record<string, unknown>> {
  if (update.Action === "START" && update.Type === "WAIT") {
    return { Duration: update.WaitOptions?.WaitSeconds, ...operation.WaitDetails };
  }
  if (update.Type === "CALLBACK") {
    const { TimeoutSeconds: Timeout, HeartbeatTimeoutSeconds: HeartbeatTimeout } =
      update.CallbackOptions ?? {};
    const CallbackId = operation.CallbackDetails?.CallbackId;
    return defined({ CallbackId, Timeout, HeartbeatTimeout });
  }
  if (update.Action === "START" || update.Action === "CANCEL") return {};
  const outcome =
    update.Error === undefined
      ? { Result: defined({ Payload: update.Payload }) }
      : History.failure(update.Error);
  if (update.Type !== "STEP") return outcome;
  return {
    ...outcome,
    RetryDetails: defined({
      CurrentAttempt: operation.StepDetails?.Attempt,
      NextAttemptDelaySeconds: update.StepOptions?.NextAttemptDelaySeconds,
    }),
  };
}
