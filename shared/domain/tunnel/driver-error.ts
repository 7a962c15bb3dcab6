import { driverRefusals } from "../../vocabulary/drivers.ts";
import { DomainError } from "../errors.ts";
import type { DriverReply, DriverRequest } from "./driver-channel.ts";

/** Turns a driver's status other than 2xx into the error that the caller gets. */
export function driverError(
  answer: DriverReply,
  { path, repeat }: Pick<DriverRequest, "path" | "repeat">,
): DomainError {
  const { status } = answer;
  if (repeat && status === 409) {
    return new DomainError(
      "outcome_unknown",
      "an earlier attempt may have reached the desktop, and its driver does not remember it; take a screenshot before you retry with a new Idempotency-Key",
    );
  }
  const { text, code } = wordsOf(answer);
  const details = { driver_status: status, driver_message: text };
  if (status === 429) {
    return new DomainError("driver_busy", "the machine's driver has four requests in flight already", {
      details,
      retryAfterSeconds: retryAfterSeconds(answer.headers["retry-after"]),
    });
  }
  if (isUnsupported({ status, code, path })) {
    return new DomainError(
      "not_supported_by_driver",
      `the machine's driver does not do this, or was told to refuse it (${status}); nothing was done`,
      { details },
    );
  }
  if (status >= 400 && status < 500) {
    return new DomainError("driver_rejected", `the machine's driver refused the request with ${status}`, {
      details,
      driverStatus: status,
    });
  }
  return new DomainError("driver_failed", `the machine's driver failed with ${status}`, { details });
}

/** These paths' requests name a file, a folder or a program, which a 404 may be about. */
const namingPaths = /^\/computer\/(?:fs|programs)\//;

function isUnsupported(answer: {
  readonly status: number;
  readonly code: string | undefined;
  readonly path: string;
}): boolean {
  const { status, code, path } = answer;
  switch (status) {
    case 501:
      return true;
    case 404:
      return code === driverRefusals.unknownPath || !namingPaths.test(path);
    default:
      return status === 403 && code === driverRefusals.shellDisabled;
  }
}

const textCharsMax = 2_000;

function wordsOf(answer: DriverReply): { readonly text: string; readonly code?: string | undefined } {
  if (answer.kind === "stored") return { text: "" };
  const text = new TextDecoder().decode(answer.body.subarray(0, 4 * textCharsMax));
  const { error, code } = fieldsIn(text);
  return {
    text: (typeof error === "string" ? error : text).slice(0, textCharsMax),
    code: typeof code === "string" ? code : undefined,
  };
}

function fieldsIn(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text)) as Readonly<Record<string, unknown>>;
  } catch {
    // A driver may answer with plain text, which is passed on unchanged.
    return {};
  }
}

function retryAfterSeconds(header: string | undefined): number {
  const seconds = Number(header);
  return Number.isInteger(seconds) && seconds > 0 && seconds <= 3_600 ? seconds : 1;
}
