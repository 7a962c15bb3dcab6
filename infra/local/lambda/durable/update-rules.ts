import { errorBytesMax, payloadBytesMax } from "./limits.ts";
import { invalidParameter, type Operation, type OperationStatus, type OperationUpdate } from "./wire.ts";

type Before = OperationStatus | "absent";

interface Rule {
  readonly from: readonly Before[];
  readonly refusal: string;
}

const step = (from: readonly Before[], to: string): Rule => ({
  from,
  refusal: `Invalid current STEP state to ${to}.`,
});
const closed: Rule = { from: ["absent", "STARTED"], refusal: "Invalid current CONTEXT state to close." };
const started = (type: string): Rule => ({
  from: ["absent"],
  refusal: `Cannot start a ${type} that already exists.`,
});

/**
 * The local stack does not run the types left out here.
 *
 * Source: the validators of `@aws/durable-execution-sdk-js-testing`.
 */
const rules: Readonly<Record<string, Readonly<Record<string, Rule>>>> = {
  STEP: {
    START: step(["absent", "READY"], "start"),
    SUCCEED: step(["absent", "STARTED", "READY"], "close"),
    FAIL: step(["absent", "STARTED", "READY"], "close"),
    RETRY: step(["absent", "STARTED", "READY"], "re-attempt"),
  },
  // Whoever has its id completes a callback, and the function only starts it.
  CALLBACK: { START: started("CALLBACK") },
  CONTEXT: { START: started("CONTEXT"), SUCCEED: closed, FAIL: closed },
  WAIT: {
    START: started("WAIT"),
    CANCEL: {
      from: ["STARTED"],
      refusal: "Cannot cancel a WAIT that does not exist or has already completed.",
    },
  },
};

export function checkUpdate(update: OperationUpdate, before: Operation | undefined): void {
  const { Type: type, Action: action } = update;
  checkSizes(update);
  if (type === "EXECUTION") {
    if (action !== "SUCCEED" && action !== "FAIL") throw invalidParameter("Invalid EXECUTION action.");
  } else {
    const ofType = rules[type];
    if (ofType === undefined)
      throw invalidParameter(`the local stack does not run operations of the type ${type}`);
    const rule = ofType[action];
    if (rule === undefined) throw invalidParameter("Invalid action for the given operation type.");
    if (!rule.from.includes(before?.Status ?? "absent")) throw invalidParameter(rule.refusal);
  }
  if (action === "FAIL" && update.Payload !== undefined)
    throw invalidParameter("Cannot provide a Payload for FAIL action.");
  if (action === "SUCCEED" && update.Error !== undefined)
    throw invalidParameter("Cannot provide an Error for SUCCEED action.");
  if (action === "RETRY" && update.StepOptions?.NextAttemptDelaySeconds === undefined)
    throw invalidParameter("Invalid StepOptions for the given action.");
  if (action === "RETRY" && update.Error !== undefined && update.Payload !== undefined)
    throw invalidParameter("Cannot provide both error and payload to RETRY a STEP.");
  if (type === "WAIT" && action === "START" && update.WaitOptions?.WaitSeconds === undefined)
    throw invalidParameter("Invalid WaitOptions for the given action.");
}

export function checkTogether(updates: readonly OperationUpdate[]): void {
  const ofExecution = updates.filter(({ Type }) => Type === "EXECUTION");
  if (ofExecution.length > 1) throw invalidParameter("Cannot checkpoint multiple EXECUTION updates.");
  if (ofExecution.length === 1 && updates.at(-1)?.Type !== "EXECUTION")
    throw invalidParameter("EXECUTION checkpoint must be the last update.");
  const last = new Map<string, OperationUpdate>();
  for (const update of updates) {
    const earlier = last.get(update.Id);
    const mayFollow =
      earlier === undefined ||
      ((earlier.Type === "STEP" || earlier.Type === "CONTEXT") &&
        earlier.Action === "START" &&
        update.Action !== "START");
    if (!mayFollow) throw invalidParameter("Cannot update the same operation twice in a single request.");
    last.set(update.Id, update);
  }
}

function checkSizes({ Type: type, Payload: payload, Error: error }: OperationUpdate): void {
  if (payload !== undefined && Buffer.byteLength(payload) > payloadBytesMax) {
    throw invalidParameter(
      `${type} output payload size must be less than or equal to ${payloadBytesMax} bytes`,
    );
  }
  if (error !== undefined && Buffer.byteLength(JSON.stringify(error)) > errorBytesMax)
    throw invalidParameter(`Error object size must be less than ${errorBytesMax} bytes.`);
}
