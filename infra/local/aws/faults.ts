import { randomUUID } from "node:crypto";
import * as z from "zod";
import { AwsError } from "./aws-error.ts";

/** DynamoDB returns `TransactionConflict` while another transaction holds an item; DynamoDB Local never does. */
export const FaultRequest = z
  .strictObject({
    service: z.string().optional(),
    operation: z.string().optional(),
    functionName: z.string().optional(),
    /** The call's path has this part, such as the name of the function that it invokes. */
    path: z.string().optional(),
    /** A `disconnect` cuts the connection before or after the call; a `crash` also ends the caller's worker. */
    effect: z
      .enum(["error", "disconnect_before", "disconnect_after", "crash_before", "crash_after"])
      .default("error"),
    error: z.string().min(1).optional(),
    status: z.number().int().min(400).max(599).optional(),
    message: z.string().optional(),
    count: z.number().int().min(1).nullable().default(1),
    /** This many matching calls pass before the first that fails. */
    skip: z.number().int().min(0).default(0),
    probability: z.number().min(0).max(1).default(1),
  })
  .refine((fault) => fault.effect !== "error" || fault.error !== undefined, {
    path: ["error"],
    error: "a fault of effect error needs the error's code",
  });
export type FaultRequest = z.input<typeof FaultRequest>;
export type Fault = z.output<typeof FaultRequest> & { readonly id: string };

export interface FaultTarget {
  readonly service: string;
  readonly operation: string;
  readonly functionName: string;
  readonly path: string;
}

export class Faults {
  #waiting: Fault[] = [];
  readonly #random: () => number;

  constructor(random: () => number = Math.random) {
    this.#random = random;
  }

  inject(request: FaultRequest): Fault {
    const fault = { ...FaultRequest.parse(request), id: randomUUID() };
    this.#waiting.push(fault);
    return fault;
  }

  clear(): void {
    this.#waiting = [];
  }

  list(): readonly Fault[] {
    return this.#waiting;
  }

  take(target: FaultTarget): Fault | undefined {
    for (const fault of this.#waiting) {
      if (!matches(fault, target)) continue;
      if (fault.skip > 0) {
        this.#replace(fault, { ...fault, skip: fault.skip - 1 });
        continue;
      }
      if (fault.probability < 1 && this.#random() >= fault.probability) continue;
      if (fault.count !== null) {
        this.#replace(fault, fault.count === 1 ? undefined : { ...fault, count: fault.count - 1 });
      }
      return fault;
    }
    return undefined;
  }

  #replace(fault: Fault, by: Fault | undefined): void {
    this.#waiting = this.#waiting.flatMap((each) => {
      if (each !== fault) return [each];
      return by ? [by] : [];
    });
  }
}

function matches(fault: Fault, target: FaultTarget): boolean {
  return (
    (fault.service ?? target.service) === target.service &&
    (fault.operation ?? target.operation) === target.operation &&
    (fault.functionName ?? target.functionName) === target.functionName &&
    target.path.includes(fault.path ?? "")
  );
}

/** @param transactItems is the size of the call's transaction, of which the first item conflicts. */
export function faultError(fault: Fault, operation: string, transactItems: number): AwsError {
  if (fault.error === "TransactionConflict") return transactionConflict(operation, transactItems);
  const code = fault.error ?? "InternalServerError";
  return new AwsError(fault.status ?? 400, code, fault.message ?? `${code}, injected by the local stack`);
}

/** Source: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html */
function transactionConflict(operation: string, transactItems: number): AwsError {
  if (!operation.startsWith("Transact")) {
    return new AwsError(400, "TransactionConflictException", "Transaction is ongoing for the item");
  }
  const reasons = Array.from({ length: Math.max(transactItems, 1) }, (_, index) =>
    index === 0
      ? { Code: "TransactionConflict", Message: "Transaction is ongoing for the item" }
      : { Code: "None" },
  );
  return new AwsError(
    400,
    "TransactionCanceledException",
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${reasons.map(({ Code }) => Code).join(", ")}]`,
    { fields: { CancellationReasons: reasons } },
  );
}
